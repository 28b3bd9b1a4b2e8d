CREATE TABLE `rota_feeds` (
	`rota_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`etag` text,
	`read_at` integer,
	`tried_at` integer,
	`problem` text,
	`shifts` text NOT NULL
);

CREATE INDEX `rota_feeds_tried` ON `rota_feeds` (`tried_at`);
CREATE TABLE `rota_overrides` (
	`id` text PRIMARY KEY NOT NULL,
	`rota_id` text NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `rota_overrides_rota` ON `rota_overrides` (`rota_id`,`to_at`);
CREATE INDEX `rota_overrides_end` ON `rota_overrides` (`to_at`);
CREATE TABLE `rotas` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`source` text NOT NULL,
	`zone` text NOT NULL,
	`schedule` text,
	`created_at` integer NOT NULL
);

CREATE UNIQUE INDEX `rotas_name` ON `rotas` (`workspace_id`,`name`);
