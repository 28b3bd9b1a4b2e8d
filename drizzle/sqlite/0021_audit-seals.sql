CREATE TABLE `audit_seals` (
	`seq` integer PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`signature` text NOT NULL,
	`latest_at` integer NOT NULL,
	`purged_before` integer
);

ALTER TABLE `audit` ADD `seal` integer;
CREATE INDEX `audit_seal` ON `audit` (`seal`,`at`,`id`);