CREATE TABLE `held_answers` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`ending` text NOT NULL,
	`edited` text,
	`at` integer NOT NULL
);

ALTER TABLE `members` ADD `has_undo` integer DEFAULT 1 NOT NULL;
ALTER TABLE `questions` ADD `answer_held_until` integer;
CREATE INDEX `questions_answer_held` ON `questions` (`answer_held_until`) WHERE "questions"."answer_held_until" is not null;
