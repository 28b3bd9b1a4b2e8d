import type { Call, ExitOutcome } from './call.ts'
import { type CommandRule, PREFIXES, SHELL_COMMANDS, SHELLS } from './commands.ts'
import { readFed } from './fed.ts'
import { find } from './find.ts'
import { format } from './formatters.ts'
import { git } from './git.ts'
import { interpreterOf, touchedByCode } from './interpreters.ts'
import { wordsLeftOut } from './left-out.ts'
import { type Arg, argOf, literalArg, type Notes, type Places, UNKNOWN } from './notes.ts'
import { baseName, touchOperands } from './operands.ts'
import { readOptions, words } from './options.ts'
import { COPIES, copied, ownCommand, runScript } from './own-program.ts'
import { applyPatch } from './patches.ts'
import { powershell } from './powershell.ts'
import { prefixed, runnerOf } from './prefixed.ts'
import { PROGRAMS } from './programs.ts'
import { SETS, setVariables } from './variables.ts'

const PREFIX_MAX = 16

/** What one command does, from its name and words, without redirections. */
export function perform(all: readonly Arg[], call: Call): ExitOutcome {
  const { shell, places } = call
  const leftOut = wordsLeftOut(all, call)
  for (const arg of all) if (!leftOut.has(arg)) shell.notes.literal(arg, places)
  const args = withoutAssignments(all, shell.notes)
  return command(args, call, PREFIX_MAX)
}

function command(args: readonly Arg[], call: Call, left: number): ExitOutcome {
  const { shell, places } = call
  const stays = { ok: places, fail: places }
  const [first, ...rest] = args
  if (first === undefined) return stays
  if (first.why !== undefined || left === 0) {
    shell.notes.opaque(`the command itself is not known: ${first.why ?? 'too many prefixes'}`)
    return stays
  }
  if (shell.notes.touches.has(`write ${shell.notes.joined(first, places)[0]}`))
    shell.notes.opaque('it runs what it has just written')
  const name = baseName(first.text).replace(/\.exe$/i, '')
  const ours = ownCommand(first, rest, call)
  if (ours !== undefined) shell.notes.ours.add(ours)
  const alias = shell.aliases.get(first.text)
  if (alias) return command([...alias.map(literalArg), ...rest], call, left - 1)
  const defined = shell.functions.get(first.text)
  if (defined) return callFunction(defined, call)
  if (Object.hasOwn(PREFIXES, name))
    return prefixed(name, rest, call, (words, next) => command(words, next, left - 1))
  if (FOLDER_COMMANDS.has(name)) return changeFolder(name, rest, call)
  const runs = runnerOf(name, rest)
  if (runs) return command(runs, call, left - 1)
  if (first.text.includes('/')) runScript(first, call)
  return builtin(name, rest, call) ?? program(name, rest, call, left) ?? stays
}

function withoutAssignments(args: readonly Arg[], notes: Notes): readonly Arg[] {
  const first = args.findIndex(({ raw }) => !/^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(raw))
  const set = first < 0 ? args : args.slice(0, first)
  if (set.some(({ raw }) => /^(CDPATH|BASH_ENV|ENV|PROMPT_COMMAND)\+?=/.test(raw)))
    notes.opaque('it changes how the shell finds its way')
  return first < 0 ? [] : args.slice(first)
}

function callFunction(defined: { places: Places; moves: boolean }, { shell, places }: Call) {
  const same = places.every((place) => defined.places.includes(place))
  if (!same) shell.notes.opaque('a function is called in another folder')
  shell.variables.forget()
  const after = defined.moves ? [UNKNOWN] : places
  return { ok: after, fail: after }
}

function builtin(name: string, args: readonly Arg[], call: Call): ExitOutcome | undefined {
  const { shell, places } = call
  if (name === 'exit' || name === 'return') return { ok: [], fail: [] }
  if (name === 'true' || name === ':') return { ok: places, fail: [] }
  if (name === 'set') {
    const stops = args.some(({ text }) => /^-[a-z]*e/.test(text) || text === 'errexit')
    if (stops && shell.nesting === 0) shell.stopsAtErrors = true
    if (args.some(({ text }) => /^\+[a-z]*e/.test(text))) shell.stopsAtErrors = false
    return undefined
  }
  if (SETS.test(name)) setVariables(name, args, call.shell.variables)
  if (name === 'eval' || name === 'trap') {
    const script = name === 'trap' ? args.slice(0, 1) : args
    const unknown = script.find(({ why }) => why !== undefined)
    if (unknown) shell.notes.opaque(`${name} runs what is not known: ${unknown.why}`)
    if (unknown) shell.variables.forget()
    if (unknown) return { ok: [UNKNOWN], fail: places }
    const after = shell.read(script.map(({ text }) => text).join(' '), places)
    return name === 'trap' ? undefined : { ok: after, fail: after }
  }
  if ((name === '.' || name === 'source') && /^\/dev\//.test(args[0]?.text ?? ''))
    shell.notes.opaque('it runs what it is fed')
  if (name === '.' || name === 'source') {
    readFed(call.fed, shell.notes, places)
    if (args[0]) runScript(args[0], call, true)
    shell.variables.forget()
  }
  if (name === 'alias' && args.length > 0) {
    shell.notes.opaque('it gives commands other names')
    for (const { text, why } of args) {
      shell.notes.code(text, places)
      const [, other, value] = /^([\w.-]+)=(.*)$/s.exec(text) ?? []
      if (
        other !== undefined &&
        value?.trim() &&
        why === undefined &&
        shell.aliases.size < ALIASES_MAX
      )
        shell.aliases.set(other, value.trim().split(/\s+/))
    }
  }
  return undefined
}

const ALIASES_MAX = 50

function program(name: string, args: readonly Arg[], call: Call, left: number) {
  const { shell, places } = call
  const { notes } = shell
  if (SHELLS.has(name)) return runShell(args, call)
  if (Object.hasOwn(RUNNERS, name)) return runText(name, args, call)
  if (COPIES.test(name)) copied(args, call)
  if (EDITORS.test(name)) for (const { text } of args) notes.code(text, places)
  const code = interpreterOf(name)
  if (code !== undefined) touchedByCode(name, code, args, call)
  else if (name === 'git') git(args, call)
  else if (name.startsWith('git-')) git([literalArg(name.slice(4)), ...args], call)
  else if (name === 'patch') applyPatch('patch', args, call)
  else if (name === 'find') find(args, call, (words) => command(words, call, left - 1))
  else if (Object.hasOwn(PROGRAMS, name)) PROGRAMS[name]?.(args, places, notes)
  else if (format(name, args, places, notes)) return undefined
  else if (powershell(name, args, places, notes)) return undefined
  else if (Object.hasOwn(SHELL_COMMANDS, name))
    touchOperands(SHELL_COMMANDS[name] as CommandRule, args, places, notes)
  else anyProgram(args, call)
  return undefined
}

/** A program that is not in the table: only files named by its output options count as written. */
function anyProgram(args: readonly Arg[], { shell, places }: Call) {
  const options = '--output --output-file --outfile --out-file --outdir --out-dir'
  for (const { value } of readOptions(args, words(options)).values)
    if (/[./]/.test(value.text)) shell.notes.target(value, 'write', places)
}

// The value of `-c` is a separate command, which may write.
const EDITORS = /^(n?vim?|vi|ex|view|emacs|ed)$/

// These run text in a shell: the value of `-c`, or all arguments.
const RUNNERS: Readonly<Record<string, 'option' | 'words' | 'later'>> = {
  at: 'later',
  batch: 'later',
  crontab: 'later',
  flock: 'option',
  script: 'option',
  su: 'option',
  watch: 'words',
}

function runText(name: string, args: readonly Arg[], call: Call): undefined {
  const { notes } = call.shell
  const how = RUNNERS[name]
  if (how === 'later') {
    for (const text of call.fed) call.shell.readAside(text, call.places)
    readFed(call.fed, notes, call.places)
  }
  const { operands, values } = readOptions(args, words('-c --command -n --interval -w --timeout'))
  const given = values.filter(({ option }) => /^(-c|--command)$/.test(option))
  const script = how === 'words' ? operands : given.map(({ value }) => value)
  const unknown = script.find(({ why }) => why !== undefined)
  if (how === 'later' || unknown) notes.opaque(`${name} runs what is not known`)
  else call.shell.readApart(script.map(({ text }) => text).join(' '), call.places)
  if (name === 'script') for (const log of operands) notes.target(log, 'write', call.places)
  if (name !== 'flock') return
  for (const file of operands.slice(0, 1)) notes.target(file, 'write', call.places)
  // After the file comes a command, one word at a time.
  const rest = operands.slice(1)
  if (rest.some(({ why }) => why !== undefined)) notes.opaque('flock runs what is not known')
  else if (rest.length > 0)
    perform(args.slice(args.indexOf(rest[0] as Arg)), { ...call, piped: false })
}

/** `sh -c text` is read like the command itself, and so is a shell's input if it is literal. */
function runShell(args: readonly Arg[], call: Call): ExitOutcome | undefined {
  const { shell, places, redirects, piped } = call
  const { notes } = shell
  const isFed = call.fed.length > 0
  for (const text of call.fed) shell.readAside(text, places)
  readFed(call.fed, notes, places)
  const { operands, flags } = readOptions(args, ['-o', '-O', '--rcfile', '--init-file'])
  const [first] = operands
  if (flags.has('-c')) {
    if (first === undefined || first.why !== undefined)
      notes.opaque(`a shell runs what is not known: ${first?.why ?? 'nothing'}`)
    else shell.readApart(first.text, places)
    return undefined
  }
  if (first !== undefined && !flags.has('-s')) {
    runScript(first, call, true)
    const script = notes.joined(first, places)
    if (
      first.why !== undefined ||
      first.text.startsWith('/dev/') ||
      script.some((path) => notes.touches.has(`write ${path}`))
    )
      notes.opaque('a shell runs what is not known')
    return undefined
  }
  const body = redirects.findLast(({ body }) => body !== undefined)?.body
  if (body !== undefined) shell.readApart(body, places)
  else if (piped || isFed || redirects.some(({ op }) => op.startsWith('<')))
    notes.opaque('a shell runs what it is fed')
  return undefined
}

const FOLDER_COMMANDS = new Set(
  'cd chdir pushd popd set-location sl push-location pop-location Set-Location Push-Location Pop-Location'.split(
    ' ',
  ),
)

/**
 * `cd` and similar commands: where the next command runs, and where if the folder does not exist.
 */
function changeFolder(name: string, args: readonly Arg[], call: Call): ExitOutcome {
  const { shell, places } = call
  const operands = args.filter(({ text }) => !/^-[LPe@n]+$|^-(Literal)?Path$|^--$/i.test(text))
  const to = operands[0]
  const pushes = /^push/i.test(name)
  if (/^pop/i.test(name)) {
    const { places: back, sure } = shell.stack.pop() ?? { places: [UNKNOWN], sure: false }
    const works = sure && args.length === 0 && isThere(back, call)
    return { ok: back, fail: works ? [] : places }
  }
  const rotates = (to === undefined && pushes) || /^([-+]|[-+]\d+)$/.test(to?.text ?? '')
  const next = rotates ? [UNKNOWN] : shell.notes.enter(to ?? argOf('~', undefined), places)
  const sure = isThere(next, call)
  if (pushes) shell.stack.push({ places, sure })
  return { ok: next, fail: sure ? [] : places }
}

function isThere(next: Places, { shell }: Call): boolean {
  return next.every(
    (place) => place !== UNKNOWN && (/^~\/?$/.test(place) || shell.notes.isFolderNow(place)),
  )
}
