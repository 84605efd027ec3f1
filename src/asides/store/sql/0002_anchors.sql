-- Entries follow the code that they are about, and are put before the agent when they matter.

ALTER TABLE entry ADD COLUMN verify TEXT NOT NULL DEFAULT '';

-- What an anchored entry is about, as JSON: as it is now, and as it was when it was said.
CREATE TABLE subject (
  entry   TEXT PRIMARY KEY,
  now     TEXT NOT NULL,
  said    TEXT NOT NULL,
  gone_at TEXT NOT NULL                     -- empty while it is there
) STRICT, WITHOUT ROWID;

CREATE TABLE cue (
  session  TEXT NOT NULL,
  subagent TEXT NOT NULL,                   -- empty for the agent that the person speaks with
  entry    TEXT NOT NULL,
  occasion TEXT NOT NULL,                   -- read, edit, create, delete, run, owed
  at       TEXT NOT NULL,
  PRIMARY KEY (session, subagent, entry, occasion, at)
) STRICT, WITHOUT ROWID;

CREATE INDEX cue_by_entry ON cue (entry);

-- Added lines that broke an entry.
CREATE TABLE firing (
  session    TEXT NOT NULL,
  entry      TEXT NOT NULL,
  path       TEXT NOT NULL,
  line       TEXT NOT NULL,
  at         TEXT NOT NULL,
  outcome    TEXT NOT NULL,                 -- open, heeded, broken
  settled_at TEXT NOT NULL,
  PRIMARY KEY (session, entry, path, line, at)
) STRICT, WITHOUT ROWID;

CREATE INDEX firing_by_entry ON firing (entry);

-- What stood and was said again all the same.
CREATE TABLE repeat (
  turn      TEXT NOT NULL,
  entry     TEXT NOT NULL,
  session   TEXT NOT NULL,
  at        TEXT NOT NULL,
  delivered INTEGER NOT NULL,               -- whether it was before the agent in that session
  PRIMARY KEY (turn, entry)
) STRICT, WITHOUT ROWID;
