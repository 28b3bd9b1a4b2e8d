CREATE TABLE "votes" (
	"question_id" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C",
	"source" text COLLATE "C",
	"proof" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	CONSTRAINT "votes_question_id_person_id_pk" PRIMARY KEY("question_id","person_id")
);

ALTER TABLE "questions" ADD COLUMN "requirement" text COLLATE "C";
ALTER TABLE "rules" ADD COLUMN "approve" text COLLATE "C";
CREATE INDEX "votes_person" ON "votes" USING btree ("person_id");
