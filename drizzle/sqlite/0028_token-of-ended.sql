DROP INDEX `questions_token`;
CREATE INDEX `questions_token` ON `questions` (`token_id`,`id`,`bytes`,`status`) WHERE "questions"."status" <> 'pending';