/** The setting that says why the watched file cannot be applied; absent while it is in force. */
export const WATCHED_PROBLEM = 'policy_file_problem'
