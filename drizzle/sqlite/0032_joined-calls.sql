CREATE TABLE `joined_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`question_id` text NOT NULL,
	`key` text,
	`callback_url` text
);

CREATE INDEX `joined_calls_question` ON `joined_calls` (`question_id`);
CREATE INDEX `joined_calls_key` ON `joined_calls` (`workspace_id`,`key`) WHERE "joined_calls"."key" is not null;
DROP INDEX `questions_abandoned`;
CREATE INDEX `questions_twins` ON `questions` (`token_id`,`question`) WHERE "questions"."status" = 'pending';
DROP INDEX `callbacks_question`;
CREATE INDEX `callbacks_question` ON `callbacks` (`question_id`);