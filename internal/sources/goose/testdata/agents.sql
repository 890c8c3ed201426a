-- Makes agents.db, whose sessions of agents do not name the sessions that started them: sqlite3 agents.db < agents.sql
PRAGMA page_size = 512;
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL, created_at TIMESTAMP, updated_at TIMESTAMP);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, metadata_json TEXT);
INSERT INTO sessions VALUES ('20260401_1','Name a boat','user','/w/boat','2026-04-01 08:00:00','2026-04-01 08:01:00');
INSERT INTO sessions VALUES ('20260401_2','Delegated task','sub_agent','/w/boat','2026-04-01 08:00:10','2026-04-01 08:00:50');
INSERT INTO sessions VALUES ('20260401_3','Delegated task','sub_agent','/w/boat','2026-04-01 08:00:11','2026-04-01 08:00:51');
INSERT INTO sessions VALUES ('20260401_4','New session','user','/w/boat','2026-04-01 09:00:00','2026-04-01 09:00:00');
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260401_1','user','[{"type":"text","text":"Name the boat."}]',1775030400);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260401_1','assistant','[{"type":"toolRequest","id":"b1","toolCall":{"status":"success","value":{"name":"delegate","arguments":{"instructions":"Find a name."}}}}]',1775030409);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260401_2','user','[{"type":"text","text":"Find a name."}]',1775030410);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260401_2','assistant','[{"type":"text","text":"Petrel."}]',1775030440);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260401_3','user','[{"type":"text","text":"Whose am I?"}]',1775030411);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260401_1','user','[{"type":"toolResponse","id":"b1","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"Petrel."}],"_meta":{"subagent_session_id":"20260401_2"},"isError":false}}}]',1775030450);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260401_1','assistant','[{"type":"text","text":"It is called Petrel, not \"subagent_session_id\":\"20260401_3\"."}]',1775030460);
