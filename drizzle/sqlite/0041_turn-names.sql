ALTER TABLE `turns` ADD `turn` text;
