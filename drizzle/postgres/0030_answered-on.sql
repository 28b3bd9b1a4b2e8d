ALTER TABLE "late_answers" ADD COLUMN "answered_on" text COLLATE "C";
ALTER TABLE "questions" ADD COLUMN "answered_on" text COLLATE "C";
