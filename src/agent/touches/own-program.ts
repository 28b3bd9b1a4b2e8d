import { realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readCommandText } from '../../ask/wire/reading/read.ts'
import type { Command, Gap, Reading } from '../../ask/wire/reading/reading.ts'
import { isExecutable } from '../../platform/program.ts'
import { headOf } from './file-head.ts'
import type { TouchNotes } from './notes.ts'
import { baseName, joinAll, type Operand, operandOf, type Places, placesOf } from './operand.ts'
import { readOptions } from './options.ts'
import { PROGRAMS } from './programs.ts'
import { TOUCH_ROWS } from './rows.ts'

// The compiled program, or the source that Bun runs.
const NAME = /^beckon(\.exe|[-_@](linux|darwin|windows|macos|v?\d|latest).*)?$/i
const RUNNERS = /^(bun|bunx|node|nodejs|deno|tsx|npm|npx|pnpm|pnpx|yarn)$/
// The arguments of these are file names or text, and start no program.
const TAKES_NAMES =
  /^(echo|printf|print|grep|egrep|rg|ag|man|which|type|whereis|cat|less|head|tail|git|gh|ls|cd|test|\[|\[\[|diff|cmp|comm|du|wc|stat|file|tree|find|code|vi|n?vim|nano|emacs|open|jq|md5sum|sha256sum)$/
const LOOKED_AT_MAX = 12
const UP_MAX = 6
// Scripts that are read because something runs them.
const SCRIPTS_MAX = 16

/**
 * Notes the commands of Beckon that a text runs and that agents may not run (docs/hooks.md): they
 * would switch off what watches the agent, or let it answer itself.
 */
export function noteOwnCommands(text: string, reading: Reading, notes: TouchNotes) {
  const scripts = { left: SCRIPTS_MAX }
  noteIn(text, reading, notes, scripts)
}

type Scripts = { left: number }

function noteIn(text: string, reading: Reading, notes: TouchNotes, scripts: Scripts) {
  for (const command of reading.commands) {
    const places = placesOf(command.places, notes.start)
    const call: OwnCall = {
      first: { text: command.program },
      rest: command.words.map((word) => operandOf(word, notes.start)),
      places,
      notes,
    }
    if (/^(cp|ln|mv|install)$/.test(command.program)) noteCopy(call)
    const ours = ownCommand(call) ?? fedCommand(command, call, text)
    if (ours !== undefined) notes.ours.add(ours)
    for (const file of scriptsOf(command)) noteInScript(file, places, notes, scripts)
  }
  // An option of Beckon that the table does not have says nothing about other commands.
  const own = reading.commands.filter(({ program }) => NAME.test(baseName(program)))
  const isOurs = ({ at }: Gap) => own.some(({ words }) => words.some((word) => word.at === at))
  const whys = new Set(reading.open.filter((gap) => !isOurs(gap)).map(({ why }) => why))
  const isUnread = [...whys].some((why) => UNREAD.has(why))
  const isLater = reading.commands.some(({ program }) => LATER.has(program))
  const hasNames = whys.has('definition') || whys.has('program word') || isLater
  const inCode = isUnread || isLater ? ownCommandInCode(text) : undefined
  const inShell = hasNames ? ownCommandInShell(text) : undefined
  for (const ours of [inCode, inShell]) if (ours !== undefined) notes.ours.add(ours)
  // `source` runs a file that the reading does not name.
  if (reading.open.some(({ why, name }) => why === 'code' && name === 'source')) {
    for (const { text: path, sure } of reading.words) {
      if (sure === 'text' && path !== '.')
        noteInScript({ path, isShell: true }, [notes.start], notes, scripts)
    }
  }
}

const UNREAD = new Set([
  'syntax',
  'size',
  'code',
  'input',
  'program word',
  'definition',
  'language',
  'written',
  'expansion',
  'target',
  'option',
  'subcommand',
  'unseen',
])
// They run text as a command, at another time or again and again.
const LATER = new Set('at batch crontab watch flock script su parallel'.split(' '))

type OwnCall = { first: Operand; rest: readonly Operand[]; places: Places; notes: TouchNotes }

/** The command of Beckon that a word and its arguments start, if agents may not run it. */
function ownCommand(call: OwnCall): string | undefined {
  const { first, rest } = call
  const name = baseName(first.text).replace(/\.exe$/i, '')
  const ownUse = forbidden(rest, 0)
  if (ownUse !== undefined && isOwn(first, call)) return ownUse
  if (TAKES_NAMES.test(name) || isListed(name)) return undefined
  // Started by another program: `npx beckon`, `docker exec web beckon`, `bun src/main.ts`.
  for (const [at, word] of rest.slice(0, LOOKED_AT_MAX).entries()) {
    const begins = rest[at + 1]?.text === '--' ? at + 2 : at + 1
    const subcommand = forbidden(rest, begins)
    if (subcommand === undefined) continue
    if (NAME.test(baseName(word.text).replace(/@.*$/s, ''))) return subcommand
    if (RUNNERS.test(name) && word.why === undefined && isSource(word, call)) return subcommand
  }
  return ends(name, call)
}

/** Words that are not known, given to Beckon: what the text holds elsewhere may be them. */
function fedCommand({ words }: Command, call: OwnCall, text: string): string | undefined {
  const isUnknown = words.some(({ sure }) => sure === 'part')
  if (!isUnknown || !isOwn(call.first, call)) return undefined
  const verb = VERB.exec(text)?.[0]
  return verb === undefined ? undefined : `beckon ${verb}`
}

/** A program whose arguments are known to be files. */
function isListed(name: string): boolean {
  return Object.hasOwn(TOUCH_ROWS, name) || Object.hasOwn(PROGRAMS, name)
}

/** Ending the program also ends the hook's checks. */
function ends(name: string, { rest, notes }: OwnCall): string | undefined {
  if (name === 'kill') return notes.seeksOwn ? 'kill' : undefined
  if (!ENDS.test(name) || !rest.some(({ text }) => /\bbeckon\b/i.test(text))) return undefined
  if (/^(pgrep|pidof)$/.test(name)) notes.seeksOwn = true
  const isEnd = /^p?kill|^skill/.test(name) || rest.some(({ text }) => STOPS.test(text))
  return isEnd ? name : undefined
}

const ENDS =
  /^(pkill|killall|skill|pgrep|pidof|systemctl|service|launchctl|docker|podman|kubectl|nerdctl|supervisorctl|pm2)$/
const STOPS = /^(stop|kill|disable|mask|rm|remove|pause|bootout|unload|down|delete)$/

const VERBS = /^(gate|setup|user|key|pair|hook|backup|restore|service|update|expose|audit|policy)$/
const VERB = /\b(setup|user|key|pair|backup|restore|service|expose|policy (?:apply|release))\b/

/** The words of a command that only the person may run. */
function forbidden(words: readonly Operand[], at: number): string | undefined {
  const verb = words[at]
  const isUnknown = verb?.why !== undefined && !verb.prefix
  if (!verb || (!isUnknown && !VERBS.test(verb.text))) return undefined
  const args = words.slice(at)
  const all = args.slice(1)
  const dashes = all.findIndex(({ text }) => text === '--')
  const rest = dashes < 0 ? all : all.slice(0, dashes)
  if (rest.some(({ text }) => /^(--help|-h)$/.test(text))) return undefined
  if (/^(user|key)$/.test(verb.text))
    return rest[0]?.text === 'list' ? undefined : commandLine(args)
  if (verb.text === 'service')
    return /^(status|logs)$/.test(rest[0]?.text ?? '') ? undefined : commandLine(args)
  // The audit trail, with the names of people, is only for people.
  if (verb.text === 'audit')
    return rest[0]?.text === 'export' || rest[0]?.why !== undefined ? commandLine(args) : undefined
  // Who may apply a file may give every yes.
  if (verb.text === 'policy')
    return /^(export|lint|diff|try)$/.test(rest[0]?.text ?? '') ? undefined : commandLine(args)
  if (verb.text === 'update')
    return rest.some(({ text }) => text === '--check') ? undefined : commandLine(args)
  if (verb.text === 'gate' && !/^(add|remove)$/.test(rest[0]?.text ?? ''))
    return rest[0]?.why === undefined ? undefined : commandLine(args)
  if (/^(setup|gate)$/.test(verb.text))
    return rest.some(({ text }) => /^(--check|--dry-run)$/.test(text))
      ? undefined
      : commandLine(args)
  if (!isUnknown) return commandLine(args)
  return rest.some(({ text }) => /^(--undo|reset|revoke)$/.test(text))
    ? commandLine(args)
    : undefined
}

const IN_CODE =
  /\bbeckon\b[\s\S]{0,200}?\b(setup\b[\s\S]{0,200}?--undo|gate\b[\s\S]{0,100}?\b(?:add|remove)|policy\b[\s\S]{0,100}?\b(?:apply|release)|user\b[\s\S]{0,100}?\breset|pair\b|key\b[\s\S]{0,100}?\b(create|revoke)|restore\b|service\b[\s\S]{0,100}?\b(install|uninstall)\b)/

/** The same for code of another language, if its words appear there literally. */
function ownCommandInCode(code: string): string | undefined {
  const match = IN_CODE.exec(code)?.[1]
  return match === undefined ? undefined : `beckon ${/^\w+/.exec(match)?.[0]}`
}

function commandLine(args: readonly Operand[]): string {
  const [verb, second] = args
  const undo = args.some(({ text }) => text === '--undo') ? ' --undo' : ''
  const sub =
    /^(gate|user|key|service|audit|policy)$/.test(verb?.text ?? '') && second
      ? ` ${second.text}`
      : ''
  return `beckon ${verb?.why === undefined ? verb?.text : '…'}${undo}${sub}`
}

/** The same for a shell's text in which names may stand for others. */
function ownCommandInShell(text: string): string | undefined {
  const plain = text.replace(/["'\\]/g, '')
  const [, verb, after = ''] =
    /\bbeckon\b[\s\S]{0,200}?\b(gate (?:add|remove)|policy (?:apply|release)|setup|user|key|pair|hook|backup|restore|service|expose)\b([^\n;|&]*)/.exec(
      plain,
    ) ?? []
  if (verb === undefined || /^\s*(list|status|logs|--check|--dry-run|--help)\b/.test(after))
    return undefined
  return `beckon ${verb}`
}

function isOwn(word: Operand, { notes, places }: OwnCall): boolean {
  if (NAME.test(baseName(word.text))) return true
  if (notes.copies.has(word.text)) return true
  const paths = word.text.includes('/') ? joinAll(word.text, places) : [Bun.which(word.text) ?? '']
  return paths.some((path) => notes.copies.has(path) || isOwnFile(path))
}

/** The program itself, a link to it, or a copy: for the compiled program the size identifies it. */
function isOwnFile(path: string): boolean {
  try {
    const real = realpathSync(path)
    if (real === realpathSync(process.execPath)) return isExecutable()
    const [stats, own] = [statSync(real), statSync(process.execPath)]
    return isExecutable() && stats.isFile() && stats.size === own.size
  } catch {
    return false
  }
}

/** A source file, or a script of its package. */
function isSource(word: Operand, { places }: OwnCall): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(word.text)) {
    if (!/^[\w:.-]+$/.test(word.text)) return false
    return places.some((place) => scriptOf(place, word.text)?.includes('main.ts') === true)
  }
  return joinAll(word.text, places).some((path) => packageAbove(path)?.name === 'beckon')
}

function scriptOf(place: string, name: string): string | undefined {
  const manifest = packageAbove(join(place, 'package.json'))
  return manifest?.name === 'beckon' ? manifest.scripts?.[name] : undefined
}

type Package = { name?: unknown; scripts?: Record<string, string> }

function packageAbove(path: string): Package | undefined {
  let folder = dirname(path)
  for (let up = 0; up < UP_MAX; up++, folder = dirname(folder)) {
    const text = headOf(join(folder, 'package.json'))
    if (text === undefined) continue
    try {
      return JSON.parse(text) as Package
    } catch {
      return undefined
    }
  }
  return undefined
}

type Script = { path: string; isShell: boolean }

const SHELLS = /^(ba|z|da|k|a)?sh$/

/** The files that a command runs as a script: itself, or the first word of a shell. */
function scriptsOf({ program, words }: Command): Script[] {
  if (program.includes('/')) return [{ path: program, isShell: false }]
  if (!SHELLS.test(program) || words.some(({ text }) => /^-\w*c/.test(text))) return []
  const file = words.find(({ text, sure }) => sure === 'text' && !text.startsWith('-'))
  return file ? [{ path: file.text, isShell: true }] : []
}

/** A script on the disk: the Beckon commands that it would run count. */
function noteInScript(
  { path, isShell }: Script,
  places: Places,
  notes: TouchNotes,
  scripts: Scripts,
) {
  for (const file of joinAll(path, places)) {
    const text = headOf(file)
    if (text === undefined || !(isShell || /^#!.*sh\b/.test(text)) || scripts.left-- <= 0) continue
    noteIn(text, readCommandText(text), notes, scripts)
  }
}

/** A copy of the program, or a link to it, counts as the program. */
function noteCopy({ rest, places, notes }: OwnCall) {
  const { operands } = readOptions(rest, [])
  const from = operands.slice(0, -1).find(({ text }) => /^beckon\b/i.test(baseName(text)))
  const to = operands.at(-1)
  if (!from || !to) return
  for (const path of [to.text, ...joinAll(to.text, places)])
    for (const copy of [path, `${path}/${baseName(from.text)}`]) notes.copies.add(copy)
}
