ALTER TABLE `agent_tokens` ADD `owner_group` text;
