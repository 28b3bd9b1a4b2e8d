import type { Command } from './command.ts'

const DATA = ['--data FOLDER', 'the data folder (BECKON_DATA, else ./data)'] as const
const JSON_OUT = ['--json', 'print JSON instead of text'] as const

/** Every command, in the order of the help. A new one is a file and a row. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'user',
    summary: 'add, list and reset the people who sign in',
    usage: [
      'user add --email E [--name N] [--role owner|member] [--password-stdin]',
      'user list [--json]',
      'user reset --email E [--password-stdin]',
    ],
    options: [
      ['--email E', 'the address the person signs in with'],
      ['--name N', 'how the person is called (default: the part before the @)'],
      ['--role ROLE', 'owner or member (default: owner for the first person, else member)'],
      [
        '--password-stdin',
        'read the password from standard input; without it, print a one-time link',
      ],
      ['--base-url URL', 'the address of the server in the link (BECKON_BASE_URL)'],
      JSON_OUT,
      DATA,
    ],
    example: 'beckon user add --email ada@example.com --name Ada',
    load: async () => (await import('./user.ts')).user,
  },
  {
    name: 'key',
    summary: 'create, list and revoke the tokens of agents',
    usage: [
      'key create --name N [--workspace W] [--test] [--json]',
      'key list [--workspace W] [--json]',
      'key revoke ID',
    ],
    options: [
      ['--name N', 'what the token is for, like "laptop"'],
      ['--workspace W', 'name or id of the workspace (default: the only or first one)'],
      ['--test', 'all traffic of the token is recorded and reaches nobody'],
      JSON_OUT,
      DATA,
    ],
    example: 'beckon key create --name laptop',
    load: async () => (await import('./key.ts')).key,
  },
  {
    name: 'migrate',
    summary: 'bring the database of the data folder up to date',
    usage: ['migrate'],
    options: [DATA],
    example: 'beckon migrate --data /var/lib/beckon',
    load: async () => (await import('./migrate.ts')).migrate,
  },
]

export function findCommand(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name)
}
