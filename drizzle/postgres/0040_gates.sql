CREATE TABLE "gate_tools" (
	"gate_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"definition" text COLLATE "C" NOT NULL,
	"listed" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	"confirmed" text COLLATE "C",
	"last_yes" text COLLATE "C",
	CONSTRAINT "gate_tools_gate_id_name_pk" PRIMARY KEY("gate_id","name")
);

CREATE TABLE "gates" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"server_hash" text COLLATE "C" NOT NULL,
	"server" text COLLATE "C" NOT NULL,
	"machine_id" text COLLATE "C",
	"machine_name" text COLLATE "C",
	"instructions" text COLLATE "C",
	"instructions_hash" text COLLATE "C",
	"confirmed_instructions" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"told_at" bigint
);

CREATE UNIQUE INDEX "gates_server" ON "gates" USING btree ("workspace_id","name","server_hash");
CREATE INDEX "gates_seen" ON "gates" USING btree ("workspace_id","seen_at");
