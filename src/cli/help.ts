import type { Command } from '../platform/terminal/command.ts'

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

/**
 * One way of a command that has many, such as `catalog import`: its usage, its example, and the
 * options that name it before their colon, or that name no way and stand in its usage.
 */
export function oneWay(command: Command, way: string | undefined): Command {
  const { name, usage, options = [], examples = {} } = command
  const example = way !== undefined && Object.hasOwn(examples, way) ? examples[way] : undefined
  if (example === undefined) return command
  const lines = usage.filter((line) => `${line} `.startsWith(`${name} ${way} `))
  const own = options.flatMap(([option, meaning]) => {
    const [prefix, ways = ''] = /^([a-z]+(?:, [a-z]+)*): /.exec(meaning) ?? []
    return prefix && ways.split(', ').includes(String(way))
      ? [[option, meaning.slice(prefix.length)] as const]
      : []
  })
  const names = new Set(own.map(([option]) => option))
  const shared = options.filter(([option, meaning]) => {
    if (names.has(option) || /^[a-z]+(, [a-z]+)*: /.test(meaning)) return false
    const isPart = /^(-|[A-Z])/.test(option) && option !== '--data FOLDER'
    return !isPart || lines.some((line) => line.split(/[\s[\]]+/).includes(option))
  })
  return { ...command, usage: lines, options: [...own, ...shared], example }
}

function columns(rows: ReadonlyArray<readonly [string, string]>): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
