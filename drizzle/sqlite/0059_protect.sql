CREATE TABLE `proposed_changes` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`change` text,
	`basis` text NOT NULL,
	`told_at` integer
);

CREATE INDEX `proposed_changes_workspace` ON `proposed_changes` (`workspace_id`);
CREATE INDEX `proposed_changes_told` ON `proposed_changes` (`told_at`);
ALTER TABLE `policies` ADD `protect` text;
ALTER TABLE `policy_tokens` ADD `created_by` text;
