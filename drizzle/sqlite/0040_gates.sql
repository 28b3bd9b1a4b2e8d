CREATE TABLE `gate_tools` (
	`gate_id` text NOT NULL,
	`name` text NOT NULL,
	`fingerprint` text NOT NULL,
	`definition` text NOT NULL,
	`listed` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`confirmed` text,
	`last_yes` text,
	PRIMARY KEY(`gate_id`, `name`)
);

CREATE TABLE `gates` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`server_hash` text NOT NULL,
	`server` text NOT NULL,
	`machine_id` text,
	`machine_name` text,
	`instructions` text,
	`instructions_hash` text,
	`confirmed_instructions` text,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`told_at` integer
);

CREATE UNIQUE INDEX `gates_server` ON `gates` (`workspace_id`,`name`,`server_hash`);
CREATE INDEX `gates_seen` ON `gates` (`workspace_id`,`seen_at`);
