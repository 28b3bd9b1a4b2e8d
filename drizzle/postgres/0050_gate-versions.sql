CREATE TABLE "gate_listings" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"tools" text COLLATE "C" NOT NULL,
	"listed_at" bigint NOT NULL
);

CREATE TABLE "gate_versions" (
	"gate_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"definition" text COLLATE "C" NOT NULL,
	"confirmed" text COLLATE "C",
	"last_yes" text COLLATE "C",
	"seen_at" bigint NOT NULL,
	CONSTRAINT "gate_versions_gate_id_name_fingerprint_pk" PRIMARY KEY("gate_id","name","fingerprint")
);

CREATE INDEX "gate_listings_listed" ON "gate_listings" USING btree ("listed_at");
CREATE INDEX "gate_versions_seen" ON "gate_versions" USING btree ("seen_at");
