CREATE TABLE "instructions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"session" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"person_name" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"handed_over_at" bigint,
	"taken_at" bigint,
	"ended_at" bigint
);

CREATE TABLE "quick_replies" (
	"person_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"texts" text COLLATE "C" NOT NULL
);

CREATE TABLE "turn_holds" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C" NOT NULL,
	"on" bigint NOT NULL,
	CONSTRAINT "turn_holds_workspace_id_client_pk" PRIMARY KEY("workspace_id","client")
);

CREATE TABLE "turns" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"machine_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"since" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"last_words" text COLLATE "C",
	"duration_ms" bigint,
	"files_changed" bigint,
	"told_at" bigint,
	"door" text COLLATE "C",
	"held_until" bigint,
	"let_go" text COLLATE "C",
	"in_row" bigint NOT NULL
);

CREATE INDEX "instructions_session" ON "instructions" USING btree ("session","id");
CREATE INDEX "turns_seen" ON "turns" USING btree ("workspace_id","seen_at");
