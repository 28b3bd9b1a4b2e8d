import type { Command } from './command.ts'

/** The help of the whole program: every command in one line. */
export function programHelp(commands: readonly Command[]): string {
  return [
    'Beckon: agents beckon, people answer.',
    '',
    'Usage: beckon COMMAND [OPTIONS]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'beckon COMMAND --help explains a command; beckon --version says which version this is.',
  ].join('\n')
}

/** The help of one command, with an example that works. */
export function commandHelp({ name, summary, usage, options, example }: Command): string {
  return [
    `beckon ${name}: ${summary}`,
    '',
    ...usage.map((line, i) => `${i === 0 ? 'Usage:' : '      '} beckon ${line}`),
    ...(options ? ['', 'Options:', ...columns(options)] : []),
    '',
    'Example:',
    `  ${example}`,
  ].join('\n')
}

function columns(rows: ReadonlyArray<readonly [string, string]>): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
