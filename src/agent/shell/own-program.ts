import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isExecutable } from '../../platform/program.ts'
import type { Call } from './call.ts'
import { SHELL_COMMANDS } from './commands.ts'
import type { Arg } from './notes.ts'
import { baseName } from './operands.ts'
import { readOptions } from './options.ts'
import { PROGRAMS } from './programs.ts'
import { HOLE } from './word-text.ts'

// The compiled program, or the source that Bun runs.
const NAME = /^beckon(\.exe|[-_@](linux|darwin|windows|macos|v?\d|latest).*)?$/i
const RUNNERS = /^(bun|bunx|node|nodejs|deno|tsx|npm|npx|pnpm|pnpx|yarn)$/
// The arguments of these are file names or text, and start no program.
const TAKES_NAMES =
  /^(echo|printf|print|grep|egrep|rg|ag|man|which|type|whereis|cat|less|head|tail|git|gh|ls|cd|test|\[|\[\[|diff|cmp|comm|du|wc|stat|file|tree|find|code|vi|n?vim|nano|emacs|open|jq|md5sum|sha256sum)$/
const LOOKED_AT_MAX = 12
const UP_MAX = 6
const SCRIPT_MAX_BYTES = 64 * 1024

/**
 * The command of Beckon that a word and its arguments start, if agents may not run it
 * (docs/hooks.md): it would switch off what watches the agent, or let it answer itself.
 */
export function ownCommand(first: Arg, rest: readonly Arg[], call: Call): string | undefined {
  const name = baseName(first.text).replace(/\.exe$/i, '')
  const asked = forbidden(rest, 0)
  if (asked !== undefined && isOwn(first, call)) return asked
  if (TAKES_NAMES.test(name) || isListed(name)) return undefined
  // Started by another program: `npx beckon`, `docker exec web beckon`, `bun src/main.ts`.
  for (const [at, word] of rest.slice(0, LOOKED_AT_MAX).entries()) {
    const begins = rest[at + 1]?.text === '--' ? at + 2 : at + 1
    const found = forbidden(rest, begins)
    if (found === undefined) continue
    if (NAME.test(baseName(word.text).replace(/@.*$/s, ''))) return found
    if (RUNNERS.test(name) && word.why === undefined && isSource(word, call)) return found
  }
  return ends(name, rest, call)
}

/** A program whose arguments are known to be files. */
function isListed(name: string): boolean {
  return Object.hasOwn(SHELL_COMMANDS, name) || Object.hasOwn(PROGRAMS, name)
}

/** Ending the program also ends the hook's checks. */
function ends(name: string, rest: readonly Arg[], { shell }: Call): string | undefined {
  if (name === 'kill') return shell.notes.seeksOwn ? 'kill' : undefined
  if (!ENDS.test(name) || !rest.some(({ text }) => /\bbeckon\b/i.test(text))) return undefined
  if (/^(pgrep|pidof)$/.test(name)) shell.notes.seeksOwn = true
  const isEnd = /^p?kill|^skill/.test(name) || rest.some(({ text }) => STOPS.test(text))
  return isEnd ? name : undefined
}

const ENDS =
  /^(pkill|killall|skill|pgrep|pidof|systemctl|service|launchctl|docker|podman|kubectl|nerdctl|supervisorctl|pm2)$/
const STOPS = /^(stop|kill|disable|mask|rm|remove|pause|bootout|unload|down|delete)$/

const VERBS = /^(setup|user|key|pair|hook|backup|restore|service|update|expose|audit)$/

/** The words of a command that only the person may run. */
function forbidden(words: readonly Arg[], at: number): string | undefined {
  const verb = words[at]
  const isUnknown = verb?.why !== undefined && verb.raw.startsWith(HOLE)
  if (!verb || (!isUnknown && !VERBS.test(verb.text))) return undefined
  const args = words.slice(at)
  const all = args.slice(1)
  const dashes = all.findIndex(({ text }) => text === '--')
  const rest = dashes < 0 ? all : all.slice(0, dashes)
  if (rest.some(({ text }) => /^(--help|-h)$/.test(text))) return undefined
  if (/^(user|key)$/.test(verb.text)) return rest[0]?.text === 'list' ? undefined : said(args)
  if (verb.text === 'service')
    return /^(status|logs)$/.test(rest[0]?.text ?? '') ? undefined : said(args)
  // Who asked and who answered is only for people.
  if (verb.text === 'audit')
    return rest[0]?.text === 'export' || rest[0]?.why !== undefined ? said(args) : undefined
  if (verb.text === 'update')
    return rest.some(({ text }) => text === '--check') ? undefined : said(args)
  if (verb.text === 'setup')
    return rest.some(({ text }) => /^(--check|--dry-run)$/.test(text)) ? undefined : said(args)
  if (!isUnknown) return said(args)
  return rest.some(({ text }) => /^(--undo|reset|revoke)$/.test(text)) ? said(args) : undefined
}

const IN_CODE =
  /\bbeckon\b[\s\S]{0,200}?\b(setup\b[\s\S]{0,200}?--undo|user\b[\s\S]{0,100}?\breset|pair\b|key\b[\s\S]{0,100}?\b(create|revoke)|restore\b|service\b[\s\S]{0,100}?\b(install|uninstall)\b)/

/** The same for code of another language, if its words appear there literally. */
export function ownCommandInCode(code: string): string | undefined {
  const found = IN_CODE.exec(code)?.[1]
  return found === undefined ? undefined : `beckon ${/^\w+/.exec(found)?.[0]}`
}

function said(args: readonly Arg[]): string {
  const [verb, second] = args
  const undo = args.some(({ text }) => text === '--undo') ? ' --undo' : ''
  const sub = /^(user|key|service|audit)$/.test(verb?.text ?? '') && second ? ` ${second.text}` : ''
  return `beckon ${verb?.why === undefined ? verb?.text : '…'}${undo}${sub}`
}

function isOwn(word: Arg, { shell, places }: Call): boolean {
  if (NAME.test(baseName(word.text))) return true
  if (shell.notes.copies.has(word.text)) return true
  const paths = word.text.includes('/')
    ? shell.notes.joined(word, places)
    : [Bun.which(word.text) ?? '']
  return paths.some((path) => shell.notes.copies.has(path) || isOwnFile(path))
}

/** The program itself, a link to it, or a copy: for the compiled program the size identifies it. */
function isOwnFile(path: string): boolean {
  try {
    const real = realpathSync(path)
    if (real === realpathSync(process.execPath)) return isExecutable()
    const [found, own] = [statSync(real), statSync(process.execPath)]
    return isExecutable() && found.isFile() && found.size === own.size
  } catch {
    return false
  }
}

/** A source file, or a script of its package. */
function isSource(word: Arg, { shell, places }: Call): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(word.text)) {
    if (!/^[\w:.-]+$/.test(word.text)) return false
    return places.some((place) => scriptOf(place, word.text)?.includes('main.ts') === true)
  }
  return shell.notes.joined(word, places).some((path) => packageAbove(path)?.name === 'beckon')
}

function scriptOf(place: string, name: string): string | undefined {
  const found = packageAbove(join(place, 'package.json'))
  return found?.name === 'beckon' ? found.scripts?.[name] : undefined
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

/** The beginning of a file, because a script that runs a forbidden command is short. */
export function headOf(path: string): string | undefined {
  let file: number | undefined
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(SCRIPT_MAX_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, SCRIPT_MAX_BYTES, 0))
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * A script on disk, or one that this command wrote: the Beckon commands that it would run count.
 */
export function runScript(script: Arg, call: Call, isShell = false) {
  const { shell, places } = call
  if (script.why !== undefined) return
  for (const path of shell.notes.joined(script, places)) {
    const text = shell.notes.written.get(path) ?? headOf(path)
    if (text !== undefined && (isShell || /^#!.*sh\b/.test(text))) shell.readAside(text, places)
  }
}

export const COPIES = /^(cp|ln|mv|install)$/

/** A copy of the program, or a link to it, counts as the program. */
export function copied(args: readonly Arg[], { shell, places }: Call) {
  const { notes } = shell
  const { operands } = readOptions(args, [])
  const from = operands.slice(0, -1).find(({ text }) => /^beckon\b/i.test(baseName(text)))
  const to = operands.at(-1)
  if (!from || !to) return
  for (const path of [to.text, ...notes.joined(to, places)])
    for (const copy of [path, `${path}/${baseName(from.text)}`]) notes.copies.add(copy)
}
