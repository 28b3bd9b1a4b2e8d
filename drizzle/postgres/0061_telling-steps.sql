UPDATE "failovers" SET "step_at" = "due_at", "waiting" = '[]', "steps" = (SELECT coalesce(json_agg(json_build_object('afterMs', "every_ms", 'tell', json_build_array("one"))), '[]')::text FROM json_array_elements_text("people"::json) AS "each" ("one"));
ALTER TABLE "failovers" DROP COLUMN "every_ms";
ALTER TABLE "failovers" DROP COLUMN "people";
