ALTER TABLE `sign_ins` ADD `proven_at` integer;
