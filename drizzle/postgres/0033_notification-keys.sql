ALTER TABLE "notifications" ADD COLUMN "key" text COLLATE "C";
ALTER TABLE "notifications" ADD COLUMN "result" text COLLATE "C";
CREATE UNIQUE INDEX "notifications_key" ON "notifications" USING btree ("workspace_id","key") WHERE "notifications"."key" is not null;
