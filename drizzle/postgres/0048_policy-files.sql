ALTER TABLE "policies" ADD COLUMN "file" text COLLATE "C";
ALTER TABLE "rules" ADD COLUMN "name" text COLLATE "C";
