ALTER TABLE "agent_tokens" ADD COLUMN "owner_group" text COLLATE "C";
