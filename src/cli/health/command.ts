import { type Command, DATA, JSON_OUT } from '../../platform/command.ts'

/** The row of `beckon health` in the table of commands. */
export const HEALTH: Command = {
  name: 'health',
  summary: 'say whether the server on this machine is healthy',
  usage: ['health [--ready] [--json] [--host HOST] [--port PORT] [--data FOLDER]'],
  options: [
    ['--ready', 'whether it takes questions, not only whether it runs'],
    ['--port PORT', 'the port the server listens on (BECKON_PORT)'],
    ['--host HOST', 'the address the server listens on (BECKON_HOST)'],
    JSON_OUT,
    DATA,
    ['exit code', '0 healthy, 1 not, 2 wrong usage'],
  ],
  example: 'beckon health --ready --json',
  load: async () => (await import('./health.ts')).health,
}
