-- As Mull's runner 0.33 makes it: sqlite3 mull.sqlite < mull.sql; parser.sqlite has 2 in place of 1 and 8
PRAGMA page_size = 512;
CREATE TABLE IF NOT EXISTS mutant (mutant_id TEXT, mutator TEXT, filename TEXT, directory TEXT, line_number INT, column_number INT,
  end_line_number INT, end_column_number INT, execution_status INT, exit_status INT, duration INT, stdout TEXT, stderr TEXT, mutation_replacement TEXT);
CREATE TABLE IF NOT EXISTS information (key TEXT, value TEXT);
INSERT INTO information VALUES ('Mull Version', '0.33.0'), ('LLVM Version', '14.0.6');
INSERT INTO mutant VALUES
  ('cxx_add_to_sub:/home/them/p/src/a.c:1:34:1:35', 'cxx_add_to_sub', '/home/them/p/src/a.c', '', 1, 34, 1, 35, 1, 1, 12, '', '', '-'),
  ('cxx_lt_to_le:/home/them/p/src/a.c:2:35:2:36', 'cxx_lt_to_le', '/home/them/p/src/a.c', '', 2, 35, 2, 36, 2, 0, 7, '', '', '<='),
  ('cxx_lt_to_ge:/home/them/p/src/a.c:2:35:2:36', 'cxx_lt_to_ge', '/home/them/p/src/a.c', '', 2, 35, 2, 36, 4, 139, 7, '', '', '>='),
  ('cxx_sub_to_add:/home/them/p/src/a.c:3:25:3:26', 'cxx_sub_to_add', '/home/them/p/src/a.c', '', 3, 25, 3, 26, 8, 0, 0, '', '', '+'),
  ('cxx_remove:/home/them/p/src/a.c:3:1:3:2', 'cxx_remove', '/home/them/p/src/a.c', '', 3, 1, 3, 2, 7, 0, 0, '', '', '');
