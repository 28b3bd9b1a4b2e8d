ALTER TABLE `notifications` ADD `key` text;
ALTER TABLE `notifications` ADD `result` text;
CREATE UNIQUE INDEX `notifications_key` ON `notifications` (`workspace_id`,`key`) WHERE "notifications"."key" is not null;