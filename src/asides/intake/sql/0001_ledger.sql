-- The ledger: what was taken in, what is owed, what was judged. State of the machine, rebuilt from
-- nothing if lost; the entries themselves live in each project's own store.

CREATE TABLE project (
  id       TEXT PRIMARY KEY,
  root     TEXT NOT NULL,
  git_dir  TEXT,
  name     TEXT NOT NULL,
  first_commit TEXT,               -- what a repository is known by when it moves
  seen_at  TEXT NOT NULL
) STRICT;

CREATE TABLE session (
  id           TEXT PRIMARY KEY,
  agent        TEXT NOT NULL,
  project      TEXT,               -- fixed at the first event, never changed after (hazard B-302)
  cwd          TEXT NOT NULL,
  transcript   TEXT,
  position     TEXT,               -- watermark in the transcript, JSON
  transcript_state TEXT NOT NULL DEFAULT 'unread',
  open_turn    TEXT,
  prompt_id    TEXT,               -- of the turn that runs
  last_words   TEXT NOT NULL DEFAULT '',
  began_at     TEXT NOT NULL,
  active_at    TEXT NOT NULL,
  due_at       TEXT,               -- read the transcript on at this moment
  close_at     TEXT,               -- close what is open at this moment
  ended_at     TEXT
) STRICT;
CREATE INDEX session_due ON session (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX session_close ON session (close_at) WHERE close_at IS NOT NULL;
CREATE INDEX session_open ON session (active_at) WHERE open_turn IS NOT NULL;

CREATE TABLE event (
  id         TEXT PRIMARY KEY,     -- identity of the spool file: the same after a crash
  at         TEXT NOT NULL,
  agent      TEXT NOT NULL,
  kind       TEXT NOT NULL,
  session    TEXT NOT NULL,
  prompt_id  TEXT,
  subagent   TEXT,
  tool       TEXT NOT NULL DEFAULT '',
  files      TEXT NOT NULL DEFAULT '[]',
  text       TEXT NOT NULL DEFAULT '',  -- prompt or last words, redacted
  detail     TEXT NOT NULL DEFAULT ''   -- source of a start, reason of an end
) STRICT;
CREATE INDEX event_session ON event (session, at);

CREATE TABLE turn (
  id         TEXT PRIMARY KEY,     -- uuid of the transcript line: forks and resumes copy lines, not turns
  seq        INTEGER NOT NULL,
  session    TEXT NOT NULL,
  agent      TEXT NOT NULL,
  project    TEXT NOT NULL,
  via        TEXT NOT NULL,
  said_at    TEXT NOT NULL,
  message    TEXT NOT NULL,
  previous   TEXT NOT NULL DEFAULT '',
  reply      TEXT NOT NULL DEFAULT '',
  following  TEXT NOT NULL DEFAULT '',
  files      TEXT NOT NULL DEFAULT '[]',
  prompt_id  TEXT,
  cwd        TEXT NOT NULL DEFAULT '',
  state      TEXT NOT NULL,        -- open, owed, judged, skipped, parked
  reason     TEXT NOT NULL DEFAULT '',
  tries      INTEGER NOT NULL DEFAULT 0,
  after      TEXT,                 -- not before this moment
  closed_at  TEXT
) STRICT;
CREATE INDEX turn_owed ON turn (seq) WHERE state = 'owed';
CREATE INDEX turn_session ON turn (session, seq);

CREATE TABLE fingerprint (          -- prompts through -p, to tell scripts from people
  project  TEXT NOT NULL,
  digest   TEXT NOT NULL,
  session  TEXT NOT NULL,
  turn     TEXT NOT NULL,
  PRIMARY KEY (project, digest, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE judgment (
  turn        TEXT PRIMARY KEY,
  project     TEXT NOT NULL,
  at          TEXT NOT NULL,
  writer      TEXT NOT NULL,
  reason      TEXT NOT NULL,
  kept        INTEGER NOT NULL,
  inferences  INTEGER NOT NULL,
  seconds     REAL NOT NULL
) STRICT;

CREATE TABLE heartbeat (
  id       INTEGER PRIMARY KEY,
  what     TEXT NOT NULL,
  at       TEXT NOT NULL,
  outcome  TEXT NOT NULL,
  event    TEXT NOT NULL DEFAULT '',
  agent    TEXT NOT NULL DEFAULT '',
  session  TEXT NOT NULL DEFAULT '',
  seconds  REAL,
  reason   TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX heartbeat_what ON heartbeat (what, at);

CREATE TABLE announcement (         -- which entries an announcement names
  project  TEXT NOT NULL,
  digest   TEXT NOT NULL,
  entries  TEXT NOT NULL,           -- ids, JSON
  PRIMARY KEY (project, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE fingerprinted_file (   -- the audit of what the agent may not write
  project  TEXT NOT NULL,
  path     TEXT NOT NULL,
  digest   TEXT NOT NULL,
  PRIMARY KEY (project, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE slip (                 -- what the audit found changed
  id       INTEGER PRIMARY KEY,
  project  TEXT NOT NULL,
  session  TEXT NOT NULL,
  at       TEXT NOT NULL,
  path     TEXT NOT NULL,
  change   TEXT NOT NULL
) STRICT;
