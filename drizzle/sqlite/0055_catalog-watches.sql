CREATE TABLE `watch_news` (
	`subject` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`item` text NOT NULL,
	`noticed_at` integer NOT NULL
);

CREATE INDEX `watch_news_number` ON `watch_news` (`number`);
CREATE TABLE `watch_posts` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`watch_id` text NOT NULL,
	`url` text NOT NULL,
	`origin` text NOT NULL,
	`body` text NOT NULL,
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

CREATE INDEX `watch_posts_watch` ON `watch_posts` (`watch_id`);
CREATE INDEX `watch_posts_due` ON `watch_posts` (`state`,`next_at`);
CREATE TABLE `watches` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`person_id` text,
	`token_id` text,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`records` text NOT NULL,
	`news` text NOT NULL,
	`url` text,
	`secret` text,
	`created_at` integer NOT NULL,
	`up_to` integer NOT NULL,
	`stopped_at` integer,
	`stopped_why` text
);

CREATE INDEX `watches_person` ON `watches` (`workspace_id`,`person_id`);
CREATE INDEX `watches_token` ON `watches` (`token_id`);
CREATE INDEX `watches_up_to` ON `watches` (`up_to`);
