CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`auth_method` text NOT NULL,
	`secret_hash` text,
	`refreshes` integer NOT NULL,
	`workspace_id` text,
	`created_by` text,
	`created_at` integer NOT NULL,
	`used_at` integer,
	`fresh_until` integer
);

CREATE INDEX `oauth_clients_age` ON `oauth_clients` (`kind`,`created_at`);
CREATE TABLE `oauth_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`token_id` text NOT NULL,
	`family` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`challenge` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text NOT NULL,
	`refreshes` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);

CREATE INDEX `oauth_codes_expiry` ON `oauth_codes` (`expires_at`);
CREATE TABLE `oauth_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`token_id` text NOT NULL,
	`client_id` text NOT NULL,
	`family` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`revoked_at` integer
);

CREATE INDEX `oauth_tokens_family` ON `oauth_tokens` (`family`);
CREATE INDEX `oauth_tokens_expiry` ON `oauth_tokens` (`expires_at`);
ALTER TABLE `agent_tokens` ADD `client_id` text;
ALTER TABLE `agent_tokens` ADD `connection` text;
CREATE INDEX `agent_tokens_client` ON `agent_tokens` (`client_id`) WHERE "agent_tokens"."client_id" is not null;