CREATE TABLE "account_codes" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"service" text COLLATE "C" NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL
);

CREATE TABLE "chat_accounts" (
	"service" text COLLATE "C" NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "chat_accounts_service_account_pk" PRIMARY KEY("service","account")
);

CREATE TABLE "chat_prompts" (
	"ref" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"act" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL
);

ALTER TABLE "instructions" ADD COLUMN "via" text COLLATE "C";
CREATE INDEX "chat_accounts_person" ON "chat_accounts" USING btree ("person_id");
