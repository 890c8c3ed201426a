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
-- Orders by month: it's "slow" without the index
CREATE TABLE orders (
    id BIGSERIAL PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    total NUMERIC(12, 2) DEFAULT 0.00,
    state VARCHAR(20) CHECK (state IN ('new', 'paid', 'sent -- not a comment')),
    note TEXT, /* what the customer's "wish" is */
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT positive CHECK (total >= 0 AND total < 1e6)
);

CREATE INDEX idx_orders_user ON orders (user_id, created_at DESC);

WITH RECURSIVE tree (id, parent_id, depth) AS (
    SELECT id, parent_id, 1 FROM nodes WHERE parent_id IS NULL
    UNION ALL
    SELECT n.id, n.parent_id, t.depth + 1
    FROM nodes n
    INNER JOIN tree t ON t.id = n.parent_id
    WHERE t.depth < 10
)
SELECT t.id, t.depth, 'node /* not a comment */ ' || t.id AS label
FROM tree t
ORDER BY t.depth, t.id;

SELECT user_id,
       SUM(total) AS spent,
       AVG(total) FILTER (WHERE state = 'paid') AS average,
       ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY created_at) AS n
FROM orders
WHERE created_at >= DATE '2024-01-01'
  AND note NOT LIKE '%it''s "urgent"%'
  AND (total BETWEEN 10 AND 99.5 OR user_id <> 42)
GROUP BY user_id;

INSERT INTO orders (user_id, total, state)
SELECT id, balance * 0.5, 'new' FROM users WHERE balance > 100
ON CONFLICT (id) DO UPDATE SET total = excluded.total;

GRANT SELECT, INSERT ON orders TO reader;
EXPLAIN ANALYZE SELECT * FROM orders WHERE id = 1;
ROLLBACK;
select 'open string
