CREATE TABLE "held_answers" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"ending" text COLLATE "C" NOT NULL,
	"edited" text COLLATE "C",
	"at" bigint NOT NULL
);

ALTER TABLE "members" ADD COLUMN "has_undo" bigint DEFAULT 1 NOT NULL;
ALTER TABLE "questions" ADD COLUMN "answer_held_until" bigint;
CREATE INDEX "questions_answer_held" ON "questions" USING btree ("answer_held_until") WHERE "questions"."answer_held_until" is not null;
