CREATE TABLE "watch_news" (
	"subject" text COLLATE "C" PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"item" text COLLATE "C" NOT NULL,
	"noticed_at" bigint NOT NULL
);

CREATE TABLE "watch_posts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"watch_id" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"attempts" bigint NOT NULL,
	"next_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"claimed_by" text COLLATE "C",
	"claimed_until" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"last_status" bigint,
	"last_error" text COLLATE "C"
);

CREATE TABLE "watches" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C",
	"token_id" text COLLATE "C",
	"kind" text COLLATE "C" NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"records" text COLLATE "C" NOT NULL,
	"news" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C",
	"secret" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"up_to" bigint NOT NULL,
	"stopped_at" bigint,
	"stopped_why" text COLLATE "C"
);

CREATE INDEX "watch_news_number" ON "watch_news" USING btree ("number");
CREATE INDEX "watch_posts_watch" ON "watch_posts" USING btree ("watch_id");
CREATE INDEX "watch_posts_due" ON "watch_posts" USING btree ("state","next_at");
CREATE INDEX "watches_person" ON "watches" USING btree ("workspace_id","person_id");
CREATE INDEX "watches_token" ON "watches" USING btree ("token_id");
CREATE INDEX "watches_up_to" ON "watches" USING btree ("up_to");
