-- The tables of dextool mutate 5 that are read: sqlite3 dextool.sqlite < dextool.sql
PRAGMA page_size = 512;
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL, checksum0 INTEGER, checksum1 INTEGER, CONSTRAINT unique_ UNIQUE (path));
CREATE TABLE mutation_point (id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, offset_begin INTEGER NOT NULL, offset_end INTEGER NOT NULL,
  line INTEGER, column INTEGER, line_end INTEGER, column_end INTEGER, CONSTRAINT file_offset UNIQUE (file_id, offset_begin, offset_end),
  FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE);
CREATE TABLE mutation (id INTEGER PRIMARY KEY, mp_id INTEGER NOT NULL, st_id INTEGER, kind INTEGER NOT NULL);
CREATE TABLE mutation_status (id INTEGER PRIMARY KEY, status INTEGER NOT NULL, exit_code INTEGER NOT NULL, compile_time_ms INTEGER, test_time_ms INTEGER, prio INTEGER);
CREATE TABLE all_test_case (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE killed_test_case (id INTEGER PRIMARY KEY, st_id INTEGER NOT NULL, tc_id INTEGER NOT NULL, location TEXT);
CREATE TABLE marked_mutant (checksum0 INTEGER PRIMARY KEY, st_id INTEGER, rationale TEXT);
INSERT INTO files VALUES (3, 'src/a.c', 1, 2);
INSERT INTO mutation_point VALUES (1, 3, 33, 34, 1, 34, 1, 35), (2, 3, 74, 75, 2, 35, 2, 36), (3, 3, 0, 5, 1, 1, 1, 6);
INSERT INTO mutation_status VALUES (10, 1, 1, 100, 12, 0), (11, 2, 0, 100, 7, 0), (12, 4, 0, 0, 9, 0), (13, 6, 0, 0, 0, 0), (14, 3, 0, 0, 0, 0), (15, 5, 0, 0, 0, 0);
INSERT INTO mutation VALUES (1, 1, 10, 13), (2, 2, 11, 2), (3, 2, 12, 4), (4, 2, 13, 5), (5, 3, 14, 33), (6, 3, 15, 42);
INSERT INTO all_test_case VALUES (1, 'Sum.adds'), (2, 'Less.is');
INSERT INTO killed_test_case VALUES (1, 10, 1, '');
INSERT INTO marked_mutant VALUES (99, 13, 'both are ints');
