"""SQLite as a tool: connection, transaction, named queries, migration. Knows no words of ours."""
