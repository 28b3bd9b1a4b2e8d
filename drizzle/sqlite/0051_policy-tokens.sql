CREATE TABLE `policy_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`tail` text NOT NULL,
	`may` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);

CREATE UNIQUE INDEX `policy_tokens_hash_unique` ON `policy_tokens` (`hash`);
CREATE INDEX `policy_tokens_workspace` ON `policy_tokens` (`workspace_id`);
