CREATE TABLE "receipts" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"payload" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
