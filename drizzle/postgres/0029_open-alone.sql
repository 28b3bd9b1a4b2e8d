DROP INDEX "questions_open";
DROP INDEX "questions_inbox";
CREATE INDEX "questions_open" ON "questions" USING btree ("expires_at") WHERE "questions"."status" = 'pending';
CREATE INDEX "questions_inbox" ON "questions" USING btree ("workspace_id","expires_at","token_id","bytes","status") WHERE "questions"."status" = 'pending';
