ALTER TABLE `late_answers` ADD `answered_on` text;
ALTER TABLE `questions` ADD `answered_on` text;