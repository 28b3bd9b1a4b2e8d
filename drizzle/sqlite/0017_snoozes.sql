CREATE TABLE `snoozes` (
	`person_id` text NOT NULL,
	`question_id` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`person_id`, `question_id`)
);

CREATE INDEX `snoozes_until` ON `snoozes` (`until`);
CREATE INDEX `snoozes_question` ON `snoozes` (`question_id`);