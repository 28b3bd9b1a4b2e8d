CREATE TABLE `question_tallied` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);

CREATE TABLE `question_tallies` (
	`workspace_id` text NOT NULL,
	`repo_key` text NOT NULL,
	`at` integer NOT NULL,
	`by_person` integer NOT NULL,
	`by_rule` integer NOT NULL,
	`unanswered` integer NOT NULL,
	`withdrawn` integer NOT NULL,
	`times` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `repo_key`, `at`)
);

ALTER TABLE `agent_sessions` ADD `branch` text;
ALTER TABLE `agent_sessions` ADD `intent` text;
ALTER TABLE `agent_sessions` ADD `machine_name` text;
CREATE INDEX `agent_sessions_repository` ON `agent_sessions` (`workspace_id`,`repo_key`,`last_seen_at`) WHERE "agent_sessions"."repo_key" is not null;
CREATE INDEX `questions_repository` ON `questions` (`workspace_id`,`repo_key`,`id`) WHERE "questions"."repo_key" is not null;