CREATE TABLE `catalog_grades` (
	`slug` text NOT NULL,
	`place` integer NOT NULL,
	`sequence` integer NOT NULL,
	`item` text NOT NULL,
	PRIMARY KEY(`slug`, `place`)
);

CREATE TABLE `catalog_methodologies` (
	`version` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`sequence` integer NOT NULL
);

CREATE TABLE `catalog_records` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	`added_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `key`)
);

CREATE TABLE `catalog_revisions` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`revision` text NOT NULL,
	`published_at` integer NOT NULL,
	`added` integer NOT NULL,
	`updated` integer NOT NULL,
	`removed` integer NOT NULL
);

CREATE INDEX `catalog_revisions_revision` ON `catalog_revisions` (`revision`);