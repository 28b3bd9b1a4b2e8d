CREATE TABLE `switched_off` (
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`sort` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `person_id`, `sort`, `kind`)
);

ALTER TABLE `notifications` ADD `held` text;
ALTER TABLE `notifications` ADD `group_id` text;
ALTER TABLE `notifications` ADD `group_size` integer;
CREATE INDEX `notifications_group` ON `notifications` (`group_id`,`id`) WHERE "notifications"."group_id" is not null;