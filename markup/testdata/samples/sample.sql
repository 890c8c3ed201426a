-- A comment with "quotes", it's fine
/* block 'comment'
   -- of two lines */
CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY,
    name VARCHAR(100) NOT NULL DEFAULT 'it''s -- not a comment',
    "quoted name" TEXT,
    created DATE CHECK (created > '2020-01-01'),
    balance DECIMAL(10, 2) REFERENCES accounts (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX idx_users_name ON users (name);

INSERT INTO users (id, name) VALUES (1, 'a "b" c'), (2, NULL);

SELECT u.id, COUNT(*) AS total, COALESCE(u.name, 'none') AS label
FROM users u
LEFT JOIN orders o ON o.user_id = u.id AND o.total >= 10
WHERE u.name LIKE '%x%' OR u.id IN (1, 2, 3)
GROUP BY u.id
HAVING COUNT(*) > 1
ORDER BY total DESC
LIMIT 10 OFFSET 20;

WITH recent AS (
    select * from orders where created_at between '2024-01-01' and '2024-12-31'
)
UPDATE users SET name = upper(name) WHERE id IN (SELECT user_id FROM recent);
DELETE FROM users WHERE NOT EXISTS (SELECT 1 FROM orders);
BEGIN; ALTER TABLE users ADD COLUMN age INT; COMMIT;
CREATE VIEW v AS SELECT CASE WHEN age > 18 THEN 'adult' ELSE 'minor' END FROM users;
DROP TABLE IF EXISTS users;
select 'open string
