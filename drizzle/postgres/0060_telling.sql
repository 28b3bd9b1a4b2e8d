CREATE TABLE "claims" (
	"question_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"until" bigint NOT NULL,
	CONSTRAINT "claims_question_id_person_id_pk" PRIMARY KEY("question_id","person_id")
);

CREATE TABLE "own_quiet_hours" (
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"hours" text COLLATE "C" NOT NULL,
	CONSTRAINT "own_quiet_hours_workspace_id_person_id_pk" PRIMARY KEY("workspace_id","person_id")
);

ALTER TABLE "failovers" ADD COLUMN "steps" text COLLATE "C";
ALTER TABLE "failovers" ADD COLUMN "waiting" text COLLATE "C";
ALTER TABLE "failovers" ADD COLUMN "step_at" bigint;
CREATE INDEX "claims_person" ON "claims" USING btree ("person_id","until");
