CREATE TABLE `group_members` (
	`group_id` text NOT NULL,
	`person_id` text NOT NULL,
	`source` text NOT NULL,
	PRIMARY KEY(`group_id`, `person_id`, `source`)
);

CREATE INDEX `group_members_person` ON `group_members` (`person_id`);
CREATE TABLE `groups` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`source` text NOT NULL,
	`external_id` text,
	`created_at` integer NOT NULL
);

CREATE UNIQUE INDEX `groups_name` ON `groups` (`workspace_id`,`name`);
