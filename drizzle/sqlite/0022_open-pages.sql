CREATE TABLE `open_pages` (
	`person_id` text NOT NULL,
	`page` text NOT NULL,
	`workspace_id` text NOT NULL,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`person_id`, `page`)
);

CREATE INDEX `open_pages_seen` ON `open_pages` (`workspace_id`,`seen_at`);
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`full_at` integer NOT NULL
);
