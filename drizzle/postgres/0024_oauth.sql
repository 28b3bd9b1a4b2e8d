CREATE TABLE "oauth_clients" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"redirect_uris" text COLLATE "C" NOT NULL,
	"auth_method" text COLLATE "C" NOT NULL,
	"secret_hash" text COLLATE "C",
	"refreshes" bigint NOT NULL,
	"workspace_id" text COLLATE "C",
	"created_by" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"used_at" bigint,
	"fresh_until" bigint
);

CREATE TABLE "oauth_codes" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"family" text COLLATE "C" NOT NULL,
	"redirect_uri" text COLLATE "C" NOT NULL,
	"challenge" text COLLATE "C" NOT NULL,
	"scopes" text COLLATE "C" NOT NULL,
	"resource" text COLLATE "C" NOT NULL,
	"refreshes" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);

CREATE TABLE "oauth_tokens" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"token_id" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"family" text COLLATE "C" NOT NULL,
	"scopes" text COLLATE "C" NOT NULL,
	"resource" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	"revoked_at" bigint
);

ALTER TABLE "agent_tokens" ADD COLUMN "client_id" text COLLATE "C";
ALTER TABLE "agent_tokens" ADD COLUMN "connection" text COLLATE "C";
CREATE INDEX "oauth_clients_age" ON "oauth_clients" USING btree ("kind","created_at");
CREATE INDEX "oauth_codes_expiry" ON "oauth_codes" USING btree ("expires_at");
CREATE INDEX "oauth_tokens_family" ON "oauth_tokens" USING btree ("family");
CREATE INDEX "oauth_tokens_expiry" ON "oauth_tokens" USING btree ("expires_at");
CREATE INDEX "agent_tokens_client" ON "agent_tokens" USING btree ("client_id") WHERE "agent_tokens"."client_id" is not null;
