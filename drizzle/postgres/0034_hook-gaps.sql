ALTER TABLE "hooks" ADD COLUMN "gaps" text COLLATE "C";
