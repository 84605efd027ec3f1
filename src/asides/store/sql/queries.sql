-- Queries of the store of one project.

-- name: entry
SELECT id, project, body, kind, source, framing, standing, anchor, anchor_path, anchor_name,
       score, writer, session, turn, said_at, sightings, last_seen_at, note, verify
  FROM entry
 WHERE id = :id;

-- name: entries
-- Oldest first; every standing when the list is empty.
SELECT id, project, body, kind, source, framing, standing, anchor, anchor_path, anchor_name,
       score, writer, session, turn, said_at, sightings, last_seen_at, note, verify
  FROM entry
 WHERE :standings = '[]' OR standing IN (SELECT value FROM json_each(:standings))
 ORDER BY said_at, id;

-- name: ids_with_prefix
-- Not LIKE: a prefix is never a pattern.
SELECT id FROM entry WHERE substr(id, 1, length(:prefix)) = :prefix ORDER BY id;

-- name: logged_ids_with_prefix
-- Also those whose keeping was undone.
SELECT DISTINCT entry FROM operation WHERE substr(entry, 1, length(:prefix)) = :prefix ORDER BY entry;

-- name: put_entry
INSERT INTO entry
VALUES (:id, :project, :body, :kind, :source, :framing, :standing, :anchor, :anchor_path, :anchor_name,
        :score, :writer, :session, :turn, :said_at, :sightings, :last_seen_at, :note, :verify)
    ON CONFLICT (id) DO UPDATE
   SET project = excluded.project, body = excluded.body, kind = excluded.kind, source = excluded.source,
       framing = excluded.framing, standing = excluded.standing, anchor = excluded.anchor,
       anchor_path = excluded.anchor_path, anchor_name = excluded.anchor_name, score = excluded.score,
       writer = excluded.writer, session = excluded.session, turn = excluded.turn,
       said_at = excluded.said_at, sightings = excluded.sightings,
       last_seen_at = excluded.last_seen_at, note = excluded.note, verify = excluded.verify;

-- name: drop_entry
DELETE FROM entry WHERE id = :id;

-- name: add_operation
INSERT INTO operation (at, act, actor, entry, before, after, why, step, undoes)
VALUES (:at, :act, :actor, :entry, :before, :after, :why, coalesce(:step, 0), :undoes)
RETURNING id;

-- name: begin_step
-- A step is named after its first operation.
UPDATE operation SET step = id WHERE id = :id;

-- name: step_of_operation
SELECT step FROM operation WHERE id = :id;

-- name: operations_of_step
SELECT id, at, act, actor, entry, before, after, why, undone_by, undoes
  FROM operation WHERE step = :step ORDER BY id;

-- name: set_undone_by
UPDATE operation SET undone_by = :undone_by WHERE id = :id;

-- name: last_steps_that_stand
-- Of what no person did only what made an entry live or ended it: nobody was told of the rest, a sighting,
-- a proposal or a new place, and nobody means it by undo.
SELECT step
  FROM operation
 WHERE act <> 'undo' AND undone_by IS NULL
   AND (actor = 'person' OR (coalesce(json_extract(before, '$.standing'), '') = 'live')
                          <> (coalesce(json_extract(after, '$.standing'), '') = 'live'))
 GROUP BY step
 ORDER BY step DESC
 LIMIT :count;

-- name: operations_of_entry
SELECT id, at, act, actor, entry, before, after, why, undone_by, undoes
  FROM operation WHERE entry = :entry ORDER BY id;

-- name: last_operations
SELECT id, at, act, actor, entry, before, after, why, undone_by, undoes
  FROM operation ORDER BY id DESC LIMIT :limit;

-- name: span_entry
SELECT entry FROM span WHERE turn = :turn AND start = :start AND finish = :finish;

-- name: add_span
INSERT OR IGNORE INTO span VALUES (:turn, :start, :finish, :entry);

-- name: add_wording
INSERT OR IGNORE INTO wording VALUES (:key, :entry);

-- name: entries_with_wording
SELECT e.id, e.project, e.body, e.kind, e.source, e.framing, e.standing, e.anchor, e.anchor_path,
       e.anchor_name, e.score, e.writer, e.session, e.turn, e.said_at, e.sightings, e.last_seen_at, e.note, e.verify
  FROM wording w JOIN entry e ON e.id = w.entry
 WHERE w.key = :key
 ORDER BY e.said_at, e.id;

-- name: ids_with_wording
-- Also those whose keeping was undone.
SELECT entry FROM wording WHERE key = :key ORDER BY entry;

-- name: add_finding
INSERT INTO finding (turn, start, finish, session, said_at, judged_at, writer, body, kind, framing, source,
                     score, kept, standing, anchor, anchor_path, anchor_name, relation, relation_entry,
                     likeness, excerpt, entry)
VALUES (:turn, :start, :finish, :session, :said_at, :judged_at, :writer, :body, :kind, :framing, :source,
        :score, :kept, :standing, :anchor, :anchor_path, :anchor_name, :relation, :relation_entry,
        :likeness, :excerpt, :entry)
    ON CONFLICT (turn, start, finish) DO NOTHING
RETURNING id;

-- name: add_verdict
INSERT INTO verdict VALUES (:finding, :place, :check, :passed, :reason, :measure, :detail);

-- name: findings
SELECT id, turn, start, finish, session, said_at, judged_at, writer, body, kind, framing, source, score,
       kept, standing, anchor, anchor_path, anchor_name, relation, relation_entry, likeness, excerpt, entry
  FROM finding
 WHERE (:entry IS NULL OR entry = :entry)
   AND (:turn IS NULL OR turn = :turn)
   AND (:kept IS NULL OR kept = :kept)
 ORDER BY id DESC
 LIMIT :limit;

-- name: verdicts
SELECT "check", passed, reason, measure, detail FROM verdict WHERE finding = :finding ORDER BY place;

-- name: drop_edition
DELETE FROM edition WHERE version = :version;

-- name: add_edition
INSERT INTO edition (version) VALUES (:version);

-- name: put_prepared
INSERT INTO prepared VALUES (:version, :occasion, :entry, :place, :lacks, :body)
    ON CONFLICT (version, occasion, entry) DO UPDATE
   SET place = excluded.place, lacks = excluded.lacks, body = excluded.body;

-- name: forget_old_prepared
-- Versions that no session was given, except the latest, which a hook may be printing now.
DELETE FROM prepared
 WHERE version NOT IN (SELECT version FROM delivery)
   AND version NOT IN (SELECT version FROM edition ORDER BY number DESC LIMIT :keep);

-- name: forget_old_told
DELETE FROM told
 WHERE version NOT IN (SELECT version FROM delivery)
   AND version NOT IN (SELECT version FROM edition ORDER BY number DESC LIMIT :keep);

-- name: forget_old_editions
-- A version that somebody was given stays in the other tables; its place in the order is of no use.
DELETE FROM edition WHERE number NOT IN (SELECT number FROM edition ORDER BY number DESC LIMIT :keep);

-- name: put_told
INSERT OR REPLACE INTO told VALUES (:version, :occasion, :text);

-- name: add_delivery
INSERT OR IGNORE INTO delivery VALUES (:session, :occasion, :version, :at);

-- name: deliveries
-- A version may get the same text with one more entry left out: not for sessions before that entry.
SELECT p.entry, d.session, d.occasion, d.at, d.version, p.lacks, p.body
  FROM delivery d JOIN prepared p ON p.version = d.version AND p.occasion = d.occasion
 WHERE p.entry = :entry
   AND d.at >= (SELECT min(at) FROM operation WHERE entry = :entry)
 ORDER BY d.at, d.session, d.occasion, d.version;

-- name: delivered_texts
-- Where no text was noted, the words of the entries.
SELECT coalesce(t.text, p.body) AS words
  FROM delivery d
  LEFT JOIN told t ON t.version = d.version AND t.occasion = d.occasion
  LEFT JOIN prepared p
    ON t.text IS NULL AND p.version = d.version AND p.occasion = d.occasion AND p.lacks IS NULL
 WHERE d.session = :session AND words IS NOT NULL
 GROUP BY words
 ORDER BY words;

-- name: versions_given
-- The bare column is the one of the row with the latest moment (SQLite's rule for max).
SELECT DISTINCT version
  FROM (SELECT version, max(at) AS last FROM delivery WHERE occasion <> 'subagent' GROUP BY session)
 WHERE last >= :since
 ORDER BY version;

-- name: announced
SELECT entry FROM announced;

-- name: add_announced
INSERT OR IGNORE INTO announced VALUES (:entry, :at);

-- name: subject
SELECT entry, now, said, gone_at FROM subject WHERE entry = :entry;

-- name: subjects
SELECT entry, now, said, gone_at FROM subject ORDER BY entry;

-- name: put_subject
INSERT OR REPLACE INTO subject VALUES (:entry, :now, :said, :gone_at);

-- name: drop_subject
DELETE FROM subject WHERE entry = :entry;

-- name: add_cue
INSERT OR IGNORE INTO cue VALUES (:session, :subagent, :entry, :occasion, :at);

-- name: cues
SELECT entry, session, subagent, occasion, at
  FROM cue
 WHERE :entry IS NULL OR entry = :entry
 ORDER BY at, session, subagent, entry, occasion;

-- name: add_firing
INSERT OR IGNORE INTO firing VALUES (:session, :entry, :path, :line, :at, :outcome, :settled_at);

-- name: firings
SELECT entry, session, path, line, at, outcome, settled_at
  FROM firing
 WHERE :entry IS NULL OR entry = :entry
 ORDER BY at, session, entry, path, line;

-- name: settle_firing
UPDATE firing
   SET outcome = :outcome, settled_at = :settled_at
 WHERE session = :session AND entry = :entry AND path = :path AND line = :line AND at = :at
   AND outcome = 'open';

-- name: add_repeat
INSERT OR IGNORE INTO repeat VALUES (:turn, :entry, :session, :at, :delivered);

-- name: repeats
SELECT entry, turn, session, at, delivered
  FROM repeat
 WHERE :entry IS NULL OR entry = :entry
 ORDER BY at, turn, entry;
