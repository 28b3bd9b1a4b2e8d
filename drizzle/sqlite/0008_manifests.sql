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
