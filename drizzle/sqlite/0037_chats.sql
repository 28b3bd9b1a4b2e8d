CREATE TABLE `account_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`service` text NOT NULL,
	`account` text NOT NULL,
	`workspace_id` text NOT NULL,
	`label` text NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE TABLE `chat_accounts` (
	`service` text NOT NULL,
	`account` text NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`service`, `account`)
);

CREATE INDEX `chat_accounts_person` ON `chat_accounts` (`person_id`);
CREATE TABLE `chat_prompts` (
	`ref` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`act` text NOT NULL,
	`subject` text NOT NULL,
	`expires_at` integer NOT NULL
);

ALTER TABLE `instructions` ADD `via` text;
