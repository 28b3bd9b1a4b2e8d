import type { Call, ExitOutcome } from './call.ts'
import { PREFIXES } from './commands.ts'
import { fedWords, readFed } from './fed.ts'
import { type Arg, literalArg } from './notes.ts'
import { readOptions, words } from './options.ts'

type Perform = (words: readonly Arg[], call: Call) => ExitOutcome

/** `env -C sub`, `sudo`, `xargs`: the command follows the options. */
export function prefixed(
  name: string,
  args: readonly Arg[],
  call: Call,
  perform: Perform,
): ExitOutcome {
  const { notes } = call.shell
  const stays = { ok: call.places, fail: call.places }
  const taking = words(PREFIXES[name])
  let at = 0
  let places = call.places
  let replaced: string | undefined
  for (; at < args.length; at++) {
    const { text } = args[at] as Arg
    if (text === '--') {
      at++
      break
    }
    if (text === '-' || (/^\w+=/.test(text) && /^(env|sudo|cross-env)$/.test(name))) continue
    if (!/^-./.test(text)) break
    const { values, flags } = readOptions(args.slice(at, at + 2), taking)
    const value = values[0]
    if (name === 'xargs' && /^(-I|-i|--replace)$/.test(value?.option ?? [...flags][0] ?? ''))
      replaced = value?.value.text || '{}'
    if (!value) continue
    if (value.value === args[at + 1]) at++
    if (value.option === '-S' || value.option === '--split-string')
      notes.opaque('a command is put together from text')
    const moves = name === 'env' ? /^(-C|--chdir)$/ : name === 'sudo' ? /^(-D|--chdir)$/ : /^$/
    if (moves.test(value.option)) places = notes.enter(value.value, places)
    if (name === 'time' && /^(-o|--output)$/.test(value.option))
      notes.target(value.value, 'write', call.places)
  }
  const fed = name === 'xargs' ? fedWords(call.fed) : []
  if (name === 'xargs' || name === 'parallel') readFed(call.fed, notes, places)
  if (name === 'parallel') notes.opaque('parallel makes up its commands')
  if (name === 'command' && /^-[vV]$/.test(args[0]?.text ?? '')) return stays
  const skip = name === 'timeout' ? 1 : 0
  const rest = args.slice(at + skip)
  if (rest.length === 0) return stays
  if (replaced !== undefined)
    for (const word of fed.slice(0, REPLACED_MAX))
      perform(replacedBy(replaced, word, rest), { ...call, places })
  const given = name === 'xargs' ? fedBy(replaced, rest, fed) : rest
  const outcome = perform(given, { ...call, places })
  return name === 'command' || name === 'builtin' || name === 'exec' ? outcome : stays
}

/** The words of a command that xargs runs; `replaced` is the placeholder for its input. */
function fedBy(
  replaced: string | undefined,
  args: readonly Arg[],
  fed: readonly string[],
): readonly Arg[] {
  const why = 'what it is fed'
  if (replaced === undefined) return [...args, ...fed.map(literalArg), { text: '', raw: '', why }]
  return args.map((arg) => (arg.text.includes(replaced) ? { ...arg, why } : arg))
}

const REPLACED_MAX = 20

function replacedBy(replaced: string, word: string, args: readonly Arg[]): readonly Arg[] {
  return args.map((arg) =>
    arg.why === undefined ? literalArg(arg.text.replaceAll(replaced, () => word)) : arg,
  )
}

/** `pnpm exec prettier`, `uv run black`, `python -m black`: one program runs another. */
export function runnerOf(name: string, args: readonly Arg[]): readonly Arg[] | undefined {
  const module = /^(python|pypy)[\d.]*$/.test(name)
  const verbs = module ? /^-m$/ : Object.hasOwn(BY_OTHERS, name) ? BY_OTHERS[name] : undefined
  if (!verbs?.test(args[0]?.text ?? '')) return undefined
  const isFirst = name === 'beckon' ? ENDS_OPTIONS : BEGINS_COMMAND
  const from = args.findIndex(({ text }, at) => at > 0 && isFirst.test(text))
  const rest = from < 0 ? [] : args.slice(args[from]?.text === '--' ? from + 1 : from)
  return rest.length === 0 ? undefined : rest
}

const ENDS_OPTIONS = /^--$/
const BEGINS_COMMAND = /^(--$|[^-]|$)/

const BY_OTHERS: Readonly<Record<string, RegExp>> = {
  beckon: /^jail$/,
  bun: /^x$/,
  hatch: /^run$/,
  mise: /^(exec|x)$/,
  npm: /^(exec|x)$/,
  pdm: /^run$/,
  pipenv: /^run$/,
  pnpm: /^(exec|dlx)$/,
  poetry: /^run$/,
  uv: /^run$/,
  yarn: /^(exec|dlx)$/,
}
