import { type Command, DATA, JSON_OUT } from '../platform/command.ts'

export const POLICY: Command = {
  name: 'policy',
  summary: 'policy, groups and rules as a file',
  usage: [
    'policy export [FILE] [--base-url URL]',
    'policy lint FILE [--json]',
    'policy diff FILE [--json]',
    'policy try FILE [--days 30] [--json]',
    'policy apply FILE [--because TEXT] [--base DIGEST] [--commit ID] [--break-glass WHY] [--json]',
    'policy release',
  ],
  options: [
    ['export', 'print what is in force, or bring FILE up to date: comments stay'],
    ['lint', 'check FILE alone; with --data or --server also that its people and groups are there'],
    ['diff', 'what apply would change; exit code 3 if anything'],
    ['try', 'what would have become of the calls of the last days; changes nothing'],
    ['apply', 'make FILE what is in force, whole or not at all; pages then change nothing'],
    ['release', 'let the pages change policy, groups and rules again'],
    ['--base DIGEST', 'the state that FILE is for, from diff; another one is refused'],
    ['--because TEXT', 'why, for the audit trail'],
    ['--commit ID', 'where FILE comes from, for the audit trail'],
    [
      '--break-glass WHY',
      'apply without the agreement that protect asks for; on the data folder alone, and all owners are told',
    ],
    ['--days DAYS', 'how far back, 1 to 90'],
    [
      '--server URL',
      'work on this server instead of the data folder, with the token of BECKON_POLICY_TOKEN',
    ],
    ['--workspace W', 'name or id of the workspace (default: the only or first one)'],
    ['--base-url URL', 'the address of the server, for the schema of editors (BECKON_BASE_URL)'],
    JSON_OUT,
    DATA,
    [
      'exit code',
      '0 done, 1 findings or a file that cannot be applied, 2 wrong usage, 3 it differs, or the state is another one',
    ],
  ],
  example: 'beckon policy export policy.yaml --data /var/lib/beckon',
  examples: {
    export: 'beckon policy export policy.yaml --data /var/lib/beckon',
    lint: 'beckon policy lint policy.yaml',
    diff: 'beckon policy diff policy.yaml --data /var/lib/beckon',
    try: 'beckon policy try policy.yaml --days 7 --data /var/lib/beckon',
    apply:
      'beckon policy apply policy.yaml --because "two engineers for prod" --data /var/lib/beckon',
    release: 'beckon policy release --data /var/lib/beckon',
  },
  load: async () => (await import('./policy.ts')).policy,
}
