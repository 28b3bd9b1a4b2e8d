ALTER TABLE "account_codes" ADD COLUMN "person_id" text COLLATE "C";
