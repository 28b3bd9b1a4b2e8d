CREATE TABLE `connect_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`transport` text NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE INDEX `connect_codes_person` ON `connect_codes` (`person_id`,`transport`);
CREATE TABLE `failovers` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`every_ms` integer NOT NULL,
	`people` text NOT NULL,
	`told` text NOT NULL,
	`due_at` integer
);

CREATE INDEX `failovers_due` ON `failovers` (`due_at`);
ALTER TABLE `subscribers` ADD `silent_since` integer;
ALTER TABLE `subscribers` ADD `silent_why` text;