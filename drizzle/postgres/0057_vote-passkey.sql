ALTER TABLE "votes" ADD COLUMN "passkey" text COLLATE "C";
