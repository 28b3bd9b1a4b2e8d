ALTER TABLE `policies` ADD `file` text;
ALTER TABLE `rules` ADD `name` text;
