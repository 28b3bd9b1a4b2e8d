CREATE TABLE `token_usage` (
	`token_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`open_questions` integer NOT NULL,
	`kept_bytes` integer NOT NULL,
	`recent_bytes` integer NOT NULL,
	`recent_at` integer NOT NULL
);

CREATE TABLE `push_counts` (
	`token_id` text NOT NULL,
	`recipient` text NOT NULL,
	`window_at` integer NOT NULL,
	`pushes` integer NOT NULL,
	`questions` integer NOT NULL,
	`more` integer NOT NULL,
	`more_questions` integer NOT NULL,
	`more_subject` text,
	PRIMARY KEY(`token_id`, `recipient`)
);

ALTER TABLE `notifications` ADD `bytes` integer DEFAULT 0 NOT NULL;
ALTER TABLE `questions` ADD `bytes` integer DEFAULT 0 NOT NULL;

-- What is there already is counted once, without its deliveries.
UPDATE `notifications` SET `bytes` = 200 + length(CAST(`title` || `body` || coalesce(`agent_name`, '') ||
	coalesce(`machine_id`, '') || coalesce(`session_id`, '') || coalesce(`context`, '') || coalesce(`url`, '') ||
	coalesce(`icon_url`, '') || coalesce(`image_url`, '') || `targeting` AS blob));
UPDATE `questions` SET `bytes` = 200 + length(CAST(`question` || `choices` || `detail` || coalesce(`agent_name`, '') ||
	coalesce(`machine_id`, '') || coalesce(`session_id`, '') || coalesce(`repo_key`, '') || `targeting` ||
	coalesce(`key`, '') || coalesce(`callback_url`, '') AS blob));

CREATE INDEX `notifications_token` ON `notifications` (`token_id`,`id`,`bytes`);
CREATE INDEX `questions_token` ON `questions` (`token_id`,`id`,`bytes`);

INSERT INTO `token_usage` (`token_id`, `workspace_id`, `open_questions`, `kept_bytes`, `recent_bytes`, `recent_at`)
SELECT `id`, `workspace_id`,
	(SELECT count(*) FROM `questions` WHERE `token_id` = `agent_tokens`.`id` AND `status` = 'pending'),
	coalesce((SELECT sum(`bytes`) FROM `notifications` WHERE `token_id` = `agent_tokens`.`id`), 0) +
	coalesce((SELECT sum(`bytes`) FROM `questions` WHERE `token_id` = `agent_tokens`.`id`), 0),
	0, 0
FROM `agent_tokens`;
