ALTER TABLE `deliveries` ADD `shown_at` integer;
ALTER TABLE `deliveries` ADD `opened_at` integer;
ALTER TABLE `subscribers` ADD `last_opened_at` integer;