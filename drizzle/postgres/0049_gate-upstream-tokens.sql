ALTER TABLE "gate_upstreams" ADD COLUMN "token_id" text COLLATE "C";
