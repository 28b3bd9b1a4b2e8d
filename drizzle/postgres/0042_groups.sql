CREATE TABLE "group_members" (
	"group_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	CONSTRAINT "group_members_group_id_person_id_source_pk" PRIMARY KEY("group_id","person_id","source")
);

CREATE TABLE "groups" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"created_at" bigint NOT NULL
);

CREATE INDEX "group_members_person" ON "group_members" USING btree ("person_id");
CREATE UNIQUE INDEX "groups_name" ON "groups" USING btree ("workspace_id","name");
