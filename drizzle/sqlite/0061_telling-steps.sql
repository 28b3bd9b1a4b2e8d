UPDATE `failovers` SET `step_at` = `due_at`, `waiting` = '[]', `steps` = (SELECT json_group_array(json_object('afterMs', `every_ms`, 'tell', json_array(`value`))) FROM json_each(`people`));
ALTER TABLE `failovers` DROP COLUMN `every_ms`;
ALTER TABLE `failovers` DROP COLUMN `people`;
