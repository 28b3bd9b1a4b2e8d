CREATE TABLE `identities` (
	`provider` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`label` text NOT NULL,
	`groups` text,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `issuer`, `subject`)
);

CREATE INDEX `identities_person` ON `identities` (`person_id`);
CREATE TABLE `logout_ids` (
	`provider` text NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `hash`)
);

CREATE TABLE `providers` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`settings` text NOT NULL,
	`secret` text,
	`created_at` integer NOT NULL
);

CREATE INDEX `providers_workspace` ON `providers` (`workspace_id`);
CREATE TABLE `sign_in_flows` (
	`hash` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`browser_hash` text NOT NULL,
	`nonce` text NOT NULL,
	`verifier` text NOT NULL,
	`next` text NOT NULL,
	`purpose` text NOT NULL,
	`person_id` text,
	`arrival` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE INDEX `sign_in_flows_expiry` ON `sign_in_flows` (`expires_at`);
ALTER TABLE `agent_tokens` ADD `off_at` integer;
ALTER TABLE `members` ADD `off_at` integer;
ALTER TABLE `members` ADD `role_from` text;
ALTER TABLE `sign_ins` ADD `provider` text;
ALTER TABLE `sign_ins` ADD `provider_sid` text;
ALTER TABLE `sign_ins` ADD `proven_until` integer;
