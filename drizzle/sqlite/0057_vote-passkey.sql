ALTER TABLE `votes` ADD `passkey` text;
