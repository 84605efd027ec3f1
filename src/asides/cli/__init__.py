"""The command line: arguments, one call, one value, two printers. Holds no logic."""
