ALTER TABLE `account_codes` ADD `person_id` text;
