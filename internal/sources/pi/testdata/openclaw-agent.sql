-- Makes openclaw-agent.sqlite: sqlite3 openclaw-agent.sqlite < openclaw-agent.sql
PRAGMA page_size = 512;
CREATE TABLE auth_profiles (id TEXT PRIMARY KEY, secret TEXT);
INSERT INTO auth_profiles VALUES ('main', 'secret-key-of-mara');
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, event_zstd BLOB, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq)) STRICT;
INSERT INTO transcript_events VALUES ('c1a00000-0000-4000-8000-000000000001', 2, '{"type":"message","id":"m2","parentId":"m1","timestamp":"2026-09-21T14:13:22.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Lit."}],"model":"gpt-5.5","usage":{"input":5,"output":2},"stopReason":"stop"}}', NULL, 1790000000003);
INSERT INTO transcript_events VALUES ('c1a00000-0000-4000-8000-000000000002', 0, '{"type":"session","version":3,"id":"c1a00000-0000-4000-8000-000000000002","timestamp":"2026-09-21T14:13:20.000Z","cwd":"/w/claw"}', NULL, 1790000000001);
INSERT INTO transcript_events VALUES ('c1a00000-0000-4000-8000-000000000001', 0, '{"type":"session","version":3,"id":"c1a00000-0000-4000-8000-000000000001","timestamp":"2026-09-21T14:13:20.000Z","cwd":"/w/claw"}', NULL, 1790000000001);
INSERT INTO transcript_events VALUES ('c1a00000-0000-4000-8000-000000000002', 1, '{"type":"message","id":"m1","parentId":null,
 "timestamp":"2026-09-21T14:13:21.000Z","message":{"role":"user","content":"And the other?","timestamp":1}}', NULL, 1790000000002);
INSERT INTO transcript_events VALUES ('c1a00000-0000-4000-8000-000000000001', 1, NULL, x'28b52ffd0458050400a2c81b1c606b75c6554c78fdbda3f6255cba8fcc0a9acf4335d3289041510456cfa38ae7af2976f0d2472fca327cf3cde04eecdb713b66f13ce4d87ccf8c8177368f400801346d4057a0074d0801218384d2f7afa98edc563f196bdc3e29b463a8def3dabe4fd6f3aca818b97dcfafd177020400ef70826ac0f52878728a100575ce97cf', 1790000000002);
INSERT INTO transcript_events VALUES ('c1a00000-0000-4000-8000-000000000002', 2, NULL, x'28b52ffd00', 1790000000004);
