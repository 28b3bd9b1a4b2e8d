ALTER TABLE "sign_ins" ADD COLUMN "paired_at" bigint;
ALTER TABLE "subscribers" ADD COLUMN "sign_in_id" text COLLATE "C";
ALTER TABLE "verifications" ADD COLUMN "invited_by" text COLLATE "C";
