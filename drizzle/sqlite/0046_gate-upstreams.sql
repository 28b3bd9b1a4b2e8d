CREATE TABLE `gate_upstreams` (
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`header_name` text,
	`header_value` text,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `name`)
);

