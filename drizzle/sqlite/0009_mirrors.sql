CREATE TABLE `catalog_mirror_blobs` (
	`sha256` text PRIMARY KEY NOT NULL,
	`body` blob NOT NULL
);

CREATE TABLE `catalog_mirror_files` (
	`manifest` text NOT NULL,
	`path` text NOT NULL,
	`type` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`manifest`, `path`)
);

CREATE INDEX `catalog_mirror_files_sha256` ON `catalog_mirror_files` (`sha256`);
CREATE TABLE `catalog_mirrors` (
	`name` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`kid` text NOT NULL,
	`allow_stale` integer NOT NULL,
	`manifest` text NOT NULL,
	`previous` text NOT NULL,
	`sequence` integer NOT NULL,
	`revision` text NOT NULL,
	`base_url` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`etag` text NOT NULL,
	`fetched_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`failures` integer NOT NULL,
	`problem` text NOT NULL
);
