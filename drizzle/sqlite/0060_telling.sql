CREATE TABLE `claims` (
	`question_id` text NOT NULL,
	`person_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`question_id`, `person_id`)
);

CREATE INDEX `claims_person` ON `claims` (`person_id`,`until`);
CREATE TABLE `own_quiet_hours` (
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`hours` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `person_id`)
);

ALTER TABLE `failovers` ADD `steps` text;
ALTER TABLE `failovers` ADD `waiting` text;
ALTER TABLE `failovers` ADD `step_at` integer;
