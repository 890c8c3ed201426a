-- Makes second.db: sqlite3 second.db < second.sql
-- A database of OpenCode 2 keeps the tables of earlier versions. ses_a was copied and continued, ses_b is its agent,
-- ses_c was not copied, and ses_d was continued by an earlier version after it was copied.
PRAGMA page_size = 512;
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, title TEXT NOT NULL,
  version TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
INSERT INTO session VALUES
  ('ses_a', NULL, '/home/mara/lamp', 'Old title', '1.18.0', 1777622400000, 1777622402000),
  ('ses_c', NULL, '/home/mara/lamp', 'Third', '1.18.0', 1777622400000, 1777622402000),
  ('ses_d', NULL, '/home/mara/lamp', 'Fourth', '1.18.0', 1777622400000, 1777622408000);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL, data TEXT NOT NULL);
INSERT INTO message VALUES
  ('msg_a1', 'ses_a', 1777622401000, 1777622401000, '{"role":"user","time":{"created":1777622401000}}'),
  ('msg_c1', 'ses_c', 1777622401000, 1777622401000, '{"role":"user","time":{"created":1777622401000}}'),
  ('msg_d1', 'ses_d', 1777622401000, 1777622401000, '{"role":"user","time":{"created":1777622401000}}'),
  ('msg_d2', 'ses_d', 1777622408000, 1777622408000, '{"role":"user","time":{"created":1777622408000}}');
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
  time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
INSERT INTO part VALUES
  ('prt_a1', 'msg_a1', 'ses_a', 1777622401500, 1777622401500, '{"type":"text","text":"Where is the lamp?"}'),
  ('prt_c1', 'msg_c1', 'ses_c', 1777622401500, 1777622401500, '{"type":"text","text":"Was this copied?"}'),
  ('prt_d1', 'msg_d1', 'ses_d', 1777622401500, 1777622401500, '{"type":"text","text":"Was this continued?"}'),
  ('prt_d2', 'msg_d2', 'ses_d', 1777622408500, 1777622408500, '{"type":"text","text":"Then by whom?"}');
CREATE TABLE session_v2 (id TEXT PRIMARY KEY, parent_id TEXT, fork_session_id TEXT, fork_boundary TEXT,
  directory TEXT NOT NULL, title TEXT, version TEXT NOT NULL, revert TEXT, model TEXT, time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL);
INSERT INTO session_v2 VALUES
  ('ses_a', NULL, NULL, NULL, '/home/mara/lamp', 'New title', '1.18.0', NULL, NULL, 1777622400000, 1777622405000),
  ('ses_b', 'ses_a', NULL, NULL, '/home/mara/lamp', NULL, '2.0.25', NULL, '{"id":"m"}', 1777622404000, 1777622405000),
  ('ses_d', NULL, NULL, NULL, '/home/mara/lamp', 'Fourth', '1.18.0', NULL, NULL, 1777622400000, 1777622402000);
CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, type TEXT NOT NULL, seq INTEGER NOT NULL,
  time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
INSERT INTO session_message VALUES
  ('msg_a1', 'ses_a', 'user', 0, 1777622401000, 1777622401000, '{"text":"Where is the lamp?"}'),
  ('msg_a2', 'ses_a', 'user', 5, 1777622403000, 1777622403000, '{"text":"And the oil?","files":[]}'),
  ('msg_a3', 'ses_a', 'assistant', 6, 1777622404000, 1777622405000, '{"agent":"build","model":{"id":"m"},' ||
    '"content":[{"type":"tool","id":"c1","name":"subagent","state":{"status":"completed","input":{"agent":"explore",' ||
    '"description":"Look","prompt":"Look around"},"content":[{"type":"text","text":"In the jug."}],' ||
    '"metadata":{"sessionID":"ses_b","status":"completed"}},"time":{"created":1777622404000}}],"finish":"stop",' ||
    '"tokens":{"input":3,"output":4,"reasoning":0,"cache":{"read":0,"write":0}}}'),
  ('msg_a4', 'ses_a', 'idle', 9, 1777622405000, 1777622405000, '{"outcome":"succeeded"}'),
  ('msg_b1', 'ses_b', 'user', 0, 1777622404500, 1777622404500, '{"text":"Look around"}'),
  ('msg_b2', 'ses_b', 'assistant', 1, 1777622404600, 1777622404600, '{"model":{"id":"m"},"content":[{"type":"text",' ||
    '"text":"The jug has oil."}]}'),
  ('msg_d1', 'ses_d', 'user', 0, 1777622401000, 1777622401000, '{"text":"Was this continued?"}');
-- What waits until the model is sent it, in the tables of OpenCode 2 and of test versions, which kept what had been sent.
CREATE TABLE session_inbox (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, type TEXT NOT NULL, payload TEXT NOT NULL,
  delivery TEXT NOT NULL, enqueued_seq INTEGER NOT NULL, time_created INTEGER NOT NULL);
INSERT INTO session_inbox VALUES
  ('msg_i2', 'ses_a', 'move', '{"location":{"directory":"/srv/shed"}}', 'queue', 12, 1777622407000),
  ('msg_i1', 'ses_a', 'user', '{"text":"Trim the wick, too"}', 'queue', 11, 1777622406000);
CREATE TABLE session_input (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL,
  delivery TEXT, admitted_seq INTEGER NOT NULL, promoted_seq INTEGER, time_created INTEGER NOT NULL);
INSERT INTO session_input VALUES
  ('msg_a2', 'ses_a', 'user', '{"text":"And the oil, once more?"}', 'steer', 4, 5, 1777622403000),
  ('msg_i3', 'ses_c', 'user', '{"text":"And the third lamp?"}', 'steer', 7, NULL, 1777622403500);
