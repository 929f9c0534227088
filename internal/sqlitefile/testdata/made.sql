-- sqlite3 made.sqlite < made.sql
PRAGMA page_size = 512;
CREATE TABLE numbers (
  id INTEGER PRIMARY KEY, -- the row's number, of which rows keep nothing
  'small' INT, "large" INT, [real] REAL DEFAULT (1.5), `text` TEXT CHECK (length(text) > 0), blob BLOB, empty,
  CONSTRAINT one UNIQUE (small), FOREIGN KEY (id) REFERENCES other(id));
CREATE TABLE keyed (id TEXT PRIMARY KEY) WITHOUT ROWID;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
INSERT INTO numbers SELECT i, i - 30, (i - 30) * (1 << 33), i / 4.0, replace(hex(zeroblob(i)), '00', i || ' ü '), unhex(printf('%02X00FF', i % 256)), NULL FROM n;
ALTER TABLE numbers ADD COLUMN late INT;
INSERT INTO numbers SELECT 60, 30, 30 * (1 << 33), 15.0, replace(hex(zeroblob(60)), '00', '60 ü '), unhex('3C00FF'), NULL, 1;
