CREATE TABLE `directories` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `directories_workspace` ON `directories` (`workspace_id`);
CREATE TABLE `directory_people` (
	`id` text PRIMARY KEY NOT NULL,
	`directory_id` text NOT NULL,
	`person_id` text NOT NULL,
	`user_name` text NOT NULL,
	`external_id` text,
	`attributes` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);

CREATE UNIQUE INDEX `directory_people_name` ON `directory_people` (`directory_id`,`user_name`);
CREATE INDEX `directory_people_person` ON `directory_people` (`person_id`);
CREATE TABLE `directory_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`directory_id` text NOT NULL,
	`hash` text NOT NULL,
	`tail` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);

CREATE UNIQUE INDEX `directory_tokens_hash_unique` ON `directory_tokens` (`hash`);
CREATE INDEX `directory_tokens_directory` ON `directory_tokens` (`directory_id`);
