-- Entries, their history, and the facts that `asides why` answers from.

CREATE TABLE entry (
  id           TEXT PRIMARY KEY,
  project      TEXT NOT NULL,
  body         TEXT NOT NULL,
  kind         TEXT NOT NULL,
  source       TEXT NOT NULL,
  framing      TEXT NOT NULL,
  standing     TEXT NOT NULL,
  anchor       TEXT NOT NULL,               -- general, file, declaration
  anchor_path  TEXT NOT NULL,
  anchor_name  TEXT NOT NULL,
  score        REAL NOT NULL,
  writer       TEXT NOT NULL,
  session      TEXT,
  turn         TEXT,
  said_at      TEXT NOT NULL,
  sightings    INTEGER NOT NULL,
  last_seen_at TEXT NOT NULL,
  note         TEXT NOT NULL
) STRICT;

CREATE INDEX entry_by_standing ON entry (standing, said_at, id);

-- The log. An entry is what its last operation says; undo is one more operation.
CREATE TABLE operation (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  at        TEXT NOT NULL,
  act       TEXT NOT NULL,
  actor     TEXT NOT NULL,
  entry     TEXT NOT NULL,                  -- no reference: an undone keeping has no entry
  before    TEXT,                           -- the whole entry as JSON
  after     TEXT,
  why       TEXT NOT NULL,
  step      INTEGER NOT NULL,               -- id of the first operation of the same step
  undoes    INTEGER,
  undone_by INTEGER
) STRICT;

CREATE INDEX operation_by_entry ON operation (entry, id);
CREATE INDEX operation_by_step ON operation (step);

-- Which entry each judged span of a turn went to, so that judging again changes nothing.
CREATE TABLE span (
  turn   TEXT NOT NULL,
  start  INTEGER NOT NULL,
  finish INTEGER NOT NULL,
  entry  TEXT NOT NULL,
  PRIMARY KEY (turn, start, finish)
) STRICT, WITHOUT ROWID;

-- Every wording an entry ever had, normalised. Those of refused entries are the tombstones.
CREATE TABLE wording (
  key   TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (key, entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE finding (
  id             INTEGER PRIMARY KEY,
  turn           TEXT NOT NULL,
  start          INTEGER NOT NULL,
  finish         INTEGER NOT NULL,
  session        TEXT NOT NULL,
  said_at        TEXT NOT NULL,
  judged_at      TEXT NOT NULL,
  writer         TEXT NOT NULL,
  body           TEXT NOT NULL,
  kind           TEXT NOT NULL,
  framing        TEXT NOT NULL,
  source         TEXT NOT NULL,
  score          REAL NOT NULL,
  kept           INTEGER NOT NULL,
  standing       TEXT NOT NULL,
  anchor         TEXT NOT NULL,
  anchor_path    TEXT NOT NULL,
  anchor_name    TEXT NOT NULL,
  relation       TEXT NOT NULL,             -- new, sighting, supersedes
  relation_entry TEXT,
  likeness       REAL,
  excerpt        TEXT NOT NULL,
  entry          TEXT,
  UNIQUE (turn, start, finish)
) STRICT;

CREATE INDEX finding_by_entry ON finding (entry);

CREATE TABLE verdict (
  finding INTEGER NOT NULL REFERENCES finding (id) ON DELETE CASCADE,
  place   INTEGER NOT NULL,                 -- order of the checks
  "check" TEXT NOT NULL,
  passed  INTEGER NOT NULL,
  reason  TEXT NOT NULL,
  measure REAL,
  detail  TEXT NOT NULL,
  PRIMARY KEY (finding, place)
) STRICT, WITHOUT ROWID;

-- Versions of the prepared texts, the latest with the highest number.
CREATE TABLE edition (
  number  INTEGER PRIMARY KEY AUTOINCREMENT,
  version TEXT NOT NULL UNIQUE
) STRICT;

-- What each version holds (lacks is null) and what it leaves out, and why.
CREATE TABLE prepared (
  version  TEXT NOT NULL,
  occasion TEXT NOT NULL,
  entry    TEXT NOT NULL,
  place    INTEGER NOT NULL,
  lacks    TEXT,
  body     TEXT NOT NULL,                   -- the words as delivered then; empty when left out
  PRIMARY KEY (version, occasion, entry)
) STRICT, WITHOUT ROWID;

CREATE INDEX prepared_by_entry ON prepared (entry);

-- The whole text of a version on an occasion, as the agent read it.
CREATE TABLE told (
  version  TEXT NOT NULL,
  occasion TEXT NOT NULL,
  text     TEXT NOT NULL,
  PRIMARY KEY (version, occasion)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery (
  session  TEXT NOT NULL,
  occasion TEXT NOT NULL,
  version  TEXT NOT NULL,
  at       TEXT NOT NULL,
  PRIMARY KEY (session, occasion, version, at)
) STRICT, WITHOUT ROWID;

CREATE INDEX delivery_by_version ON delivery (version, occasion);

CREATE TABLE announced (
  entry TEXT PRIMARY KEY,
  at    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
