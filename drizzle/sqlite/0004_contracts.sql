CREATE TABLE `contracts` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`session_id` text NOT NULL,
	`allowed_paths` text NOT NULL,
	`off_limits_paths` text NOT NULL,
	`promises` text NOT NULL,
	`done_when` text NOT NULL,
	`edited` integer NOT NULL,
	`test` integer NOT NULL,
	`ratified_by` text,
	`ratified_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE INDEX `contracts_session` ON `contracts` (`workspace_id`,`session_id`,`test`,`ratified_at`,`question_id`);
CREATE TABLE `hooks` (
	`workspace_id` text NOT NULL,
	`session_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`client` text NOT NULL,
	`client_version` text,
	`hook_version` text,
	`contract_etag` text,
	`example_paths` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`workspace_id`, `session_id`, `machine_id`)
);

CREATE INDEX `hooks_seen` ON `hooks` (`workspace_id`,`last_seen_at`);
CREATE INDEX `hooks_last_seen` ON `hooks` (`last_seen_at`);
CREATE TABLE `widenings` (
	`question_id` text PRIMARY KEY NOT NULL,
	`contract_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`path` text NOT NULL,
	`at` integer NOT NULL
);

CREATE INDEX `widenings_contract` ON `widenings` (`contract_id`,`at`,`question_id`);