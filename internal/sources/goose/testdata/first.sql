-- Makes first.db, as the first version with a database wrote it: sqlite3 first.db < first.sql
PRAGMA page_size = 512;
CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT NOT NULL DEFAULT '', working_dir TEXT NOT NULL, created_at TIMESTAMP, updated_at TIMESTAMP, extension_data TEXT DEFAULT '{}', total_tokens INTEGER, input_tokens INTEGER, output_tokens INTEGER, accumulated_total_tokens INTEGER, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER, schedule_id TEXT, recipe_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP, tokens INTEGER);
INSERT INTO sessions (id, description, working_dir, created_at, updated_at, accumulated_input_tokens, accumulated_output_tokens, schedule_id, recipe_json) VALUES ('20251001_080000','Tidy the pier','/w/pier','2025-10-01T08:00:00+00:00','2025-10-01 08:02:00',1200,80,'nightly','{"title":"Tidy","description":"Tidies a folder","instructions":"Tidy {{ folder }}."}');
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20251001_080000','user','[{"type":"text","text":"Tidy the pier."}]',1759305660000);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20251001_080000','assistant','[{"type":"text","text":"The pier is tidy."}]',1759305661);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20251001_080000','assistant','no JSON',1759305662);
INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('lost','user','[{"type":"text","text":"Is anybody there?"}]','never');
