ALTER TABLE `catalog_probe_days` ADD `p50_ms` integer;
ALTER TABLE `catalog_probe_days` ADD `p95_ms` integer;
