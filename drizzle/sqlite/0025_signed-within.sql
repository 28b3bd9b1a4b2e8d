CREATE TABLE `unsigned_receipts` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`delivery_mode` text NOT NULL,
	`wait_ms` integer NOT NULL,
	`decided_at` integer NOT NULL
);
