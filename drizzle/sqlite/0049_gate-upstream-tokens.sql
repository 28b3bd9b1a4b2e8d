ALTER TABLE `gate_upstreams` ADD `token_id` text;
