import type { Command } from '../platform/command.ts'

const NARROWEST = 40
// If the column of meanings would be narrower than this, they go below the options.
const READABLE = 24

/** The help of the whole program: every command, as wide as `width` columns. */
export function programHelp(commands: readonly Command[], width: number): string {
  const last = 'beckon help COMMAND explains a command; beckon version says which one this is.'
  return [
    'Beckon: agents beckon, people answer.',
    '',
    'Usage: beckon COMMAND [OPTIONS]',
    '',
    ...columns(
      commands.map(({ name, summary }) => [name, summary]),
      width,
    ),
    '',
    ...wrapped(last.split(' '), width, ''),
  ].join('\n')
}

/** The help of one command, with an example that works. */
export function commandHelp(command: Command, width: number): string {
  const { name, summary, usage, options, example } = command
  const uses = usage.flatMap((line, i) => {
    const [first = '', ...more] = wrapped(parts(`beckon ${line}`), width - 7, '    ')
    return [`${i === 0 ? 'Usage:' : '      '} ${first}`, ...more.map((one) => `       ${one}`)]
  })
  return [
    ...wrapped(`beckon ${name}: ${summary}`.split(' '), width, '  '),
    '',
    ...uses,
    ...(options ? ['', 'Options:', ...columns(options, width)] : []),
    '',
    'Example:',
    // Not wrapped, so that it can be copied.
    `  ${example}`,
  ].join('\n')
}

/**
 * The help of one subcommand, such as `catalog import`: its usage, its example, the options that
 * name it before their colon, and the options in its usage that name no subcommand.
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

function columns(rows: ReadonlyArray<readonly [string, string]>, width: number): string[] {
  const nameWidth = Math.max(...rows.map(([name]) => name.length)) + 4
  const isBeside = Math.max(width, NARROWEST) - nameWidth >= READABLE
  const indent = ' '.repeat(isBeside ? nameWidth : 6)
  return rows.flatMap(([name, meaning]) => {
    const lines = wrapped(meaning.split(' '), width - indent.length, '')
    if (!isBeside) return [`  ${name}`, ...lines.map((line) => indent + line)]
    const [first = '', ...more] = lines
    return [`  ${name}`.padEnd(nameWidth) + first, ...more.map((line) => indent + line)]
  })
}

/** Wraps words at `width` columns; lines after the first begin with `indent`. */
function wrapped(words: readonly string[], width: number, indent: string): string[] {
  const most = Math.max(width, NARROWEST - indent.length)
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || longer.length > most) {
      lines.push(last === undefined ? word : indent + word)
    } else lines[lines.length - 1] = longer
  }
  return lines
}

/** The parts of a usage; brackets, and an option with its value, stay together. */
function parts(usage: string): string[] {
  const tokens: string[] = []
  let depth = 0
  for (const word of usage.split(' ')) {
    const last = tokens.at(-1)
    const isValue = /^--\S+$/.test(last ?? '') && /^[A-Z<]/.test(word)
    if (last !== undefined && (depth > 0 || isValue)) tokens[tokens.length - 1] = `${last} ${word}`
    else tokens.push(word)
    depth += word.split('[').length - word.split(']').length
  }
  return tokens
}
