ALTER TABLE `questions` ADD `watched` text;
CREATE INDEX `questions_watched` ON `questions` (`workspace_id`,`id`) WHERE "questions"."watched" is not null;
ALTER TABLE `rules` ADD `mode` text;
