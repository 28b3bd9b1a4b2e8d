CREATE TABLE "viewers" (
	"subject_id" text COLLATE "C" NOT NULL,
	"who" text COLLATE "C" NOT NULL,
	CONSTRAINT "viewers_subject_id_who_pk" PRIMARY KEY("subject_id","who")
);

ALTER TABLE "agent_sessions" ADD COLUMN "token_id" text COLLATE "C";
ALTER TABLE "workspaces" ADD COLUMN "visibility" text COLLATE "C" DEFAULT 'workspace' NOT NULL;
CREATE INDEX "viewers_who" ON "viewers" USING btree ("who","subject_id");
