ALTER TABLE "catalog_probe_days" ADD COLUMN "p50_ms" bigint;
ALTER TABLE "catalog_probe_days" ADD COLUMN "p95_ms" bigint;
