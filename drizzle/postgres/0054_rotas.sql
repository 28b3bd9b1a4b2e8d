CREATE TABLE "rota_feeds" (
	"rota_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"etag" text COLLATE "C",
	"read_at" bigint,
	"tried_at" bigint,
	"problem" text COLLATE "C",
	"shifts" text COLLATE "C" NOT NULL
);

CREATE TABLE "rota_overrides" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"rota_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"from_at" bigint NOT NULL,
	"to_at" bigint NOT NULL,
	"created_at" bigint NOT NULL
);

CREATE TABLE "rotas" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"zone" text COLLATE "C" NOT NULL,
	"schedule" text COLLATE "C",
	"created_at" bigint NOT NULL
);

CREATE INDEX "rota_feeds_tried" ON "rota_feeds" USING btree ("tried_at");
CREATE INDEX "rota_overrides_rota" ON "rota_overrides" USING btree ("rota_id","to_at");
CREATE INDEX "rota_overrides_end" ON "rota_overrides" USING btree ("to_at");
CREATE UNIQUE INDEX "rotas_name" ON "rotas" USING btree ("workspace_id","name");
