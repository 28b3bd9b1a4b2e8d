CREATE TABLE `catalog_history` (
	`slug` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`at` integer NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`slug`, `kind`, `subject`, `at`)
);

CREATE TABLE `catalog_tool_definitions` (
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`definition` text,
	`seen_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`slug`, `name`)
);

