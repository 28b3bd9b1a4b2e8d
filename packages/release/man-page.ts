import { type Command, EXIT } from '../../src/platform/command.ts'

const EXITS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done; for ask and wait: answered, and not with no',
  no: 'ask and wait: answered with no',
  failed: 'it could not be done',
  wrongUsage: 'wrong usage',
  noAnswer: 'ask and wait: no answer in time',
  differs: 'policy diff and apply: what is in force is another one',
  nothingSealed: 'audit verify: nothing is sealed, so that nothing was checked',
  cancelled: 'ask and wait: the question was cancelled',
  unreachable: 'the server cannot be reached',
  interrupted: 'Ctrl-C at a prompt, or while ask or wait waits',
}

/** The manual page beckon(1), in the man macros, from the help of the commands. */
export function manPage(commands: readonly Omit<Command, 'load'>[], version: string): string {
  const exits = Object.entries(EXITS).map(([name, meaning]) => ({
    code: EXIT[name as keyof typeof EXIT],
    meaning,
  }))
  return [
    `.TH BECKON 1 "" "beckon ${version}"`,
    '.ad l',
    '.nh',
    '.SH NAME',
    'beckon \\- agents beckon, people answer',
    '.SH SYNOPSIS',
    '.B beckon',
    '.I COMMAND',
    '.RI [ OPTIONS ]',
    '.SH DESCRIPTION',
    plain('A server you run yourself. Coding agents send notifications and ask questions over'),
    plain('MCP; people answer on their phones and in their browsers.'),
    '.SH COMMANDS',
    ...commands.flatMap(section),
    '.SH EXIT STATUS',
    ...exits.flatMap(({ code, meaning }) => ['.TP', `.B ${code}`, plain(meaning)]),
    '.SH FILES',
    '.TP',
    '.I ./data',
    plain('The data folder, unless --data or BECKON_DATA names another.'),
    '',
  ].join('\n')
}

function section({ name, summary, usage, options, example }: Omit<Command, 'load'>): string[] {
  return [
    `.SS ${plain(name)}`,
    `${plain(summary.charAt(0).toUpperCase() + summary.slice(1))}.`,
    ...usage.flatMap((line) => ['.PP', `.B ${plain(`beckon ${line}`)}`]),
    ...(options ?? []).flatMap(([option, meaning]) => [
      '.TP',
      `.B ${plain(option)}`,
      plain(meaning),
    ]),
    '.PP',
    'Example:',
    '.PP',
    '.RS',
    '.EX',
    plain(example),
    '.EE',
    '.RE',
  ]
}

/** Text that troff prints as it is: a hyphen stays a hyphen, no line is a request, all is ASCII. */
function plain(text: string): string {
  const code = (letter: string) =>
    `\\[u${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^\x20-\x7e]/gu, code)
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
