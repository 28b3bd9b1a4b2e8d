ALTER TABLE "turns" ADD COLUMN "turn" text COLLATE "C";
