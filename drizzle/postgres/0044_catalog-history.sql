CREATE TABLE "catalog_history" (
	"slug" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "catalog_history_slug_kind_subject_at_pk" PRIMARY KEY("slug","kind","subject","at")
);

CREATE TABLE "catalog_tool_definitions" (
	"slug" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"definition" text COLLATE "C",
	"seen_at" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "catalog_tool_definitions_slug_name_pk" PRIMARY KEY("slug","name")
);

