CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`access_token` text,
	`refresh_token` text,
	`id_token` text,
	`access_token_expires_at` integer,
	`refresh_token_expires_at` integer,
	`scope` text,
	`password` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE INDEX `credentials_user` ON `credentials` (`user_id`);
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text,
	`public_key` text NOT NULL,
	`credential_id` text NOT NULL,
	`counter` integer NOT NULL,
	`device_type` text NOT NULL,
	`backed_up` integer NOT NULL,
	`transports` text,
	`created_at` integer,
	`aaguid` text
);

CREATE UNIQUE INDEX `passkeys_credential_id_unique` ON `passkeys` (`credential_id`);
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);
CREATE TABLE `sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`token` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `sign_ins_token_unique` ON `sign_ins` (`token`);
CREATE INDEX `sign_ins_user` ON `sign_ins` (`user_id`);
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`image` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `people_email_unique` ON `people` (`email`);
CREATE TABLE `verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE INDEX `verifications_identifier` ON `verifications` (`identifier`);
CREATE TABLE `agent_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`tail` text NOT NULL,
	`test` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text,
	`revoked_at` integer,
	`last_used_at` integer,
	`last_used_from` text,
	`last_used_client` text
);

CREATE UNIQUE INDEX `agent_tokens_hash_unique` ON `agent_tokens` (`hash`);
CREATE INDEX `agent_tokens_workspace` ON `agent_tokens` (`workspace_id`,`id`);
CREATE TABLE `members` (
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `person_id`)
);

CREATE INDEX `members_person` ON `members` (`person_id`);
CREATE TABLE `pairing_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`pairing_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`step` text NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`device` text,
	`sign_in_id` text,
	`cancelled_at` integer
);

CREATE INDEX `pairing_codes_pairing` ON `pairing_codes` (`pairing_id`);
CREATE INDEX `pairing_codes_person` ON `pairing_codes` (`person_id`);
CREATE INDEX `pairing_codes_expiry` ON `pairing_codes` (`expires_at`);
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE UNIQUE INDEX `workspaces_name_unique` ON `workspaces` (`name`);
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`person_id` text,
	`person_name` text,
	`token_id` text,
	`subject_id` text,
	`subject_name` text,
	`detail` text
);

CREATE INDEX `audit_workspace` ON `audit` (`workspace_id`,`at`,`id`);
CREATE INDEX `audit_subject` ON `audit` (`subject_id`);
CREATE INDEX `audit_at` ON `audit` (`at`,`id`);
CREATE TABLE `callback_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`callback_id` text NOT NULL,
	`at` integer NOT NULL,
	`status` integer NOT NULL,
	`error` text
);

CREATE INDEX `callback_attempts_callback` ON `callback_attempts` (`callback_id`,`at`);
CREATE TABLE `callback_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);

CREATE INDEX `callback_secrets_workspace` ON `callback_secrets` (`workspace_id`,`ends_at`);
CREATE TABLE `callbacks` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`question_id` text NOT NULL,
	`url` text NOT NULL,
	`origin` text NOT NULL,
	`body` text NOT NULL,
	`test` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`claimed_by` text,
	`claimed_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`last_status` integer,
	`last_error` text
);

CREATE UNIQUE INDEX `callbacks_question` ON `callbacks` (`question_id`);
CREATE INDEX `callbacks_workspace` ON `callbacks` (`workspace_id`,`id`);
CREATE INDEX `callbacks_due` ON `callbacks` (`state`,`next_at`);
CREATE TABLE `alarms` (
	`name` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`since` integer NOT NULL,
	`at` integer NOT NULL
);

CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`subject_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`kind` text NOT NULL,
	`message` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`claimed_by` text,
	`claimed_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`last_status` integer,
	`last_error` text
);

CREATE INDEX `deliveries_subject` ON `deliveries` (`subject_id`);
CREATE INDEX `deliveries_due` ON `deliveries` (`state`,`next_at`);
CREATE INDEX `deliveries_ended` ON `deliveries` (`workspace_id`,`ended_at`,`id`) WHERE "deliveries"."ended_at" is not null;
CREATE INDEX `deliveries_subscriber` ON `deliveries` (`subscriber_id`,`created_at`);
CREATE TABLE `used_links` (
	`question_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`purpose` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`question_id`, `subscriber_id`, `purpose`)
);

CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`token_id` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`agent_name` text,
	`machine_id` text,
	`session_id` text,
	`context` text,
	`url` text,
	`icon_url` text,
	`image_url` text,
	`targeting` text NOT NULL,
	`test` integer NOT NULL,
	`question_id` text,
	`created_at` integer NOT NULL
);

CREATE INDEX `notifications_workspace` ON `notifications` (`workspace_id`,`id`);
CREATE INDEX `notifications_session` ON `notifications` (`workspace_id`,`session_id`,`id`) WHERE "notifications"."session_id" is not null;
CREATE TABLE `policies` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`changes` text NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE TABLE `rules` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`match` text NOT NULL,
	`set` text NOT NULL,
	`decision` text,
	`created_at` integer NOT NULL
);

CREATE INDEX `rules_workspace` ON `rules` (`workspace_id`,`id`);
CREATE TABLE `late_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`question_id` text NOT NULL,
	`value` text NOT NULL,
	`note` text,
	`answer_source` text,
	`answered_by` text,
	`at` integer NOT NULL
);

CREATE INDEX `late_answers_question` ON `late_answers` (`question_id`);
CREATE INDEX `late_answers_at` ON `late_answers` (`workspace_id`,`at`,`id`);
CREATE TABLE `questions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`token_id` text NOT NULL,
	`origin` text NOT NULL,
	`type` text NOT NULL,
	`question` text NOT NULL,
	`choices` text NOT NULL,
	`detail` text NOT NULL,
	`agent_name` text,
	`machine_id` text,
	`session_id` text,
	`repo_key` text,
	`targeting` text NOT NULL,
	`test` integer NOT NULL,
	`held` text,
	`delivery_mode` text NOT NULL,
	`policy_wait_ms` integer NOT NULL,
	`key` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`wait_ends_at` integer NOT NULL,
	`callback_url` text,
	`notification_id` text,
	`abandoned_at` integer,
	`value` text,
	`note` text,
	`answer_source` text,
	`answered_by` text,
	`ended_at` integer,
	`end_reason` text,
	`ended_by_token` text
);

CREATE UNIQUE INDEX `questions_key` ON `questions` (`workspace_id`,`key`);
CREATE INDEX `questions_workspace` ON `questions` (`workspace_id`,`id`);
CREATE INDEX `questions_session` ON `questions` (`workspace_id`,`session_id`,`id`) WHERE "questions"."session_id" is not null;
CREATE INDEX `questions_open` ON `questions` (`status`,`expires_at`);
CREATE INDEX `questions_ended` ON `questions` (`workspace_id`,`ended_at`,`id`) WHERE "questions"."ended_at" is not null;
CREATE INDEX `questions_inbox` ON `questions` (`workspace_id`,`status`,`expires_at`);
CREATE INDEX `questions_abandoned` ON `questions` (`workspace_id`,`abandoned_at`) WHERE "questions"."abandoned_at" is not null;
CREATE TABLE `agent_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`session_id` text NOT NULL,
	`agent_name` text,
	`client` text,
	`repo_key` text,
	`last_action` text,
	`last_seen_at` integer NOT NULL,
	`errored_at` integer,
	`unanswered` integer NOT NULL,
	`created_at` integer NOT NULL
);

CREATE UNIQUE INDEX `agent_sessions_key` ON `agent_sessions` (`workspace_id`,`machine_id`,`session_id`);
CREATE INDEX `agent_sessions_seen` ON `agent_sessions` (`workspace_id`,`last_seen_at`);
CREATE TABLE `presence` (
	`workspace_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`active_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `machine_id`)
);

CREATE TABLE `subscriber_tags` (
	`workspace_id` text NOT NULL,
	`tag` text NOT NULL,
	`subscriber_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `tag`, `subscriber_id`)
);

CREATE INDEX `subscriber_tags_subscriber` ON `subscriber_tags` (`subscriber_id`);
CREATE TABLE `subscribers` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text,
	`kind` text NOT NULL,
	`transport` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text,
	`auth` text,
	`authorization` text,
	`label` text NOT NULL,
	`external_id` text,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`last_success_at` integer,
	`last_error_at` integer,
	`last_error` text,
	`last_shown_at` integer
);

CREATE UNIQUE INDEX `subscribers_endpoint` ON `subscribers` (`workspace_id`,`endpoint`);
CREATE INDEX `subscribers_external` ON `subscribers` (`workspace_id`,`external_id`);
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);

CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
);
