CREATE TABLE "credentials" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"access_token" text COLLATE "C",
	"refresh_token" text COLLATE "C",
	"id_token" text COLLATE "C",
	"access_token_expires_at" bigint,
	"refresh_token_expires_at" bigint,
	"scope" text COLLATE "C",
	"password" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);

CREATE TABLE "agent_sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"machine_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"agent_name" text COLLATE "C",
	"client" text COLLATE "C",
	"repo_key" text COLLATE "C",
	"branch" text COLLATE "C",
	"intent" text COLLATE "C",
	"machine_name" text COLLATE "C",
	"last_action" text COLLATE "C",
	"last_seen_at" bigint NOT NULL,
	"errored_at" bigint,
	"unanswered" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"test" bigint DEFAULT 0 NOT NULL
);

CREATE TABLE "agent_tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"tail" text COLLATE "C" NOT NULL,
	"test" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text COLLATE "C",
	"revoked_at" bigint,
	"last_used_at" bigint,
	"last_used_from" text COLLATE "C",
	"last_used_client" text COLLATE "C",
	"client_id" text COLLATE "C",
	"connection" text COLLATE "C",
	CONSTRAINT "agent_tokens_hash_unique" UNIQUE("hash")
);

CREATE TABLE "alarms" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"since" bigint NOT NULL,
	"at" bigint NOT NULL
);

CREATE TABLE "audit" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C",
	"person_name" text COLLATE "C",
	"token_id" text COLLATE "C",
	"subject_id" text COLLATE "C",
	"subject_name" text COLLATE "C",
	"detail" text COLLATE "C",
	"seal" bigint
);

CREATE TABLE "audit_seals" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"latest_at" bigint NOT NULL,
	"purged_before" bigint
);

CREATE TABLE "callback_attempts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"callback_id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"status" bigint NOT NULL,
	"error" text COLLATE "C"
);

CREATE TABLE "callback_secrets" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL
);

CREATE TABLE "callbacks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"question_id" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"test" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"attempts" bigint NOT NULL,
	"next_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"claimed_by" text COLLATE "C",
	"claimed_until" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"last_status" bigint,
	"last_error" text COLLATE "C"
);

CREATE TABLE "catalog_drafts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"what" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"drafted_at" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL
);

CREATE TABLE "catalog_facts" (
	"slug" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"seen_at" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	"checked_at" bigint NOT NULL,
	CONSTRAINT "catalog_facts_slug_subject_pk" PRIMARY KEY("slug","subject")
);

CREATE TABLE "catalog_grades" (
	"slug" text COLLATE "C" NOT NULL,
	"place" bigint NOT NULL,
	"sequence" bigint NOT NULL,
	"item" text COLLATE "C" NOT NULL,
	CONSTRAINT "catalog_grades_slug_place_pk" PRIMARY KEY("slug","place")
);

CREATE TABLE "catalog_manifests" (
	"sequence" bigint PRIMARY KEY NOT NULL,
	"revision" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"issued_at" bigint NOT NULL,
	"changed" text COLLATE "C" NOT NULL,
	"removed" text COLLATE "C" NOT NULL,
	"paths" bigint NOT NULL,
	"body" text COLLATE "C",
	"kid" text COLLATE "C" NOT NULL,
	"protected_header" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL
);

CREATE TABLE "catalog_methodologies" (
	"version" text COLLATE "C" PRIMARY KEY NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"sequence" bigint NOT NULL
);

CREATE TABLE "catalog_mirror_blobs" (
	"sha256" text COLLATE "C" PRIMARY KEY NOT NULL,
	"body" "bytea" NOT NULL
);

CREATE TABLE "catalog_mirror_files" (
	"manifest" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	CONSTRAINT "catalog_mirror_files_manifest_path_pk" PRIMARY KEY("manifest","path")
);

CREATE TABLE "catalog_mirrors" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"kid" text COLLATE "C" NOT NULL,
	"allow_stale" bigint NOT NULL,
	"manifest" text COLLATE "C" NOT NULL,
	"previous" text COLLATE "C" NOT NULL,
	"sequence" bigint NOT NULL,
	"revision" text COLLATE "C" NOT NULL,
	"base_url" text COLLATE "C" NOT NULL,
	"issued_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"etag" text COLLATE "C" NOT NULL,
	"fetched_at" bigint NOT NULL,
	"checked_at" bigint NOT NULL,
	"next_at" bigint NOT NULL,
	"failures" bigint NOT NULL,
	"problem" text COLLATE "C" NOT NULL
);

CREATE TABLE "catalog_prices" (
	"slug" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"network" text COLLATE "C" NOT NULL,
	"asset" text COLLATE "C" NOT NULL,
	"price_usd" text COLLATE "C",
	"seen_at" bigint NOT NULL,
	CONSTRAINT "catalog_prices_slug_url_network_asset_seen_at_pk" PRIMARY KEY("slug","url","network","asset","seen_at")
);

CREATE TABLE "catalog_probe_days" (
	"slug" text COLLATE "C" NOT NULL,
	"date" text COLLATE "C" NOT NULL,
	"probes" bigint NOT NULL,
	"ok" bigint NOT NULL,
	CONSTRAINT "catalog_probe_days_slug_date_pk" PRIMARY KEY("slug","date")
);

CREATE TABLE "catalog_probe_results" (
	"slug" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"status" bigint,
	"ms" bigint,
	"auth_required" bigint NOT NULL,
	CONSTRAINT "catalog_probe_results_slug_at_pk" PRIMARY KEY("slug","at")
);

CREATE TABLE "catalog_probe_times" (
	"slug" text COLLATE "C" NOT NULL,
	"probe" text COLLATE "C" NOT NULL,
	"ran_at" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	CONSTRAINT "catalog_probe_times_slug_probe_pk" PRIMARY KEY("slug","probe")
);

CREATE TABLE "catalog_records" (
	"kind" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"added_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "catalog_records_kind_key_pk" PRIMARY KEY("kind","key")
);

CREATE TABLE "catalog_revisions" (
	"sequence" bigint PRIMARY KEY NOT NULL,
	"revision" text COLLATE "C" NOT NULL,
	"published_at" bigint NOT NULL,
	"added" bigint NOT NULL,
	"updated" bigint NOT NULL,
	"removed" bigint NOT NULL
);

CREATE TABLE "connect_codes" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"transport" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL
);

CREATE TABLE "contracts" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"allowed_paths" text COLLATE "C" NOT NULL,
	"off_limits_paths" text COLLATE "C" NOT NULL,
	"promises" text COLLATE "C" NOT NULL,
	"done_when" text COLLATE "C" NOT NULL,
	"edited" bigint NOT NULL,
	"test" bigint NOT NULL,
	"ratified_by" text COLLATE "C",
	"ratified_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);

CREATE TABLE "deliveries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"subscriber_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"message" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"attempts" bigint NOT NULL,
	"next_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"claimed_by" text COLLATE "C",
	"claimed_until" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"last_status" bigint,
	"last_error" text COLLATE "C",
	"shown_at" bigint,
	"opened_at" bigint,
	"message_ref" text COLLATE "C",
	"seal" bigint
);

CREATE TABLE "failovers" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"every_ms" bigint NOT NULL,
	"people" text COLLATE "C" NOT NULL,
	"told" text COLLATE "C" NOT NULL,
	"due_at" bigint
);

CREATE TABLE "grants" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"machine_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"tool_name" text COLLATE "C" NOT NULL,
	"cwd" text COLLATE "C" NOT NULL,
	"arguments_hash" text COLLATE "C" NOT NULL,
	"length" text COLLATE "C" NOT NULL,
	"question_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"agent_name" text COLLATE "C",
	"action" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"uses" bigint DEFAULT 0 NOT NULL,
	"used_at" bigint,
	"ended_at" bigint,
	"ended_because" text COLLATE "C"
);

CREATE TABLE "hooks" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"machine_id" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C",
	"client_version" text COLLATE "C",
	"hook_version" text COLLATE "C",
	"contract_etag" text COLLATE "C",
	"contained" text COLLATE "C",
	"example_paths" text COLLATE "C" NOT NULL,
	"gaps" text COLLATE "C",
	"first_seen_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"ended_at" bigint,
	"missed_at" bigint,
	CONSTRAINT "hooks_workspace_id_session_id_machine_id_pk" PRIMARY KEY("workspace_id","session_id","machine_id")
);

CREATE TABLE "joined_calls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"question_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C",
	"callback_url" text COLLATE "C"
);

CREATE TABLE "late_answers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"question_id" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C",
	"answer_source" text COLLATE "C",
	"answered_by" text COLLATE "C",
	"answered_as" text COLLATE "C",
	"answered_on" text COLLATE "C",
	"at" bigint NOT NULL,
	"seal" bigint
);

CREATE TABLE "leases" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"holder" text COLLATE "C" NOT NULL,
	"until" bigint NOT NULL
);

CREATE TABLE "members" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "members_workspace_id_person_id_pk" PRIMARY KEY("workspace_id","person_id")
);

CREATE TABLE "notifications" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"agent_name" text COLLATE "C",
	"machine_id" text COLLATE "C",
	"session_id" text COLLATE "C",
	"context" text COLLATE "C",
	"url" text COLLATE "C",
	"icon_url" text COLLATE "C",
	"image_url" text COLLATE "C",
	"targeting" text COLLATE "C" NOT NULL,
	"test" bigint NOT NULL,
	"question_id" text COLLATE "C",
	"held" text COLLATE "C",
	"group_id" text COLLATE "C",
	"group_size" bigint,
	"created_at" bigint NOT NULL,
	"key" text COLLATE "C",
	"result" text COLLATE "C",
	"bytes" bigint DEFAULT 0 NOT NULL,
	"seal" bigint
);

CREATE TABLE "oauth_clients" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"redirect_uris" text COLLATE "C" NOT NULL,
	"auth_method" text COLLATE "C" NOT NULL,
	"secret_hash" text COLLATE "C",
	"refreshes" bigint NOT NULL,
	"workspace_id" text COLLATE "C",
	"created_by" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"used_at" bigint,
	"fresh_until" bigint
);

CREATE TABLE "oauth_codes" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"family" text COLLATE "C" NOT NULL,
	"redirect_uri" text COLLATE "C" NOT NULL,
	"challenge" text COLLATE "C" NOT NULL,
	"scopes" text COLLATE "C" NOT NULL,
	"resource" text COLLATE "C" NOT NULL,
	"refreshes" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);

CREATE TABLE "oauth_tokens" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"family" text COLLATE "C" NOT NULL,
	"scopes" text COLLATE "C" NOT NULL,
	"resource" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	"revoked_at" bigint
);

CREATE TABLE "open_pages" (
	"person_id" text COLLATE "C" NOT NULL,
	"page" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"seen_at" bigint NOT NULL,
	CONSTRAINT "open_pages_person_id_page_pk" PRIMARY KEY("person_id","page")
);

CREATE TABLE "pairing_codes" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"pairing_id" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"step" text COLLATE "C" NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	"device" text COLLATE "C",
	"sign_in_id" text COLLATE "C",
	"cancelled_at" bigint
);

CREATE TABLE "passkeys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C",
	"public_key" text COLLATE "C" NOT NULL,
	"credential_id" text COLLATE "C" NOT NULL,
	"counter" bigint NOT NULL,
	"device_type" text COLLATE "C" NOT NULL,
	"backed_up" bigint NOT NULL,
	"transports" text COLLATE "C",
	"created_at" bigint,
	"aaguid" text COLLATE "C",
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);

CREATE TABLE "permits" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"question_id" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"action_hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"consumed_at" bigint,
	"outcome" text COLLATE "C",
	"detail" text COLLATE "C",
	"outcome_at" bigint
);

CREATE TABLE "policies" (
	"workspace_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"changes" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL
);

CREATE TABLE "presence" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"machine_id" text COLLATE "C" NOT NULL,
	"active_at" bigint NOT NULL,
	CONSTRAINT "presence_workspace_id_machine_id_pk" PRIMARY KEY("workspace_id","machine_id")
);

CREATE TABLE "push_counts" (
	"token_id" text COLLATE "C" NOT NULL,
	"recipient" text COLLATE "C" NOT NULL,
	"window_at" bigint NOT NULL,
	"pushes" bigint NOT NULL,
	"questions" bigint NOT NULL,
	"more" bigint NOT NULL,
	"more_questions" bigint NOT NULL,
	"more_subject" text COLLATE "C",
	CONSTRAINT "push_counts_token_id_recipient_pk" PRIMARY KEY("token_id","recipient")
);

CREATE TABLE "questions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"question" text COLLATE "C" NOT NULL,
	"choices" text COLLATE "C" NOT NULL,
	"detail" text COLLATE "C" NOT NULL,
	"agent_name" text COLLATE "C",
	"machine_id" text COLLATE "C",
	"session_id" text COLLATE "C",
	"repo_key" text COLLATE "C",
	"targeting" text COLLATE "C" NOT NULL,
	"test" bigint NOT NULL,
	"held" text COLLATE "C",
	"delivery_mode" text COLLATE "C" NOT NULL,
	"policy_wait_ms" bigint NOT NULL,
	"key" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"wait_ends_at" bigint NOT NULL,
	"callback_url" text COLLATE "C",
	"notification_id" text COLLATE "C",
	"abandoned_at" bigint,
	"value" text COLLATE "C",
	"note" text COLLATE "C",
	"answer_source" text COLLATE "C",
	"answered_by" text COLLATE "C",
	"answered_as" text COLLATE "C",
	"answered_on" text COLLATE "C",
	"ended_at" bigint,
	"end_reason" text COLLATE "C",
	"ended_by_token" text COLLATE "C",
	"bytes" bigint DEFAULT 0 NOT NULL,
	"asked_seal" bigint,
	"ended_seal" bigint
);

CREATE TABLE "rate_limits" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"full_at" bigint NOT NULL
);

CREATE TABLE "receipts" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"payload" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);

CREATE TABLE "reminders" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"every_ms" bigint NOT NULL,
	"sent" bigint NOT NULL,
	"due_at" bigint
);

CREATE TABLE "rules" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"match" text COLLATE "C" NOT NULL,
	"set" text COLLATE "C" NOT NULL,
	"decision" text COLLATE "C",
	"created_at" bigint NOT NULL
);

CREATE TABLE "sign_ins" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"token" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"ip_address" text COLLATE "C",
	"user_agent" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"paired_at" bigint,
	CONSTRAINT "sign_ins_token_unique" UNIQUE("token")
);

CREATE TABLE "settings" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL
);

CREATE TABLE "snoozes" (
	"person_id" text COLLATE "C" NOT NULL,
	"question_id" text COLLATE "C" NOT NULL,
	"until" bigint NOT NULL,
	CONSTRAINT "snoozes_person_id_question_id_pk" PRIMARY KEY("person_id","question_id")
);

CREATE TABLE "subscriber_tags" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"tag" text COLLATE "C" NOT NULL,
	"subscriber_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "subscriber_tags_workspace_id_tag_subscriber_id_pk" PRIMARY KEY("workspace_id","tag","subscriber_id")
);

CREATE TABLE "subscribers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C",
	"kind" text COLLATE "C" NOT NULL,
	"transport" text COLLATE "C" NOT NULL,
	"endpoint" text COLLATE "C" NOT NULL,
	"p256dh" text COLLATE "C",
	"auth" text COLLATE "C",
	"authorization" text COLLATE "C",
	"label" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"user_agent" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"last_success_at" bigint,
	"last_error_at" bigint,
	"last_error" text COLLATE "C",
	"last_shown_at" bigint,
	"last_opened_at" bigint,
	"silent_since" bigint,
	"silent_why" text COLLATE "C",
	"sign_in_id" text COLLATE "C"
);

CREATE TABLE "switched_off" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"sort" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	CONSTRAINT "switched_off_workspace_id_person_id_sort_kind_pk" PRIMARY KEY("workspace_id","person_id","sort","kind")
);

CREATE TABLE "question_tallied" (
	"workspace_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"until" bigint NOT NULL
);

CREATE TABLE "question_tallies" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"repo_key" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"by_person" bigint NOT NULL,
	"by_rule" bigint NOT NULL,
	"unanswered" bigint NOT NULL,
	"withdrawn" bigint NOT NULL,
	"times" text COLLATE "C" NOT NULL,
	CONSTRAINT "question_tallies_workspace_id_repo_key_at_pk" PRIMARY KEY("workspace_id","repo_key","at")
);

CREATE TABLE "token_usage" (
	"token_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"open_questions" bigint NOT NULL,
	"kept_bytes" bigint NOT NULL,
	"recent_bytes" bigint NOT NULL,
	"recent_at" bigint NOT NULL
);

CREATE TABLE "unsigned_receipts" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"delivery_mode" text COLLATE "C" NOT NULL,
	"wait_ms" bigint NOT NULL,
	"decided_at" bigint NOT NULL
);

CREATE TABLE "used_links" (
	"question_id" text COLLATE "C" NOT NULL,
	"subscriber_id" text COLLATE "C" NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "used_links_question_id_subscriber_id_purpose_pk" PRIMARY KEY("question_id","subscriber_id","purpose")
);

CREATE TABLE "people" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_verified" bigint NOT NULL,
	"image" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "people_email_unique" UNIQUE("email")
);

CREATE TABLE "verifications" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"identifier" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"invited_by" text COLLATE "C"
);

CREATE TABLE "widenings" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"contract_id" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL
);

CREATE TABLE "workspaces" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "workspaces_name_unique" UNIQUE("name")
);

CREATE INDEX "credentials_user" ON "credentials" USING btree ("user_id");
CREATE UNIQUE INDEX "agent_sessions_key" ON "agent_sessions" USING btree ("workspace_id","machine_id","session_id");
CREATE INDEX "agent_sessions_seen" ON "agent_sessions" USING btree ("workspace_id","last_seen_at");
CREATE INDEX "agent_sessions_repository" ON "agent_sessions" USING btree ("workspace_id","repo_key","last_seen_at") WHERE "agent_sessions"."repo_key" is not null;
CREATE INDEX "agent_tokens_workspace" ON "agent_tokens" USING btree ("workspace_id","id");
CREATE INDEX "agent_tokens_client" ON "agent_tokens" USING btree ("client_id") WHERE "agent_tokens"."client_id" is not null;
CREATE INDEX "audit_workspace" ON "audit" USING btree ("workspace_id","at","id");
CREATE INDEX "audit_subject" ON "audit" USING btree ("subject_id");
CREATE INDEX "audit_at" ON "audit" USING btree ("at","id");
CREATE INDEX "audit_seal" ON "audit" USING btree ("seal","at","id");
CREATE INDEX "callback_attempts_callback" ON "callback_attempts" USING btree ("callback_id","at");
CREATE INDEX "callback_secrets_workspace" ON "callback_secrets" USING btree ("workspace_id","ends_at");
CREATE INDEX "callbacks_question" ON "callbacks" USING btree ("question_id");
CREATE INDEX "callbacks_workspace" ON "callbacks" USING btree ("workspace_id","id");
CREATE INDEX "callbacks_due" ON "callbacks" USING btree ("state","next_at");
CREATE INDEX "catalog_mirror_files_sha256" ON "catalog_mirror_files" USING btree ("sha256");
CREATE INDEX "catalog_probe_days_date" ON "catalog_probe_days" USING btree ("date");
CREATE INDEX "catalog_probe_results_at" ON "catalog_probe_results" USING btree ("at");
CREATE INDEX "catalog_revisions_revision" ON "catalog_revisions" USING btree ("revision");
CREATE INDEX "connect_codes_person" ON "connect_codes" USING btree ("person_id","transport");
CREATE INDEX "contracts_session" ON "contracts" USING btree ("workspace_id","session_id","test","ratified_at","question_id");
CREATE INDEX "deliveries_subject" ON "deliveries" USING btree ("subject_id");
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("state","next_at");
CREATE INDEX "deliveries_ended" ON "deliveries" USING btree ("workspace_id","ended_at","id") WHERE "deliveries"."ended_at" is not null;
CREATE INDEX "deliveries_subscriber" ON "deliveries" USING btree ("subscriber_id","created_at");
CREATE INDEX "deliveries_unsealed" ON "deliveries" USING btree ("id") WHERE "deliveries"."seal" is null;
CREATE INDEX "failovers_due" ON "failovers" USING btree ("due_at");
CREATE INDEX "grants_live" ON "grants" USING btree ("workspace_id","session_id","arguments_hash") WHERE "grants"."ended_at" is null;
CREATE INDEX "grants_ended" ON "grants" USING btree ("expires_at");
CREATE INDEX "hooks_seen" ON "hooks" USING btree ("workspace_id","last_seen_at");
CREATE INDEX "hooks_last_seen" ON "hooks" USING btree ("last_seen_at");
CREATE INDEX "joined_calls_question" ON "joined_calls" USING btree ("question_id");
CREATE INDEX "joined_calls_key" ON "joined_calls" USING btree ("workspace_id","key") WHERE "joined_calls"."key" is not null;
CREATE INDEX "late_answers_question" ON "late_answers" USING btree ("question_id");
CREATE INDEX "late_answers_at" ON "late_answers" USING btree ("workspace_id","at","id");
CREATE INDEX "late_answers_unsealed" ON "late_answers" USING btree ("id") WHERE "late_answers"."seal" is null;
CREATE INDEX "members_person" ON "members" USING btree ("person_id");
CREATE UNIQUE INDEX "notifications_key" ON "notifications" USING btree ("workspace_id","key") WHERE "notifications"."key" is not null;
CREATE INDEX "notifications_workspace" ON "notifications" USING btree ("workspace_id","id");
CREATE INDEX "notifications_session" ON "notifications" USING btree ("workspace_id","session_id","id") WHERE "notifications"."session_id" is not null;
CREATE INDEX "notifications_token" ON "notifications" USING btree ("token_id","id","bytes");
CREATE INDEX "notifications_group" ON "notifications" USING btree ("group_id","id") WHERE "notifications"."group_id" is not null;
CREATE INDEX "notifications_unsealed" ON "notifications" USING btree ("id") WHERE "notifications"."seal" is null;
CREATE INDEX "oauth_clients_age" ON "oauth_clients" USING btree ("kind","created_at");
CREATE INDEX "oauth_codes_expiry" ON "oauth_codes" USING btree ("expires_at");
CREATE INDEX "oauth_tokens_family" ON "oauth_tokens" USING btree ("family");
CREATE INDEX "oauth_tokens_expiry" ON "oauth_tokens" USING btree ("expires_at");
CREATE INDEX "open_pages_seen" ON "open_pages" USING btree ("workspace_id","seen_at");
CREATE INDEX "pairing_codes_pairing" ON "pairing_codes" USING btree ("pairing_id");
CREATE INDEX "pairing_codes_person" ON "pairing_codes" USING btree ("person_id");
CREATE INDEX "pairing_codes_expiry" ON "pairing_codes" USING btree ("expires_at");
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");
CREATE UNIQUE INDEX "permits_question" ON "permits" USING btree ("question_id");
CREATE UNIQUE INDEX "questions_key" ON "questions" USING btree ("workspace_id","key") WHERE "questions"."key" is not null;
CREATE INDEX "questions_workspace" ON "questions" USING btree ("workspace_id","id");
CREATE INDEX "questions_session" ON "questions" USING btree ("workspace_id","session_id","id") WHERE "questions"."session_id" is not null;
CREATE INDEX "questions_repository" ON "questions" USING btree ("workspace_id","repo_key","id") WHERE "questions"."repo_key" is not null;
CREATE INDEX "questions_open" ON "questions" USING btree ("expires_at") WHERE "questions"."status" = 'pending';
CREATE INDEX "questions_ended" ON "questions" USING btree ("workspace_id","ended_at","id") WHERE "questions"."ended_at" is not null;
CREATE INDEX "questions_token" ON "questions" USING btree ("token_id","id","bytes","status") WHERE "questions"."status" <> 'pending';
CREATE INDEX "questions_inbox" ON "questions" USING btree ("workspace_id","expires_at","token_id","bytes","status") WHERE "questions"."status" = 'pending';
CREATE INDEX "questions_twins" ON "questions" USING btree ("token_id","question") WHERE "questions"."status" = 'pending';
CREATE INDEX "questions_asked_unsealed" ON "questions" USING btree ("id") WHERE "questions"."asked_seal" is null;
CREATE INDEX "questions_ended_unsealed" ON "questions" USING btree ("id") WHERE "questions"."ended_seal" is null and "questions"."status" <> 'pending';
CREATE INDEX "reminders_due" ON "reminders" USING btree ("due_at");
CREATE INDEX "rules_workspace" ON "rules" USING btree ("workspace_id","id");
CREATE INDEX "sign_ins_user" ON "sign_ins" USING btree ("user_id");
CREATE INDEX "snoozes_until" ON "snoozes" USING btree ("until");
CREATE INDEX "snoozes_question" ON "snoozes" USING btree ("question_id");
CREATE INDEX "subscriber_tags_subscriber" ON "subscriber_tags" USING btree ("subscriber_id");
CREATE UNIQUE INDEX "subscribers_endpoint" ON "subscribers" USING btree ("workspace_id","endpoint");
CREATE INDEX "subscribers_external" ON "subscribers" USING btree ("workspace_id","external_id");
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");
CREATE INDEX "widenings_contract" ON "widenings" USING btree ("contract_id","at","question_id");
