CREATE TABLE "directories" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);

CREATE TABLE "directory_people" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"directory_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"user_name" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"attributes" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"deleted_at" bigint
);

CREATE TABLE "directory_tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"directory_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"tail" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	CONSTRAINT "directory_tokens_hash_unique" UNIQUE("hash")
);

CREATE INDEX "directories_workspace" ON "directories" USING btree ("workspace_id");
CREATE UNIQUE INDEX "directory_people_name" ON "directory_people" USING btree ("directory_id","user_name");
CREATE INDEX "directory_people_person" ON "directory_people" USING btree ("person_id");
CREATE INDEX "directory_tokens_directory" ON "directory_tokens" USING btree ("directory_id");
