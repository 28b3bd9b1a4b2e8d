ALTER TABLE "sign_ins" ADD COLUMN "proven_at" bigint;
