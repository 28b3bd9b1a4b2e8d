/** Options that several commands take, as rows of their help. */
export const DATA = ['--data FOLDER', 'the data folder (BECKON_DATA, else ./data)'] as const
export const JSON_OUT = ['--json', 'print JSON instead of text'] as const
