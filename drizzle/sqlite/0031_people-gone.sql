ALTER TABLE `sign_ins` ADD `paired_at` integer;
ALTER TABLE `verifications` ADD `invited_by` text;
ALTER TABLE `subscribers` ADD `sign_in_id` text;