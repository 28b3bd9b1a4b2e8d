CREATE TABLE `catalog_drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`kind` text NOT NULL,
	`what` text NOT NULL,
	`source` text NOT NULL,
	`drafted_at` integer NOT NULL,
	`state` text NOT NULL
);

CREATE TABLE `catalog_facts` (
	`slug` text NOT NULL,
	`subject` text NOT NULL,
	`value` text NOT NULL,
	`seen_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	PRIMARY KEY(`slug`, `subject`)
);

CREATE TABLE `catalog_prices` (
	`slug` text NOT NULL,
	`url` text NOT NULL,
	`network` text NOT NULL,
	`asset` text NOT NULL,
	`price_usd` text,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`slug`, `url`, `network`, `asset`, `seen_at`)
);

CREATE TABLE `catalog_probe_days` (
	`slug` text NOT NULL,
	`date` text NOT NULL,
	`probes` integer NOT NULL,
	`ok` integer NOT NULL,
	PRIMARY KEY(`slug`, `date`)
);

CREATE INDEX `catalog_probe_days_date` ON `catalog_probe_days` (`date`);
CREATE TABLE `catalog_probe_results` (
	`slug` text NOT NULL,
	`at` integer NOT NULL,
	`outcome` text NOT NULL,
	`status` integer,
	`ms` integer,
	`auth_required` integer NOT NULL,
	PRIMARY KEY(`slug`, `at`)
);

CREATE INDEX `catalog_probe_results_at` ON `catalog_probe_results` (`at`);
CREATE TABLE `catalog_probe_times` (
	`slug` text NOT NULL,
	`probe` text NOT NULL,
	`ran_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`slug`, `probe`)
);
