ALTER TABLE `agent_sessions` ADD `test` integer DEFAULT false NOT NULL;
-- An id alone meant a question of any token, session or test flag. The old keys become those that the
-- calls they belong to have now, so that a retry across the update is still one; a hook's lack the
-- content that only the program can tell, and are compared when they are found.
UPDATE `questions` SET `key` = substr(`key`, 1, instr(`key`, ':')) || json_array(
	CASE WHEN `origin` = 'ask' AND json_extract(`detail`, '$.pausedAware') THEN 'hook' ELSE 'model' END,
	CASE WHEN `test` THEN 'test' ELSE 'live' END,
	`token_id`, `machine_id`, `session_id`, `repo_key`,
	CASE WHEN `origin` = 'scope'
		THEN substr(`key`, length('scope:' || coalesce(`session_id`, '') || ':') + 1)
		ELSE substr(`key`, instr(`key`, ':') + 1)
	END
) WHERE `key` IS NOT NULL;
