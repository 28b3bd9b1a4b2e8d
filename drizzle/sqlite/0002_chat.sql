ALTER TABLE `deliveries` ADD `message_ref` text;
ALTER TABLE `late_answers` ADD `answered_as` text;
ALTER TABLE `questions` ADD `answered_as` text;