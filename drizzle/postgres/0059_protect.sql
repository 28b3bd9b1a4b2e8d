CREATE TABLE "proposed_changes" (
	"question_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"change" text COLLATE "C",
	"basis" text COLLATE "C" NOT NULL,
	"told_at" bigint
);

ALTER TABLE "policies" ADD COLUMN "protect" text COLLATE "C";
ALTER TABLE "policy_tokens" ADD COLUMN "created_by" text COLLATE "C";
CREATE INDEX "proposed_changes_workspace" ON "proposed_changes" USING btree ("workspace_id");
CREATE INDEX "proposed_changes_told" ON "proposed_changes" USING btree ("told_at");
