import type { Touch } from '../../ask/wire/matcher/judge.ts'
import type { PathTouch } from '../calls/tool-call.ts'
import { normalise } from '../paths/path-text.ts'
import { addLoss, type Loss } from './losses.ts'
import type { ObjectRead } from './object-read.ts'
import {
  ANYWHERE,
  baseName,
  isRooted,
  join,
  joinAll,
  type Operand,
  type Places,
} from './operand.ts'
import { type Disk, matchPattern, mayName } from './patterns.ts'

/** Returns the kind of a path now; `linked` is a folder that is reached over a link. */
export type DiskLook = (path: string) => 'folder' | 'linked' | 'file' | undefined

/** The names in a folder; undefined when it is not a folder. */
export type List = (folder: string) => readonly string[] | undefined

const TOUCHES_MAX = 500
const LOOKS_MAX = 200
// How much patterns may make the hook read in total: names in folders, and folders.
const ENTRIES_MAX = 2000
// Devices that discard what is written, and descriptors that were opened elsewhere.
const DEVICE = /^\/dev\/(null|zero|full|u?random|tty|std(in|out|err)|fd\/\d+|(tcp|udp)\/.*)$/

// The argument that `find` replaces by a path in a command that it starts.
const FOUND = '{}'

type Taking = Pick<PathTouch, 'leavesOut' | 'follows' | 'nameFilter'>

/** Where a `find` looks, and what it takes of that. */
type FindRun = { starts: readonly Operand[]; places: Places; how: Taking }

/**
 * Collects the facts about a text while its commands are gone through. Bounded: beyond it is open.
 */
export class TouchNotes {
  readonly touches = new Map<string, PathTouch>()
  readonly copied: PathTouch[] = []
  readonly losses: Loss[] = []
  /** Git objects that the text reads. */
  readonly objects: ObjectRead[] = []
  /** True once the names of git's commits stand for something else. */
  movesGit = false
  /** Beckon's own commands that agents may not run. */
  readonly ours = new Set<string>()
  /** Where this text put copies of Beckon's program, and the names it gave to them. */
  readonly copies = new Set<string>()
  readonly linkTargets: string[] = []
  /** True once temporary files were made. */
  hasTemporary = false
  /** True once it looked for running processes of Beckon. */
  seeksOwn = false
  /** Why it may touch more than is known here. */
  why: string | undefined
  /** Why it may read more than is known here. */
  reads: string | undefined
  /** Why it changes files of the project that it does not name. */
  unnamed: string | undefined
  readonly start: string
  /** True while the listed names are given to another program as words. */
  isFed = false
  private found: FindRun = { starts: [], places: [], how: {} }
  private readonly links = new Set<string>()
  private readonly gone = new Set<string>()
  private readonly files = new Set<string>()
  /** How often each path is touched. */
  private readonly counts = new Map<string, number>()
  private looks = 0
  private entries = 0
  private readonly look: DiskLook
  private readonly list: List

  constructor(start: string, look: DiskLook, list: List) {
    this.start = start
    this.look = look
    this.list = list
  }

  open(why: string) {
    this.why ??= why
  }

  readsMore(why: string) {
    this.reads ??= why
  }

  changesUnnamed(why: string) {
    this.unnamed ??= why
  }

  /** Notes work that may be destroyed and has no other copy. */
  lose(loss: Loss) {
    addLoss(this.losses, loss)
  }

  /** Notes that a file or a folder is destroyed; everything, where it is not known which. */
  loseFile({ text, why }: Operand, places: Places) {
    const isKnown = why === undefined && (isRooted(text) || !places.includes(ANYWHERE))
    this.lose({ how: 'both', places, ...(isKnown ? { paths: joinAll(text, places) } : {}) })
  }

  /**
   * The names that a pattern stands for now. If nothing matches, or more may match once the command
   * runs, the pattern itself stays beside them.
   */
  expanded(operand: Operand, places: Places): Operand[] {
    if (operand.isPattern && operand.text === FOUND) return [{ text: FOUND }]
    if (!operand.isPattern) return [operand]
    const { found: names } = this.matches(operand.text, places)
    const isLater = [...this.touches.values()].some(
      ({ touch, path }) => touch === 'write' && mayName(operand.text, path),
    )
    const isOpen = names.length === 0 || places.includes(ANYWHERE) || isLater || this.isSpent()
    return [...(isOpen ? [operand] : []), ...names.map((text) => ({ text }))]
  }

  /** The names that match a pattern, and those that would if they were there. */
  matches(pattern: string, places: Places) {
    const folders = places.filter((place) => place !== ANYWHERE)
    const all = folders.map((place) => matchPattern(pattern, place, this.disk))
    return {
      found: [...new Set(all.flatMap(({ found: names }) => names))],
      near: all.flatMap(({ near }) => near),
    }
  }

  /** Returns true if the text has more names than are read. */
  isSpent(): boolean {
    return this.entries > ENTRIES_MAX
  }

  /** `*` matches names that begin with a dot, too. */
  matchesHidden() {
    this.disk.hidden = true
  }

  private readonly disk: Disk = {
    names: (folder) => {
      if (++this.entries > ENTRIES_MAX) return undefined
      const names = this.list(folder)
      const remaining = ENTRIES_MAX - this.entries
      this.entries += names?.length ?? 0
      return names?.slice(0, remaining)
    },
    isThere: (path) => ++this.entries <= ENTRIES_MAX && this.look(path) !== undefined,
  }

  /** Notes where a `find` looks for what the commands that it starts are given. */
  findsIn(starts: readonly Operand[], places: Places, how: Taking) {
    const bases = starts.filter(({ text }) => !text.startsWith(FOUND))
    if (bases.length < starts.length) this.open('it looks in what it found')
    this.found = { starts: bases, places, how: { leavesOut: true, ...how } }
    if (this.isFed) this.noteReadOfSearch()
  }

  /** Notes that a command reads or copies what a `find` found. */
  noteReadOfSearch() {
    const { starts, places, how } = this.found
    for (const start of starts) this.takeCopy(start, places, how)
  }

  /** Notes that a command changes what a `find` found. */
  noteChangeOfSearch() {
    this.changesUnnamed('find changes what it finds')
    this.noteReadOfSearch()
    const { starts, places } = this.found
    // In the whole project, what is found is not interpreted.
    for (const start of starts)
      if (!/^(\.\/+)*(\.\/*)?$/.test(start.text)) this.target(start, 'tree', places)
  }

  /** Notes what is done to a file, in every folder that the command may run in. */
  target(operand: Operand, touch: Touch, places: Places) {
    if (operand.why !== undefined) {
      this.open(`a file that it changes is not known: ${operand.why}`)
      return
    }
    if (operand.text === '') return
    if (operand.text.startsWith(FOUND)) return this.noteChangeOfSearch()
    const paths = joinAll(operand.text, places)
    if (places.includes(ANYWHERE) && paths.length < places.length)
      this.open('a folder that it changes to is not known')
    for (const path of paths) {
      if (DEVICE.test(path)) continue
      const key = `${touch} ${path}`
      if (this.touches.size >= TOUCHES_MAX) this.open('it touches too much')
      else this.touches.set(key, { path, touch, ...this.touches.get(key) })
      this.counts.set(path, (this.counts.get(path) ?? 0) + 1)
      if (touch === 'write') this.gone.delete(path)
      else this.gone.add(path)
    }
  }

  /** Notes a file that a redirection writes: it is no folder. */
  redirect(operand: Operand, places: Places) {
    this.target(operand, 'write', places)
    if (operand.why !== undefined) return
    for (const path of joinAll(operand.text, places)) this.files.add(path)
  }

  /** As `target`, for a folder that is removed or moved with everything in it. */
  takeAway(operand: Operand, places: Places) {
    this.target(operand, 'tree', places)
    if (operand.why !== undefined) return
    for (const path of joinAll(operand.text, places)) {
      const touch = this.touches.get(`tree ${path}`)
      if (touch) touch.goes = true
    }
  }

  /** Notes a folder that is copied with everything in it. */
  takeCopy(operand: Operand, places: Places, how: Taking = {}) {
    if (operand.why !== undefined) return
    for (const path of joinAll(operand.text, places)) {
      // With a repository its objects are copied.
      const isRepository = /\/\.git(\/|$)/.test(path) || this.lookAt(`${path}/.git`) !== undefined
      if (isRepository && !how.leavesOut) this.objects.push({ what: 'history', place: path })
      if (this.copied.length >= TOUCHES_MAX) this.open('it copies too much')
      else this.copied.push({ path, touch: 'read', goes: true, ...how })
    }
  }

  /** Notes a new link: anything written to it ends up somewhere else, and reading it does too. */
  link(operand: Operand, places: Places, source?: Operand, touch: Touch = 'write') {
    this.target(operand, touch, places)
    if (operand.why !== undefined) return
    for (const path of joinAll(operand.text, places)) {
      this.links.add(path)
      // A link's target is seen from the folder of the link.
      if (source && source.why === undefined) {
        const target = join(path.replace(/[^/]*\/*$/, ''), source.text)
        this.linkTargets.push(target)
        // Whatever reads the folder of the link may read what is in its target.
        this.takeCopy({ text: target }, [], { leavesOut: true })
      }
    }
  }

  /** Returns true if the text writes over a link that it creates. */
  writesOverLink(): boolean {
    const isTwice = [...this.links].some((link) => (this.counts.get(link) ?? 0) > 1)
    return isTwice || this.leadsOverLink([...this.touches.values()].map(({ path }) => path))
  }

  /** Returns true if one of the paths leads through a link that the text creates. */
  leadsOverLink(paths: readonly string[]): boolean {
    const links = [...this.links].map(normalise)
    return (
      links.length > 0 &&
      paths.some((path) => links.some((link) => mayBeBelow(normalise(path), link)))
    )
  }

  /** Returns true if the path is a folder now, or this text may have created it. */
  holdsFolder(path: string): boolean {
    return this.isTouched(path) || /^(folder|linked)$/.test(this.lookAt(path) ?? '')
  }

  /**
   * Returns true if the path is a folder, existing or created by this text, that was not removed
   * since.
   */
  isFolderNow(path: string): boolean {
    const now = this.lookAt(path)
    if (now === 'linked') return this.gone.size === 0
    const isMade = this.touches.has(`write ${path}`) && !this.files.has(path)
    if (now !== 'folder' && !isMade) return false
    return ![...this.gone].some((one) => path === one || path.startsWith(`${one}/`))
  }

  /** Returns true if the path is a file that this text has not touched before. */
  holdsFile(path: string): boolean {
    return !this.isTouched(path) && this.lookAt(path) === 'file'
  }

  /** Returns true if the path is a link to a folder, or lies below one. */
  isLinked(path: string): boolean {
    return this.lookAt(path) === 'linked'
  }

  /** Returns true if the text writes to this file. */
  isWritten(path: string): boolean {
    return this.touches.has(`write ${path}`)
  }

  private isTouched(path: string): boolean {
    return this.touches.has(`write ${path}`) || this.touches.has(`tree ${path}`)
  }

  private lookAt(path: string) {
    return ++this.looks <= LOOKS_MAX ? this.look(path.replace(/(?<=[^/])\/+$/, '')) : undefined
  }
}

/**
 * Returns true if a path, or a match of a pattern, may be below a folder that does not exist yet.
 */
function mayBeBelow(path: string, folder: string): boolean {
  const above = folder.split('/')
  const names = path.split('/')
  if (names.includes('**')) return true
  return (
    names.length > above.length &&
    above.every((name, at) => name === names[at] || /[*?[]/.test(names[at] ?? ''))
  )
}

/** `folder/name` for a source that is put into a folder. */
export function inFolder(folder: Operand, source: Operand): Operand {
  return { text: join(folder.text === '' ? '.' : folder.text, `./${baseName(source.text)}`) }
}
