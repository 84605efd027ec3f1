
PRAGMA page_size=4096;

BEGIN TRANSACTION;

DROP TABLE IF EXISTS announced;
CREATE TABLE announced (
  entry TEXT PRIMARY KEY,
  at    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO announced VALUES('633onv57p','2026-11-28T10:00:05.000Z');
INSERT INTO announced VALUES('bbdbnijbx','2026-11-28T10:00:02.000Z');
INSERT INTO announced VALUES('deu5w7a5g','2026-11-28T10:00:08.000Z');

DROP TABLE IF EXISTS cue;
CREATE TABLE cue (
  session  TEXT NOT NULL,
  subagent TEXT NOT NULL,                   -- empty for the agent that the person speaks with
  entry    TEXT NOT NULL,
  occasion TEXT NOT NULL,                   -- read, edit, create, delete, run, owed
  at       TEXT NOT NULL,
  PRIMARY KEY (session, subagent, entry, occasion, at)
) STRICT, WITHOUT ROWID;
INSERT INTO cue VALUES('session-2','','deu5w7a5g','edit','2026-11-29T09:05:00.000Z');
CREATE INDEX cue_by_entry ON cue (entry);

DROP TABLE IF EXISTS delivery;
CREATE TABLE delivery (
  session  TEXT NOT NULL,
  occasion TEXT NOT NULL,
  version  TEXT NOT NULL,
  at       TEXT NOT NULL,
  PRIMARY KEY (session, occasion, version, at)
) STRICT, WITHOUT ROWID;
INSERT INTO delivery VALUES('session-2','start','v1','2026-11-29T09:00:00.000Z');
CREATE INDEX delivery_by_version ON delivery (version, occasion);

DROP TABLE IF EXISTS edition;
CREATE TABLE edition (
  number  INTEGER PRIMARY KEY AUTOINCREMENT,
  version TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO edition VALUES(1,'v1');

DROP TABLE IF EXISTS entry;
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
, verify TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO entry VALUES('deu5w7a5g','shop','never use axios','law','human','passing','live','general','','',0.91,'encoder-1','session-1','turn-1','2026-11-28T09:00:00.000Z',2,'2026-11-28T09:00:00.000Z','','');
INSERT INTO entry VALUES('bbdbnijbx','shop','it''s edited','law','human','explicit','live','general','','',1.0,'person',NULL,NULL,'2026-11-28T09:00:00.000Z',1,'2026-11-28T09:00:00.000Z','','');
INSERT INTO entry VALUES('633onv57p','shop','use tabs','law','human','explicit','refused','general','','',1.0,'encoder-1','session-1','turn-4','2026-11-28T09:00:00.000Z',1,'2026-11-28T09:00:00.000Z','no','');
CREATE INDEX entry_by_standing ON entry (standing, said_at, id);

DROP TABLE IF EXISTS finding;
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
INSERT INTO finding VALUES(1,'turn-1',0,15,'session-1','2026-11-28T09:00:00.000Z','2026-11-28T11:00:00.000Z','encoder-1','never use axios','law','passing','human',0.91,1,'live','general','','','new',NULL,NULL,'never use axios','deu5w7a5g');
INSERT INTO finding VALUES(2,'turn-2',0,15,'session-1','2026-11-28T09:00:00.000Z','2026-11-28T12:00:00.000Z','encoder-1','never use axios','law','passing','human',0.91,1,'live','general','','','sighting','deu5w7a5g',0.98,'never use axios','deu5w7a5g');
INSERT INTO finding VALUES(3,'turn-3',0,11,'session-1','2026-11-28T09:00:00.000Z','2026-11-28T13:00:00.000Z','encoder-1','maybe later','law','passing','human',0.91,0,'live','general','','','new',NULL,NULL,'maybe later',NULL);
CREATE INDEX finding_by_entry ON finding (entry);

DROP TABLE IF EXISTS firing;
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
INSERT INTO firing VALUES('session-2','deu5w7a5g','a.ts','import axios','2026-11-29T09:05:00.000Z','open','');
CREATE INDEX firing_by_entry ON firing (entry);

DROP TABLE IF EXISTS operation;
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
INSERT INTO operation VALUES(1,'2026-11-28T10:00:00.000Z','keep','writer','deu5w7a5g',NULL,'{"id":"deu5w7a5g","project":"shop","body":"never use axios","kind":"law","source":"human","framing":"passing","standing":"live","anchor":{"what":"general","path":"","name":""},"score":0.91,"writer":"encoder-1","session":"session-1","turn":"turn-1","said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','',1,NULL,NULL);
INSERT INTO operation VALUES(2,'2026-11-28T10:00:01.000Z','sight','writer','deu5w7a5g','{"id":"deu5w7a5g","project":"shop","body":"never use axios","kind":"law","source":"human","framing":"passing","standing":"live","anchor":{"what":"general","path":"","name":""},"score":0.91,"writer":"encoder-1","session":"session-1","turn":"turn-1","said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','{"id":"deu5w7a5g","project":"shop","body":"never use axios","kind":"law","source":"human","framing":"passing","standing":"live","anchor":{"what":"general","path":"","name":""},"score":0.91,"writer":"encoder-1","session":"session-1","turn":"turn-1","said_at":"2026-11-28T09:00:00.000Z","sightings":2,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','',2,NULL,NULL);
INSERT INTO operation VALUES(3,'2026-11-28T10:00:02.000Z','keep','person','bbdbnijbx',NULL,'{"id":"bbdbnijbx","project":"shop","body":"ünïcode 日本 ''quoted''","kind":"law","source":"human","framing":"explicit","standing":"live","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"person","session":null,"turn":null,"said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','',3,NULL,NULL);
INSERT INTO operation VALUES(4,'2026-11-28T10:00:03.000Z','edit','person','bbdbnijbx','{"id":"bbdbnijbx","project":"shop","body":"ünïcode 日本 ''quoted''","kind":"law","source":"human","framing":"explicit","standing":"live","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"person","session":null,"turn":null,"said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','{"id":"bbdbnijbx","project":"shop","body":"it''s edited","kind":"law","source":"human","framing":"explicit","standing":"live","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"person","session":null,"turn":null,"said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','',4,NULL,NULL);
INSERT INTO operation VALUES(5,'2026-11-28T10:00:04.000Z','keep','writer','633onv57p',NULL,'{"id":"633onv57p","project":"shop","body":"use tabs","kind":"law","source":"human","framing":"explicit","standing":"proposed","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"encoder-1","session":"session-1","turn":"turn-4","said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','',5,NULL,NULL);
INSERT INTO operation VALUES(6,'2026-11-28T10:00:05.000Z','refuse','person','633onv57p','{"id":"633onv57p","project":"shop","body":"use tabs","kind":"law","source":"human","framing":"explicit","standing":"proposed","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"encoder-1","session":"session-1","turn":"turn-4","said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','{"id":"633onv57p","project":"shop","body":"use tabs","kind":"law","source":"human","framing":"explicit","standing":"refused","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"encoder-1","session":"session-1","turn":"turn-4","said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"no","verify":""}','no',6,NULL,NULL);
INSERT INTO operation VALUES(7,'2026-11-28T10:00:06.000Z','retire','person','bbdbnijbx','{"id":"bbdbnijbx","project":"shop","body":"it''s edited","kind":"law","source":"human","framing":"explicit","standing":"live","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"person","session":null,"turn":null,"said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','{"id":"bbdbnijbx","project":"shop","body":"it''s edited","kind":"law","source":"human","framing":"explicit","standing":"retired","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"person","session":null,"turn":null,"said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"gone","verify":""}','gone',7,NULL,8);
INSERT INTO operation VALUES(8,'2026-11-28T10:00:07.000Z','undo','person','bbdbnijbx','{"id":"bbdbnijbx","project":"shop","body":"it''s edited","kind":"law","source":"human","framing":"explicit","standing":"retired","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"person","session":null,"turn":null,"said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"gone","verify":""}','{"id":"bbdbnijbx","project":"shop","body":"it''s edited","kind":"law","source":"human","framing":"explicit","standing":"live","anchor":{"what":"general","path":"","name":""},"score":1.0,"writer":"person","session":null,"turn":null,"said_at":"2026-11-28T09:00:00.000Z","sightings":1,"last_seen_at":"2026-11-28T09:00:00.000Z","note":"","verify":""}','undoes operation 7',8,7,NULL);
CREATE INDEX operation_by_entry ON operation (entry, id);
CREATE INDEX operation_by_step ON operation (step);

DROP TABLE IF EXISTS prepared;
CREATE TABLE prepared (
  version  TEXT NOT NULL,
  occasion TEXT NOT NULL,
  entry    TEXT NOT NULL,
  place    INTEGER NOT NULL,
  lacks    TEXT,
  body     TEXT NOT NULL,                   -- the words as delivered then; empty when left out
  PRIMARY KEY (version, occasion, entry)
) STRICT, WITHOUT ROWID;
INSERT INTO prepared VALUES('v1','start','bbdbnijbx',1,'count','');
INSERT INTO prepared VALUES('v1','start','deu5w7a5g',0,NULL,'never use axios');
CREATE INDEX prepared_by_entry ON prepared (entry);

DROP TABLE IF EXISTS repeat;
CREATE TABLE repeat (
  turn      TEXT NOT NULL,
  entry     TEXT NOT NULL,
  session   TEXT NOT NULL,
  at        TEXT NOT NULL,
  delivered INTEGER NOT NULL,               -- whether it was before the agent in that session
  PRIMARY KEY (turn, entry)
) STRICT, WITHOUT ROWID;
INSERT INTO repeat VALUES('turn-2','deu5w7a5g','session-1','2026-11-28T09:00:00.000Z',0);

DROP TABLE IF EXISTS span;
CREATE TABLE span (
  turn   TEXT NOT NULL,
  start  INTEGER NOT NULL,
  finish INTEGER NOT NULL,
  entry  TEXT NOT NULL,
  PRIMARY KEY (turn, start, finish)
) STRICT, WITHOUT ROWID;
INSERT INTO span VALUES('turn-1',0,15,'deu5w7a5g');
INSERT INTO span VALUES('turn-2',0,15,'deu5w7a5g');
INSERT INTO span VALUES('turn-4',0,8,'633onv57p');

DROP TABLE IF EXISTS subject;
CREATE TABLE subject (
  entry   TEXT PRIMARY KEY,
  now     TEXT NOT NULL,
  said    TEXT NOT NULL,
  gone_at TEXT NOT NULL                     -- empty while it is there
) STRICT, WITHOUT ROWID;
INSERT INTO subject VALUES('deu5w7a5g','{"anchor":{"what":"declaration","path":"a.py","name":"f"},"fingerprint":"00ff","sketch":[1,2],"size":9,"commit":"c0ffee"}','{"anchor":{"what":"declaration","path":"a.py","name":"f"},"fingerprint":"00ff","sketch":[1,2],"size":9,"commit":"c0ffee"}','');

DROP TABLE IF EXISTS told;
CREATE TABLE told (
  version  TEXT NOT NULL,
  occasion TEXT NOT NULL,
  text     TEXT NOT NULL,
  PRIMARY KEY (version, occasion)
) STRICT, WITHOUT ROWID;
INSERT INTO told VALUES('v1','start','the text');

DROP TABLE IF EXISTS verdict;
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
INSERT INTO verdict VALUES(1,0,'verbatim',1,'ok',1.0,'');
INSERT INTO verdict VALUES(1,1,'refused',1,'ok',0.97,'measured');
INSERT INTO verdict VALUES(2,0,'verbatim',1,'ok',1.0,'');
INSERT INTO verdict VALUES(2,1,'refused',1,'ok',0.97,'measured');
INSERT INTO verdict VALUES(3,0,'verbatim',1,'ok',1.0,'');
INSERT INTO verdict VALUES(3,1,'refused',0,'below_floor',0.97,'measured');

DROP TABLE IF EXISTS wording;
CREATE TABLE wording (
  key   TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (key, entry)
) STRICT, WITHOUT ROWID;
INSERT INTO wording VALUES('it''s edited','bbdbnijbx');
INSERT INTO wording VALUES('never use axios','deu5w7a5g');
INSERT INTO wording VALUES('use tabs','633onv57p');
INSERT INTO wording VALUES('ünïcode 日本 quoted','bbdbnijbx');

DELETE FROM main.sqlite_sequence WHERE name='edition';
INSERT INTO main.sqlite_sequence VALUES ('edition', 1);
DELETE FROM main.sqlite_sequence WHERE name='operation';
INSERT INTO main.sqlite_sequence VALUES ('operation', 8);

pragma user_version=2;

COMMIT TRANSACTION;
