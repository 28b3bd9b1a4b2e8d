CREATE TABLE `viewers` (
	`subject_id` text NOT NULL,
	`who` text NOT NULL,
	PRIMARY KEY(`subject_id`, `who`)
);

CREATE INDEX `viewers_who` ON `viewers` (`who`,`subject_id`);
ALTER TABLE `agent_sessions` ADD `token_id` text;
ALTER TABLE `workspaces` ADD `visibility` text DEFAULT 'workspace' NOT NULL;
