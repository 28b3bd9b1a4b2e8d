CREATE TABLE "policy_tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"tail" text COLLATE "C" NOT NULL,
	"may" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	CONSTRAINT "policy_tokens_hash_unique" UNIQUE("hash")
);

CREATE INDEX "policy_tokens_workspace" ON "policy_tokens" USING btree ("workspace_id");
