DROP INDEX "questions_key";
DROP INDEX "questions_ended_unsealed";
CREATE UNIQUE INDEX "questions_key" ON "questions" USING btree ("workspace_id","key") WHERE "questions"."key" is not null;
CREATE INDEX "questions_ended_unsealed" ON "questions" USING btree ("id") WHERE "questions"."ended_seal" is null and "questions"."status" <> 'pending';
