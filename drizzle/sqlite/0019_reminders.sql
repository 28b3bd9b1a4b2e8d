CREATE TABLE `reminders` (
	`question_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`every_ms` integer NOT NULL,
	`sent` integer NOT NULL,
	`due_at` integer
);

CREATE INDEX `reminders_due` ON `reminders` (`due_at`);