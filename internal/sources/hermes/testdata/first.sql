-- Makes first.db, with the tables of the first version: sqlite3 first.db < first.sql
PRAGMA page_size = 512;
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, model_config TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0, input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT);
INSERT INTO sessions (id, source, model, started_at, input_tokens, output_tokens) VALUES ('s1', 'telegram', 'gull-1', 1771000000, 70, 7);
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', 'Is the lamp lit?', 1771000001);
INSERT INTO messages (session_id, role, content, tool_calls, timestamp) VALUES ('s1', 'assistant', 'I look.', '[{"id":"c1","function":{"name":"terminal","arguments":"{\"command\":\"lamp\"}"}}', 1771000002);
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('lost', 'user', 'Is anybody there?', 1771000003);
