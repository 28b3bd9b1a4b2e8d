CREATE TABLE `votes` (
	`question_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`value` text NOT NULL,
	`note` text,
	`source` text,
	`proof` text NOT NULL,
	`at` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`question_id`, `person_id`)
);

CREATE INDEX `votes_person` ON `votes` (`person_id`);
ALTER TABLE `questions` ADD `requirement` text;
ALTER TABLE `rules` ADD `approve` text;
