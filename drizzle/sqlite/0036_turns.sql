CREATE TABLE `instructions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`session` text NOT NULL,
	`person_id` text NOT NULL,
	`person_name` text NOT NULL,
	`text` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`handed_over_at` integer,
	`taken_at` integer,
	`ended_at` integer
);

CREATE INDEX `instructions_session` ON `instructions` (`session`,`id`);
CREATE TABLE `quick_replies` (
	`person_id` text PRIMARY KEY NOT NULL,
	`texts` text NOT NULL
);

CREATE TABLE `turn_holds` (
	`workspace_id` text NOT NULL,
	`client` text NOT NULL,
	`on` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `client`)
);

CREATE TABLE `turns` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`session_id` text NOT NULL,
	`token_id` text NOT NULL,
	`client` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`last_words` text,
	`duration_ms` integer,
	`files_changed` integer,
	`told_at` integer,
	`door` text,
	`held_until` integer,
	`let_go` text,
	`in_row` integer NOT NULL
);

CREATE INDEX `turns_seen` ON `turns` (`workspace_id`,`seen_at`);
