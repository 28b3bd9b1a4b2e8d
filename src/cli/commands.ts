import type { Command } from './command.ts'

const DATA = ['--data FOLDER', 'the data folder (BECKON_DATA, else ./data)'] as const

/** Every command, in the order of the help. A new one is a file and a row. */
export const COMMANDS: readonly Command[] = [
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
