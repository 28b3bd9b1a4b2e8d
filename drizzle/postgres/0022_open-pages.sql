CREATE TABLE "open_pages" (
	"person_id" text COLLATE "C" NOT NULL,
	"page" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"seen_at" bigint NOT NULL,
	CONSTRAINT "open_pages_person_id_page_pk" PRIMARY KEY("person_id","page")
);

CREATE TABLE "rate_limits" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"full_at" bigint NOT NULL
);

CREATE INDEX "open_pages_seen" ON "open_pages" USING btree ("workspace_id","seen_at");
