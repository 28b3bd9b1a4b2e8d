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
CREATE TABLE `agent_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`session_id` text NOT NULL,
	`agent_name` text,
	`client` text,
	`repo_key` text,
	`branch` text,
	`intent` text,
	`machine_name` text,
	`last_action` text,
	`last_seen_at` integer NOT NULL,
	`errored_at` integer,
	`unanswered` integer NOT NULL,
	`created_at` integer NOT NULL,
	`test` integer DEFAULT false NOT NULL
);

CREATE UNIQUE INDEX `agent_sessions_key` ON `agent_sessions` (`workspace_id`,`machine_id`,`session_id`);
CREATE INDEX `agent_sessions_seen` ON `agent_sessions` (`workspace_id`,`last_seen_at`);
CREATE INDEX `agent_sessions_repository` ON `agent_sessions` (`workspace_id`,`repo_key`,`last_seen_at`) WHERE "agent_sessions"."repo_key" is not null;
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
	`last_used_client` text,
	`client_id` text,
	`connection` text
);

CREATE UNIQUE INDEX `agent_tokens_hash_unique` ON `agent_tokens` (`hash`);
CREATE INDEX `agent_tokens_workspace` ON `agent_tokens` (`workspace_id`,`id`);
CREATE INDEX `agent_tokens_client` ON `agent_tokens` (`client_id`) WHERE "agent_tokens"."client_id" is not null;
CREATE TABLE `alarms` (
	`name` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`since` integer NOT NULL,
	`at` integer NOT NULL
);

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
	`detail` text,
	`seal` integer
);

CREATE INDEX `audit_workspace` ON `audit` (`workspace_id`,`at`,`id`);
CREATE INDEX `audit_subject` ON `audit` (`subject_id`);
CREATE INDEX `audit_at` ON `audit` (`at`,`id`);
CREATE INDEX `audit_seal` ON `audit` (`seal`,`at`,`id`);
CREATE TABLE `audit_seals` (
	`seq` integer PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`signature` text NOT NULL,
	`latest_at` integer NOT NULL,
	`purged_before` integer
);

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

CREATE INDEX `callbacks_question` ON `callbacks` (`question_id`);
CREATE INDEX `callbacks_workspace` ON `callbacks` (`workspace_id`,`id`);
CREATE INDEX `callbacks_due` ON `callbacks` (`state`,`next_at`);
CREATE TABLE `catalog_drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`kind` text NOT NULL,
	`what` text NOT NULL,
	`source` text NOT NULL,
	`drafted_at` integer NOT NULL,
	`state` text NOT NULL
);

CREATE TABLE `catalog_facts` (
	`slug` text NOT NULL,
	`subject` text NOT NULL,
	`value` text NOT NULL,
	`seen_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	PRIMARY KEY(`slug`, `subject`)
);

CREATE TABLE `catalog_grades` (
	`slug` text NOT NULL,
	`place` integer NOT NULL,
	`sequence` integer NOT NULL,
	`item` text NOT NULL,
	PRIMARY KEY(`slug`, `place`)
);

CREATE TABLE `catalog_manifests` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`revision` text NOT NULL,
	`sha256` text NOT NULL,
	`issued_at` integer NOT NULL,
	`changed` text NOT NULL,
	`removed` text NOT NULL,
	`paths` integer NOT NULL,
	`body` text,
	`kid` text NOT NULL,
	`protected_header` text NOT NULL,
	`signature` text NOT NULL
);

CREATE TABLE `catalog_methodologies` (
	`version` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`sequence` integer NOT NULL
);

CREATE TABLE `catalog_mirror_blobs` (
	`sha256` text PRIMARY KEY NOT NULL,
	`body` blob NOT NULL
);

CREATE TABLE `catalog_mirror_files` (
	`manifest` text NOT NULL,
	`path` text NOT NULL,
	`type` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`manifest`, `path`)
);

CREATE INDEX `catalog_mirror_files_sha256` ON `catalog_mirror_files` (`sha256`);
CREATE TABLE `catalog_mirrors` (
	`name` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`kid` text NOT NULL,
	`allow_stale` integer NOT NULL,
	`manifest` text NOT NULL,
	`previous` text NOT NULL,
	`sequence` integer NOT NULL,
	`revision` text NOT NULL,
	`base_url` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`etag` text NOT NULL,
	`fetched_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`failures` integer NOT NULL,
	`problem` text NOT NULL
);

CREATE TABLE `catalog_prices` (
	`slug` text NOT NULL,
	`url` text NOT NULL,
	`network` text NOT NULL,
	`asset` text NOT NULL,
	`price_usd` text,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`slug`, `url`, `network`, `asset`, `seen_at`)
);

CREATE TABLE `catalog_probe_days` (
	`slug` text NOT NULL,
	`date` text NOT NULL,
	`probes` integer NOT NULL,
	`ok` integer NOT NULL,
	PRIMARY KEY(`slug`, `date`)
);

CREATE INDEX `catalog_probe_days_date` ON `catalog_probe_days` (`date`);
CREATE TABLE `catalog_probe_results` (
	`slug` text NOT NULL,
	`at` integer NOT NULL,
	`outcome` text NOT NULL,
	`status` integer,
	`ms` integer,
	`auth_required` integer NOT NULL,
	PRIMARY KEY(`slug`, `at`)
);

CREATE INDEX `catalog_probe_results_at` ON `catalog_probe_results` (`at`);
CREATE TABLE `catalog_probe_times` (
	`slug` text NOT NULL,
	`probe` text NOT NULL,
	`ran_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`slug`, `probe`)
);

CREATE TABLE `catalog_records` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	`added_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `key`)
);

CREATE TABLE `catalog_revisions` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`revision` text NOT NULL,
	`published_at` integer NOT NULL,
	`added` integer NOT NULL,
	`updated` integer NOT NULL,
	`removed` integer NOT NULL
);

CREATE INDEX `catalog_revisions_revision` ON `catalog_revisions` (`revision`);
CREATE TABLE `connect_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`transport` text NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE INDEX `connect_codes_person` ON `connect_codes` (`person_id`,`transport`);
CREATE TABLE `contracts` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`session_id` text NOT NULL,
	`allowed_paths` text NOT NULL,
	`off_limits_paths` text NOT NULL,
	`promises` text NOT NULL,
	`done_when` text NOT NULL,
	`edited` integer NOT NULL,
	`test` integer NOT NULL,
	`ratified_by` text,
	`ratified_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE INDEX `contracts_session` ON `contracts` (`workspace_id`,`session_id`,`test`,`ratified_at`,`question_id`);
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
	`last_error` text,
	`shown_at` integer,
	`opened_at` integer,
	`message_ref` text,
	`seal` integer
);

CREATE INDEX `deliveries_subject` ON `deliveries` (`subject_id`);
CREATE INDEX `deliveries_due` ON `deliveries` (`state`,`next_at`);
CREATE INDEX `deliveries_ended` ON `deliveries` (`workspace_id`,`ended_at`,`id`) WHERE "deliveries"."ended_at" is not null;
CREATE INDEX `deliveries_subscriber` ON `deliveries` (`subscriber_id`,`created_at`);
CREATE INDEX `deliveries_unsealed` ON `deliveries` (`id`) WHERE "deliveries"."seal" is null;
CREATE TABLE `failovers` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`every_ms` integer NOT NULL,
	`people` text NOT NULL,
	`told` text NOT NULL,
	`due_at` integer
);

CREATE INDEX `failovers_due` ON `failovers` (`due_at`);
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`token_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`session_id` text NOT NULL,
	`tool_name` text NOT NULL,
	`cwd` text NOT NULL,
	`arguments_hash` text NOT NULL,
	`length` text NOT NULL,
	`question_id` text NOT NULL,
	`person_id` text NOT NULL,
	`agent_name` text,
	`action` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`uses` integer DEFAULT 0 NOT NULL,
	`used_at` integer,
	`ended_at` integer,
	`ended_because` text
);

CREATE INDEX `grants_live` ON `grants` (`workspace_id`,`session_id`,`arguments_hash`) WHERE "grants"."ended_at" is null;
CREATE INDEX `grants_ended` ON `grants` (`expires_at`);
CREATE TABLE `hooks` (
	`workspace_id` text NOT NULL,
	`session_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`client` text NOT NULL,
	`token_id` text,
	`client_version` text,
	`hook_version` text,
	`contract_etag` text,
	`contained` text,
	`example_paths` text NOT NULL,
	`gaps` text,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`ended_at` integer,
	`missed_at` integer,
	PRIMARY KEY(`workspace_id`, `session_id`, `machine_id`)
);

CREATE INDEX `hooks_seen` ON `hooks` (`workspace_id`,`last_seen_at`);
CREATE INDEX `hooks_last_seen` ON `hooks` (`last_seen_at`);
CREATE TABLE `joined_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`question_id` text NOT NULL,
	`key` text,
	`callback_url` text
);

CREATE INDEX `joined_calls_question` ON `joined_calls` (`question_id`);
CREATE INDEX `joined_calls_key` ON `joined_calls` (`workspace_id`,`key`) WHERE "joined_calls"."key" is not null;
CREATE TABLE `late_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`question_id` text NOT NULL,
	`value` text NOT NULL,
	`note` text,
	`answer_source` text,
	`answered_by` text,
	`answered_as` text,
	`answered_on` text,
	`at` integer NOT NULL,
	`seal` integer
);

CREATE INDEX `late_answers_question` ON `late_answers` (`question_id`);
CREATE INDEX `late_answers_at` ON `late_answers` (`workspace_id`,`at`,`id`);
CREATE INDEX `late_answers_unsealed` ON `late_answers` (`id`) WHERE "late_answers"."seal" is null;
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);

CREATE TABLE `members` (
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `person_id`)
);

CREATE INDEX `members_person` ON `members` (`person_id`);
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
	`held` text,
	`group_id` text,
	`group_size` integer,
	`created_at` integer NOT NULL,
	`key` text,
	`result` text,
	`bytes` integer DEFAULT 0 NOT NULL,
	`seal` integer
);

CREATE UNIQUE INDEX `notifications_key` ON `notifications` (`workspace_id`,`key`) WHERE "notifications"."key" is not null;
CREATE INDEX `notifications_workspace` ON `notifications` (`workspace_id`,`id`);
CREATE INDEX `notifications_session` ON `notifications` (`workspace_id`,`session_id`,`id`) WHERE "notifications"."session_id" is not null;
CREATE INDEX `notifications_token` ON `notifications` (`token_id`,`id`,`bytes`);
CREATE INDEX `notifications_group` ON `notifications` (`group_id`,`id`) WHERE "notifications"."group_id" is not null;
CREATE INDEX `notifications_unsealed` ON `notifications` (`id`) WHERE "notifications"."seal" is null;
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
CREATE TABLE `open_pages` (
	`person_id` text NOT NULL,
	`page` text NOT NULL,
	`workspace_id` text NOT NULL,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`person_id`, `page`)
);

CREATE INDEX `open_pages_seen` ON `open_pages` (`workspace_id`,`seen_at`);
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
CREATE TABLE `permits` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`question_id` text NOT NULL,
	`token_id` text NOT NULL,
	`action_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	`outcome` text,
	`detail` text,
	`outcome_at` integer
);

CREATE UNIQUE INDEX `permits_question` ON `permits` (`question_id`);
CREATE TABLE `policies` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`changes` text NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE TABLE `presence` (
	`workspace_id` text NOT NULL,
	`machine_id` text NOT NULL,
	`active_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `machine_id`)
);

CREATE TABLE `push_counts` (
	`token_id` text NOT NULL,
	`recipient` text NOT NULL,
	`window_at` integer NOT NULL,
	`pushes` integer NOT NULL,
	`questions` integer NOT NULL,
	`more` integer NOT NULL,
	`more_questions` integer NOT NULL,
	`more_subject` text,
	PRIMARY KEY(`token_id`, `recipient`)
);

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
	`answered_as` text,
	`answered_on` text,
	`ended_at` integer,
	`end_reason` text,
	`ended_by_token` text,
	`bytes` integer DEFAULT 0 NOT NULL,
	`asked_seal` integer,
	`ended_seal` integer
);

CREATE UNIQUE INDEX `questions_key` ON `questions` (`workspace_id`,`key`) WHERE "questions"."key" is not null;
CREATE INDEX `questions_workspace` ON `questions` (`workspace_id`,`id`);
CREATE INDEX `questions_session` ON `questions` (`workspace_id`,`session_id`,`id`) WHERE "questions"."session_id" is not null;
CREATE INDEX `questions_repository` ON `questions` (`workspace_id`,`repo_key`,`id`) WHERE "questions"."repo_key" is not null;
CREATE INDEX `questions_open` ON `questions` (`expires_at`) WHERE "questions"."status" = 'pending';
CREATE INDEX `questions_ended` ON `questions` (`workspace_id`,`ended_at`,`id`) WHERE "questions"."ended_at" is not null;
CREATE INDEX `questions_token` ON `questions` (`token_id`,`id`,`bytes`,`status`) WHERE "questions"."status" <> 'pending';
CREATE INDEX `questions_inbox` ON `questions` (`workspace_id`,`expires_at`,`token_id`,`bytes`,`status`) WHERE "questions"."status" = 'pending';
CREATE INDEX `questions_twins` ON `questions` (`token_id`,`question`) WHERE "questions"."status" = 'pending';
CREATE INDEX `questions_asked_unsealed` ON `questions` (`id`) WHERE "questions"."asked_seal" is null;
CREATE INDEX `questions_ended_unsealed` ON `questions` (`id`) WHERE "questions"."ended_seal" is null and "questions"."status" <> 'pending';
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`full_at` integer NOT NULL
);

CREATE TABLE `receipts` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`payload` text NOT NULL,
	`signature` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE TABLE `reminders` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`every_ms` integer NOT NULL,
	`sent` integer NOT NULL,
	`due_at` integer
);

CREATE INDEX `reminders_due` ON `reminders` (`due_at`);
CREATE TABLE `rules` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`match` text NOT NULL,
	`set` text NOT NULL,
	`decision` text,
	`created_at` integer NOT NULL
);

CREATE INDEX `rules_workspace` ON `rules` (`workspace_id`,`id`);
CREATE TABLE `sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`token` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`paired_at` integer
);

CREATE UNIQUE INDEX `sign_ins_token_unique` ON `sign_ins` (`token`);
CREATE INDEX `sign_ins_user` ON `sign_ins` (`user_id`);
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE TABLE `snoozes` (
	`person_id` text NOT NULL,
	`question_id` text NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`person_id`, `question_id`)
);

CREATE INDEX `snoozes_until` ON `snoozes` (`until`);
CREATE INDEX `snoozes_question` ON `snoozes` (`question_id`);
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
	`last_shown_at` integer,
	`last_opened_at` integer,
	`silent_since` integer,
	`silent_why` text,
	`sign_in_id` text
);

CREATE UNIQUE INDEX `subscribers_endpoint` ON `subscribers` (`workspace_id`,`endpoint`);
CREATE INDEX `subscribers_external` ON `subscribers` (`workspace_id`,`external_id`);
CREATE TABLE `switched_off` (
	`workspace_id` text NOT NULL,
	`person_id` text NOT NULL,
	`sort` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `person_id`, `sort`, `kind`)
);

CREATE TABLE `question_tallied` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);

CREATE TABLE `question_tallies` (
	`workspace_id` text NOT NULL,
	`repo_key` text NOT NULL,
	`at` integer NOT NULL,
	`by_person` integer NOT NULL,
	`by_rule` integer NOT NULL,
	`unanswered` integer NOT NULL,
	`withdrawn` integer NOT NULL,
	`times` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `repo_key`, `at`)
);

CREATE TABLE `token_usage` (
	`token_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`open_questions` integer NOT NULL,
	`kept_bytes` integer NOT NULL,
	`recent_bytes` integer NOT NULL,
	`recent_at` integer NOT NULL
);

CREATE TABLE `unsigned_receipts` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`delivery_mode` text NOT NULL,
	`wait_ms` integer NOT NULL,
	`decided_at` integer NOT NULL
);

CREATE TABLE `used_links` (
	`question_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`purpose` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`question_id`, `subscriber_id`, `purpose`)
);

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
	`updated_at` integer NOT NULL,
	`invited_by` text
);

CREATE INDEX `verifications_identifier` ON `verifications` (`identifier`);
CREATE TABLE `widenings` (
	`question_id` text PRIMARY KEY NOT NULL,
	`contract_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`path` text NOT NULL,
	`at` integer NOT NULL
);

CREATE INDEX `widenings_contract` ON `widenings` (`contract_id`,`at`,`question_id`);
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE UNIQUE INDEX `workspaces_name_unique` ON `workspaces` (`name`);
