CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`token_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`session_id` text NOT NULL,
	`tool_name` text NOT NULL,
	`cwd` text NOT NULL,
	`arguments_hash` text NOT NULL,
	`length` text NOT NULL,
	`question_id` text NOT NULL,
	`person_id` text NOT NULL,
	`agent_name` text,
	`action` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`uses` integer DEFAULT 0 NOT NULL,
	`used_at` integer,
	`ended_at` integer,
	`ended_because` text
);

CREATE INDEX `grants_live` ON `grants` (`workspace_id`,`session_id`,`arguments_hash`) WHERE "grants"."ended_at" is null;
CREATE INDEX `grants_ended` ON `grants` (`expires_at`);