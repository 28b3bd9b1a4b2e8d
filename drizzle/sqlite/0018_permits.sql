CREATE TABLE `permits` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`question_id` text NOT NULL,
	`token_id` text NOT NULL,
	`action_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	`outcome` text,
	`detail` text,
	`outcome_at` integer
);

CREATE UNIQUE INDEX `permits_question` ON `permits` (`question_id`);