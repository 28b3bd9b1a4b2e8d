CREATE TABLE `gate_listings` (
	`key` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`tools` text NOT NULL,
	`listed_at` integer NOT NULL
);

CREATE INDEX `gate_listings_listed` ON `gate_listings` (`listed_at`);
CREATE TABLE `gate_versions` (
	`gate_id` text NOT NULL,
	`name` text NOT NULL,
	`fingerprint` text NOT NULL,
	`definition` text NOT NULL,
	`confirmed` text,
	`last_yes` text,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`gate_id`, `name`, `fingerprint`)
);

CREATE INDEX `gate_versions_seen` ON `gate_versions` (`seen_at`);
