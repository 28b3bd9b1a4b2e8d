CREATE TABLE "joined_calls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"question_id" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C",
	"callback_url" text COLLATE "C"
);

DROP INDEX "questions_abandoned";
DROP INDEX "callbacks_question";
CREATE INDEX "joined_calls_question" ON "joined_calls" USING btree ("question_id");
CREATE INDEX "joined_calls_key" ON "joined_calls" USING btree ("workspace_id","key") WHERE "joined_calls"."key" is not null;
CREATE INDEX "questions_twins" ON "questions" USING btree ("token_id","question") WHERE "questions"."status" = 'pending';
CREATE INDEX "callbacks_question" ON "callbacks" USING btree ("question_id");
