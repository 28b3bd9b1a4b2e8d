CREATE TABLE "identities" (
	"provider" text COLLATE "C" NOT NULL,
	"issuer" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"groups" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"used_at" bigint NOT NULL,
	CONSTRAINT "identities_provider_issuer_subject_pk" PRIMARY KEY("provider","issuer","subject")
);

CREATE TABLE "logout_ids" (
	"provider" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "logout_ids_provider_hash_pk" PRIMARY KEY("provider","hash")
);

CREATE TABLE "providers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"settings" text COLLATE "C" NOT NULL,
	"secret" text COLLATE "C",
	"created_at" bigint NOT NULL
);

CREATE TABLE "sign_in_flows" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"browser_hash" text COLLATE "C" NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"verifier" text COLLATE "C" NOT NULL,
	"next" text COLLATE "C" NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C",
	"arrival" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);

ALTER TABLE "agent_tokens" ADD COLUMN "off_at" bigint;
ALTER TABLE "members" ADD COLUMN "off_at" bigint;
ALTER TABLE "members" ADD COLUMN "role_from" text COLLATE "C";
ALTER TABLE "sign_ins" ADD COLUMN "provider" text COLLATE "C";
ALTER TABLE "sign_ins" ADD COLUMN "provider_sid" text COLLATE "C";
ALTER TABLE "sign_ins" ADD COLUMN "proven_until" bigint;
CREATE INDEX "identities_person" ON "identities" USING btree ("person_id");
CREATE INDEX "providers_workspace" ON "providers" USING btree ("workspace_id");
CREATE INDEX "sign_in_flows_expiry" ON "sign_in_flows" USING btree ("expires_at");
