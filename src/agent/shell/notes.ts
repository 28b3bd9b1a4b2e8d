import type { Touch } from '../../ask/wire/matcher/judge.ts'
import type { PathTouch } from '../hook/tool-call.ts'
import type { Excluding } from './exclusions.ts'
import { type Disk, globWord } from './glob-words.ts'
import { addLoss, type Loss } from './losses.ts'
import { HOLE, head, PATTERN, resolveWord, tails, unknownIn, withoutQuotes } from './word-text.ts'

/** A word of a command after braces were expanded; `why` says why its value is not known. */
export type Arg = { text: string; raw: string; why?: string }

/** The folders that a command may run in, usually one. `UNKNOWN` stands for any. */
export type Places = readonly string[]
export const UNKNOWN = '\0'

/** What is at a path now; `linked` is a folder that is reached over a link. */
export type DiskLook = (path: string) => 'folder' | 'linked' | 'file' | undefined

/** The names in a folder; undefined when it is not a folder. */
export type List = (folder: string) => readonly string[] | undefined

const TOUCHES_MAX = 500
const LITERALS_MAX = 1000
const PLACES_MAX = 8
const PATH_MAX = 8192
const LOOKS_MAX = 200
// How much patterns may make the hook read in total: names in folders, and folders.
const ENTRIES_MAX = 2000
// How often bodies of loops are read again, in total.
const REPEATS_MAX = 100
// Devices that discard what is written, and descriptors that were opened elsewhere.
const DEVICE = /^\/dev\/(null|zero|full|u?random|tty|std(in|out|err)|fd\/\d+|(tcp|udp)\/.*)$/

/**
 * What is learned about a command while it is read. Bounded: a command beyond the bounds is opaque.
 */
export class Notes {
  readonly touches = new Map<string, PathTouch>()
  readonly literals = new Set<string>()
  readonly copied: PathTouch[] = []
  why: string | undefined
  /** Whether `$PWD` and `$HOME` are unchanged: the command sets no variable of these names. */
  keepsPlaces = true
  /** Whether the words of a command are all its options: it sets no variable that adds some. */
  keepsOptions = true
  /** Commands of Beckon that an agent may not run. */
  readonly ours = new Set<string>()
  readonly losses: Loss[] = []
  /** Where this command put copies of Beckon's program, and the names it gave to them. */
  readonly copies = new Set<string>()
  /** It looked for running processes of Beckon. */
  seeksOwn = false
  /** The text that this command wrote into files, if the command contains it literally. */
  readonly written = new Map<string, string>()
  private readonly links = new Set<string>()
  private readonly gone = new Set<string>()
  private looks = 0

  readonly start: string
  private readonly look: DiskLook
  private readonly list: List
  /** How many open bodies may run more than once. */
  again = 0
  private entries = 0
  private repeats = 0

  constructor(start: string, look: DiskLook, list: List) {
    this.start = start
    this.look = look
    this.list = list
  }

  /** For text that may never run: reads the same disk, with a budget of its own. */
  beside(): Notes {
    return new Notes(this.start, this.look, this.list)
  }

  /**
   * The words that the shell expands a pattern to. If nothing matches, the word stays unknown; if
   * more may match once the command runs, the unknown word stays beside the matches.
   */
  expanded(arg: Arg, places: Places): Arg[] {
    if (arg.why !== PATTERN || arg.raw.includes(HOLE)) return [arg]
    this.literal(arg, places)
    const known = places.filter((place) => place !== UNKNOWN)
    const all = known.map((place) => globWord(arg.raw, place, this.disk))
    const found = [...new Set(all.flatMap((one) => one.found))]
    const near = all.flatMap((one) => one.near)
    for (const text of found.length > 0 ? [] : near) this.literal({ text, raw: text }, places)
    if (this.entries > ENTRIES_MAX) this.opaque('a pattern may name too many files')
    const more = known.length < places.length || this.touches.size > 0 || this.again > 0
    const open = found.length === 0 || more || this.entries > ENTRIES_MAX
    return [...(open ? [arg] : []), ...found.map((text) => ({ text, raw: text }))]
  }

  private readonly disk: Disk = {
    names: (folder) => {
      if (++this.entries > ENTRIES_MAX) return undefined
      const names = this.list(folder)
      const left = ENTRIES_MAX - this.entries
      this.entries += names?.length ?? 0
      return names?.slice(0, left)
    },
    isThere: (path) => ++this.entries <= ENTRIES_MAX && this.look(path) !== undefined,
  }

  /** Whether the body of a loop may be read this many times more; the total work is bounded. */
  mayRepeat(times: number): boolean {
    this.repeats += times
    return this.repeats <= REPEATS_MAX
  }

  /** Notes work that may be destroyed and has no other copy. */
  lose(loss: Loss) {
    addLoss(this.losses, loss)
  }

  opaque(why: string) {
    this.why ??= why
  }

  /**
   * Notes what is done to the file that a word names, for every folder that the command may run in.
   */
  target(arg: Arg, touch: Touch, places: Places) {
    if (arg.why !== undefined) {
      this.opaque(`a target is not known: ${arg.why}`)
      return
    }
    if (arg.text === '') return
    if (!isRooted(arg) && places.includes(UNKNOWN))
      this.opaque('a folder that it changes to is not known')
    for (const path of this.joined(arg, places)) {
      if (DEVICE.test(path)) continue
      if (this.leadsOverLink(path)) this.opaque('it writes over a link that it makes')
      if (this.touches.size >= TOUCHES_MAX) this.opaque('it touches too much')
      else
        this.touches.set(`${touch} ${path}`, {
          path,
          touch,
          ...this.touches.get(`${touch} ${path}`),
        })
      if (touch === 'write') this.gone.delete(path)
      else this.gone.add(path)
    }
  }

  /** As `target`, for a folder that is removed or moved with everything in it. */
  takeAway(arg: Arg, places: Places) {
    this.target(arg, 'tree', places)
    if (arg.why !== undefined) return
    for (const path of this.joined(arg, places)) {
      const touch = this.touches.get(`tree ${path}`)
      if (touch) touch.goes = true
    }
  }

  /**
   * Notes a folder that is copied with everything in it, but for what `patterns` leave out in the
   * way the program reads them.
   */
  takeCopy(arg: Arg, places: Places, out?: { by: Excluding; patterns: readonly Arg[] }) {
    if (arg.why !== undefined) return
    const known = out?.patterns.filter(({ why }) => why === undefined) ?? []
    const names = known.flatMap(({ text }) => out?.by(text, arg.text) ?? [])
    for (const path of this.joined(arg, places)) {
      if (this.copied.length >= TOUCHES_MAX) this.opaque('it copies too much')
      else this.copied.push({ path, touch: 'read', goes: true, except: names })
    }
  }

  /** A word with `$PWD` and `$HOME` replaced, if they are known. */
  settled(raw: string, places: Places): string {
    const [place] = places.length === 1 && this.keepsPlaces ? places : []
    return resolveWord(raw, place === UNKNOWN ? undefined : place)
  }

  /** The paths that a word may stand for, if the folders are known. */
  joined(arg: Arg, places: Places): string[] {
    if (isRooted(arg)) return [arg.text]
    return places.filter((place) => place !== UNKNOWN).map((place) => join(place, arg.text))
  }

  /** Notes a new link: anything written to it from now on ends up somewhere else. */
  link(arg: Arg, places: Places, source?: Arg) {
    this.target(arg, 'write', places)
    // A link's target is relative to the folder of the link.
    if (source !== undefined && source.why === undefined && arg.why === undefined)
      this.literal(literalArg(`${/^.*\//s.exec(arg.text)?.[0] ?? ''}${source.text}`), places)
    for (const path of this.joined(arg, places)) this.links.add(path)
  }

  private leadsOverLink(path: string): boolean {
    return [...this.links].some((link) => path === link || path.startsWith(`${link}/`))
  }

  /** Notes text that could be a path, in any position. */
  literal(arg: Arg, places: Places) {
    const text = arg.why === undefined ? arg.text : head(arg.raw)
    for (const rest of arg.why === undefined ? [] : tails(arg.raw))
      this.keep({ text: rest, raw: rest }, places)
    if (arg.why !== undefined && !text.includes('/') && !text.includes('=')) return
    for (const spelling of spellings(text)) this.keep({ ...arg, text: spelling }, places)
  }

  /** Notes every part of a text that could be a path: the code that an interpreter is given. */
  code(text: string, places: Places) {
    for (const piece of text.split(/[\s"'`()[\]{},;=<>|&]+/))
      this.keep({ text: piece, raw: piece }, places)
  }

  /** The folders after a change of folder; a path that gets too long is not followed. */
  enter(arg: Arg, places: Places): string[] {
    if (arg.why !== undefined) return [UNKNOWN]
    const known = isRooted(arg)
      ? [arg.text]
      : places.map((place) => (place === UNKNOWN ? UNKNOWN : join(place, arg.text)))
    return known.map((place) => (place.length > PATH_MAX ? UNKNOWN : place))
  }

  /** Whether it is a folder now, or an earlier command here may have created it. */
  holdsFolder(path: string): boolean {
    return this.isTouched(path) || /^(folder|linked)$/.test(this.lookAt(path) ?? '')
  }

  /** Whether it is a folder, old or created by this command, that was not removed since. */
  isFolderNow(path: string): boolean {
    const now = this.lookAt(path)
    if (now === 'linked') return this.gone.size === 0
    if (now !== 'folder' && !this.touches.has(`write ${path}`)) return false
    return ![...this.gone].some((one) => path === one || path.startsWith(`${one}/`))
  }

  /** Whether it is a file now that this command has not touched before. */
  holdsFile(path: string): boolean {
    return !this.isTouched(path) && this.lookAt(path) === 'file'
  }

  isThere(path: string): boolean {
    return this.lookAt(path) !== undefined
  }

  private isTouched(path: string): boolean {
    return this.touches.has(`write ${path}`) || this.touches.has(`tree ${path}`)
  }

  private lookAt(path: string) {
    return ++this.looks <= LOOKS_MAX ? this.look(path.replace(/(?<=[^/])\/+$/, '')) : undefined
  }

  private keep(arg: Arg, places: Places) {
    if (arg.text === '' || arg.text.length > PATH_MAX || arg.text.includes('\n')) return
    const paths = isRooted(arg)
      ? [arg.text]
      : [...places, this.start].filter((one) => one !== UNKNOWN).map((one) => join(one, arg.text))
    for (const path of paths) {
      if (this.literals.size < LITERALS_MAX) this.literals.add(path)
      else this.opaque('it names too many things')
    }
  }
}

/** Absolute, or in the home folder. */
function isRooted({ text, raw }: Arg): boolean {
  return text.startsWith('/') || /^~(\/|$)/.test(raw) || /^[A-Za-z]:[\\/]/.test(text)
}

function join(place: string, text: string): string {
  const tidy = text.replace(/^(\.\/+)+/, '')
  if (tidy === '' || tidy === '.') return place
  return place.endsWith('/') ? `${place}${tidy}` : `${place}/${tidy}`
}

/** `--output=a`, `of=a`, `@a`, `HEAD:a`, `-oa`: the part after the sign may be the path. */
function spellings(text: string): string[] {
  const found = [text]
  const behind = /^[^=:@]*[=:@]+(.+)$/s.exec(text)?.[1]
  if (behind !== undefined) found.push(behind)
  // `/a:/b` mounts `/a` in a container.
  const before = /^([/.~][^:]*):/.exec(text)?.[1]
  if (before !== undefined) found.push(before)
  if (/^-[A-Za-z]./.test(text)) found.push(text.slice(2))
  const bare = text.replace(/^[\u2018-\u201F]+|[\u2018-\u201F]+$/g, '')
  if (bare !== text) found.push(bare)
  return found
}

export function union(...all: Places[]): Places {
  const places = [...new Set(all.flat())]
  return places.length > PLACES_MAX ? [UNKNOWN] : places
}

/** An argument that is literal. */
export function literalArg(text: string): Arg {
  return { text, raw: text }
}

export function argOf(raw: string, why: string | undefined): Arg {
  const unknown = why ?? unknownIn(raw)
  return { text: withoutQuotes(raw), raw, ...(unknown === undefined ? {} : { why: unknown }) }
}
