-- name: put_project
INSERT INTO project (id, root, git_dir, name, first_commit, mark, seen_at)
VALUES (:id, :root, :git_dir, :name, :first_commit, :mark, :at)
ON CONFLICT (id) DO UPDATE SET root = excluded.root, git_dir = excluded.git_dir, name = excluded.name,
                               first_commit = excluded.first_commit, mark = excluded.mark,
                               seen_at = excluded.seen_at;

-- name: project
SELECT id, root, git_dir, name FROM project WHERE id = ?;

-- name: projects
SELECT id, root, git_dir, name, first_commit, mark FROM project ORDER BY seen_at DESC, id;

-- name: session
SELECT id, agent, project, cwd, transcript, position, transcript_state, open_turn, prompt_id, last_words,
       due_at, close_at
  FROM session WHERE id = ?;

-- name: put_session
INSERT INTO session (id, agent, project, cwd, transcript, began_at, active_at)
VALUES (:id, :agent, :project, :cwd, :transcript, :at, :at)
ON CONFLICT (id) DO UPDATE SET active_at = max(active_at, excluded.active_at),
                               transcript = coalesce(excluded.transcript, transcript);

-- name: save_session
UPDATE session
   SET position = :position, transcript_state = :transcript_state, open_turn = :open_turn,
       prompt_id = :prompt_id, last_words = :last_words, due_at = :due_at, close_at = :close_at
 WHERE id = :id;

-- name: reschedule
UPDATE session SET due_at = :due_at, close_at = :close_at, ended_at = :ended_at WHERE id = :id;

-- name: due_sessions
SELECT id FROM session WHERE due_at <= :now OR close_at <= :now ORDER BY coalesce(close_at, due_at), id;

-- name: next_due
SELECT min(moment) FROM (SELECT min(due_at) AS moment FROM session WHERE due_at IS NOT NULL
                          UNION ALL
                         SELECT min(close_at) FROM session WHERE close_at IS NOT NULL);

-- name: forgotten_sessions
-- Sessions that left something open, or whose end was never told, and that have been silent since.
SELECT id FROM session
 WHERE active_at < :before AND ended_at IS NULL AND close_at IS NULL
 ORDER BY active_at, id LIMIT 100;

-- name: longest_silent
SELECT min(active_at) FROM session WHERE ended_at IS NULL AND close_at IS NULL;

-- name: put_event
INSERT OR IGNORE INTO event (id, at, agent, kind, session, prompt_id, subagent, tool, files, text, detail)
VALUES (:id, :at, :agent, :kind, :session, :prompt_id, :subagent, :tool, :files, :text, :detail);

-- name: empty_events
UPDATE event SET text = '' WHERE at < :before AND text <> '';

-- name: empty_turns
-- The excerpt around each draft stays in the project's own store.
UPDATE turn SET message = substr(message, 1, 300), previous = '', reply = '', following = ''
 WHERE closed_at < :before AND state IN ('judged', 'skipped') AND (length(message) > 300 OR reply <> '');

-- name: drop_events
DELETE FROM event WHERE at < :before;

-- name: drop_heartbeats
DELETE FROM heartbeat WHERE at < :before;

-- name: has_event
SELECT 1 FROM event WHERE id = ?;

-- name: files_of_prompt
SELECT files FROM event WHERE session = :session AND kind = 'used_tool' AND prompt_id IS :prompt_id
   AND files <> '[]' ORDER BY at, id;

-- name: last_reply
SELECT text FROM event WHERE session = :session AND kind = 'replied' AND prompt_id IS :prompt_id
   AND subagent IS NULL ORDER BY at DESC LIMIT 1;

-- name: payload_prompts
-- What the hooks heard of a session and no line of its transcript shows. `all`: no line was ever read.
SELECT id, at, prompt_id, text FROM event AS heard
 WHERE session = :session AND kind = 'prompted' AND detail = '' AND subagent IS NULL AND text <> ''
   AND (:all OR (prompt_id IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM turn WHERE turn.session = heard.session
            AND (turn.prompt_id = heard.prompt_id OR turn.message = heard.text))))
 ORDER BY at, id;

-- name: payload_turn
-- The turn that was made of a hook's payload before its line was found.
SELECT id FROM turn WHERE session = :session AND prompt_id = :prompt_id AND via = 'unproven' LIMIT 1;

-- name: open_turns
SELECT id FROM turn WHERE session = :session AND state = 'open' ORDER BY seq;

-- name: has_turn
SELECT session, state FROM turn WHERE id = ?;

-- name: put_turn
INSERT INTO turn (id, seq, session, agent, project, via, said_at, message, previous, prompt_id, cwd, state)
VALUES (:id, (SELECT coalesce(max(seq), 0) + 1 FROM turn), :session, :agent, :project, :via, :said_at,
        :message, :previous, :prompt_id, :cwd, 'open');

-- name: turn
SELECT id, session, agent, project, via, said_at, message, previous, reply, following, files, prompt_id, cwd,
       state, reason, tries
  FROM turn WHERE id = ?;

-- name: set_reply
UPDATE turn SET reply = :reply WHERE id = :id AND state = 'open';

-- name: close_turn
UPDATE turn SET state = :state, reason = :reason, following = :following, files = :files,
                reply = CASE WHEN reply = '' THEN :reply ELSE reply END, closed_at = :at
 WHERE id = :id AND state = 'open';

-- name: next_owed
SELECT id FROM turn WHERE state = 'owed' AND (after IS NULL OR after <= :now) ORDER BY seq LIMIT 1;

-- name: next_retry
SELECT min(after) FROM turn WHERE state = 'owed' AND after IS NOT NULL;

-- name: count_owed
SELECT count(*) FROM turn WHERE state = 'owed';

-- name: count_states
SELECT state, count(*) FROM turn GROUP BY state;

-- name: set_state
UPDATE turn SET state = :state, reason = :reason WHERE id = :id;

-- name: tried
UPDATE turn SET tries = tries + 1, reason = :reason, after = :after,
                state = CASE WHEN tries + 1 >= :most THEN 'parked' ELSE state END
 WHERE id = :id AND state = 'owed';

-- name: postponed
UPDATE turn SET reason = :reason, after = :after WHERE id = :id AND state = 'owed';

-- name: unpark
UPDATE turn SET state = 'owed', tries = 0, after = NULL WHERE state = 'parked';

-- name: put_judgment
INSERT OR REPLACE INTO judgment (turn, project, at, writer, reason, kept, inferences, seconds)
VALUES (:turn, :project, :at, :writer, :reason, :kept, :inferences, :seconds);

-- name: recent_judgments
SELECT j.turn, j.at, j.writer, j.reason, j.kept, j.inferences, j.seconds, t.message, t.said_at, t.session
  FROM judgment j JOIN turn t ON t.id = j.turn
 WHERE j.project = :project ORDER BY t.seq DESC LIMIT :limit;

-- name: skipped_turns
SELECT id, said_at, state, reason, message, session FROM turn
 WHERE project = :project AND state IN ('skipped', 'parked') ORDER BY seq DESC LIMIT :limit;

-- name: put_fingerprint
INSERT OR IGNORE INTO fingerprint (project, digest, session, turn) VALUES (:project, :digest, :session, :turn);

-- name: same_prompt
SELECT session, turn FROM fingerprint WHERE project = :project AND digest = :digest ORDER BY session;

-- name: beat
INSERT INTO heartbeat (what, at, outcome, event, agent, session, seconds, reason)
VALUES (:what, :at, :outcome, :event, :agent, :session, :seconds, :reason);

-- name: beats
SELECT what, event, outcome, count(*), sum(at >= :today) FROM heartbeat WHERE at >= :since
 GROUP BY what, event, outcome ORDER BY what, event, outcome;

-- name: failures
SELECT what, event, outcome, reason, count(*), max(at) FROM heartbeat
 WHERE at >= :since AND outcome IN ('failed', 'killed')
 GROUP BY what, event, outcome, reason ORDER BY max(at) DESC LIMIT 20;

-- name: last_of_daemon
SELECT outcome, reason FROM heartbeat WHERE what = 'daemon' ORDER BY id DESC LIMIT 1;

-- name: writer_trouble
-- Why the writer could not be loaded, unless it has judged since.
SELECT reason FROM heartbeat
 WHERE what = 'writer' AND outcome = 'failed'
   AND at >= coalesce((SELECT max(at) FROM heartbeat WHERE what = 'judge' AND outcome IN ('kept', 'quiet')), '')
 ORDER BY id DESC LIMIT 1;

-- name: put_announcement
INSERT OR REPLACE INTO announcement (project, digest, entries) VALUES (:project, :digest, :entries);

-- name: announcement
SELECT entries FROM announcement WHERE project = :project AND digest = :digest;

-- name: file_digests
SELECT path, digest FROM fingerprinted_file WHERE project = ?;

-- name: put_file_digest
INSERT OR REPLACE INTO fingerprinted_file (project, path, digest) VALUES (:project, :path, :digest);

-- name: drop_file_digest
DELETE FROM fingerprinted_file WHERE project = :project AND path = :path;

-- name: first_look
SELECT 1 FROM heartbeat WHERE what = 'audit' AND event = :project LIMIT 1;

-- name: put_slip
INSERT INTO slip (project, session, at, path, change) VALUES (:project, :session, :at, :path, :change);

-- name: slips
SELECT at, session, path, change FROM slip WHERE project = :project ORDER BY id DESC LIMIT :limit;
