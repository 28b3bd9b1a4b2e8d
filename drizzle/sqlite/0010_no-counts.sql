-- Counted while a database is small, these make SQLite look through whole tables once it is large.
DROP TABLE IF EXISTS `sqlite_stat4`;
DROP TABLE IF EXISTS `sqlite_stat1`;
