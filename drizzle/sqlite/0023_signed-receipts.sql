CREATE TABLE `receipts` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`payload` text NOT NULL,
	`signature` text NOT NULL,
	`created_at` integer NOT NULL
);
