CREATE TABLE "gate_upstreams" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"header_name" text COLLATE "C",
	"header_value" text COLLATE "C",
	"changed_at" bigint NOT NULL,
	CONSTRAINT "gate_upstreams_workspace_id_name_pk" PRIMARY KEY("workspace_id","name")
);

