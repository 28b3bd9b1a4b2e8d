CREATE TABLE "unsigned_receipts" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"delivery_mode" text COLLATE "C" NOT NULL,
	"wait_ms" bigint NOT NULL,
	"decided_at" bigint NOT NULL
);

