ALTER TABLE "questions" ADD COLUMN "watched" text COLLATE "C";
ALTER TABLE "rules" ADD COLUMN "mode" text COLLATE "C";
CREATE INDEX "questions_watched" ON "questions" USING btree ("workspace_id","id") WHERE "questions"."watched" is not null;
