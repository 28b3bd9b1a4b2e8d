import { type Command, JSON_OUT } from '../platform/command.ts'
import type { ReadClientConfig } from '../platform/config/config-reader.ts'

export const SERVER = [
  'BECKON_URL',
  'the address of the server (default: http://localhost:8484)',
] as const
export const TOKEN = ['BECKON_TOKEN', 'an agent token; beckon key create makes one'] as const
const TIMEOUT = [
  '--timeout TIME',
  'how long to wait, from 1s to 10m (default: as the server says)',
] as const

type ClientRun = (args: string[], readClientConfig: ReadClientConfig) => Promise<number>

/** Loads a command that calls a server, and the settings that name the server. */
async function withClientConfig(load: () => Promise<ClientRun>) {
  const [run, { configReader }] = await Promise.all([load(), import('../settings.ts')])
  return (args: string[]) => run(args, configReader.readClientConfig)
}

/** The commands that call a server. */
export const CLIENT_COMMANDS: readonly Command[] = [
  {
    name: 'notify',
    summary: 'send a notification to phones and browsers',
    usage: ['notify TITLE BODY [--context FILE|-] [--tag T]… [--json]'],
    options: [
      ['--context FILE', 'a JSON file with the detail page; - reads standard input'],
      ['--tag T', 'only devices with this tag; may be repeated'],
      JSON_OUT,
      SERVER,
      TOKEN,
    ],
    example: 'beckon notify "Build is green" "All 312 tests pass"',
    load: () => withClientConfig(async () => (await import('../agent/commands/notify.ts')).notify),
  },
  {
    name: 'ask',
    summary: 'ask a question and print the answer',
    usage: [
      'ask QUESTION [--type confirm|select|input] [--option O]… [--timeout TIME] [--no-wait] [--json]',
    ],
    options: [
      [
        '--type TYPE',
        'confirm (yes or no), select or input (default: confirm; select with --option)',
      ],
      ['--option O', 'one choice of a select; give it two to six times'],
      TIMEOUT,
      ['--no-wait', 'print the id of the question instead of waiting'],
      JSON_OUT,
      SERVER,
      TOKEN,
      ['exit code', '0 answered, 1 no, 3 no answer, 4 withdrawn or stopped, 5 no service'],
    ],
    example: 'beckon ask "Deploy to production?" --timeout 2m && ./deploy',
    load: () => withClientConfig(async () => (await import('../agent/commands/ask.ts')).ask),
  },
  {
    name: 'wait',
    summary: 'wait for the answer to an open question',
    usage: ['wait CORRELATION_ID [--timeout TIME] [--json]'],
    options: [
      TIMEOUT,
      JSON_OUT,
      SERVER,
      TOKEN,
      ['exit code', '0 answered, 1 no, 3 no answer, 4 withdrawn or stopped, 5 no service'],
    ],
    example: 'beckon wait q_1abcdefgh --timeout 50s',
    load: () => withClientConfig(async () => (await import('../agent/commands/wait.ts')).wait),
  },
  {
    name: 'cancel',
    summary: 'withdraw a question',
    usage: ['cancel CORRELATION_ID [--json]'],
    options: [JSON_OUT, SERVER, TOKEN],
    example: 'beckon cancel q_1abcdefgh',
    load: () => withClientConfig(async () => (await import('../agent/commands/cancel.ts')).cancel),
  },
]
