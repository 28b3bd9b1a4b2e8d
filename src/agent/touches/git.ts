import { normalise } from '../paths/path-text.ts'
import { loseByGit } from './git-losses.ts'
import { FILLS, MOVES, objectReads } from './git-objects.ts'
import type { TouchNotes } from './notes.ts'
import { ANYWHERE, baseName, enter, joinAll, type Operand, type Places } from './operand.ts'
import { touchOperands } from './operands.ts'
import { hasExactly, hasFlag, list, readOptions, valuesOf } from './options.ts'
import type { TouchRow } from './rows.ts'

const GLOBAL = '-C -c --git-dir --work-tree --namespace --exec-path --config-env'
const READS = new Set(
  'status log show diff blame grep ls-files ls-tree ls-remote rev-parse rev-list describe cat-file for-each-ref shortlog reflog remote branch tag fetch push add commit help version var check-ignore merge-base name-rev count-objects fsck gc notes difftool whatchanged cherry symbolic-ref hash-object update-index write-tree'.split(
    ' ',
  ),
)
const ROWS: Readonly<Record<string, TouchRow>> = {
  mv: { operands: 'move' },
  rm: { operands: 'all', touch: 'delete', deep: '-r' },
  archive: { operands: 'none', writes: '-o --output', takes: '--format --prefix --remote' },
  init: { operands: 'all', touch: 'tree', takes: '--template -b --initial-branch --object-format' },
  'format-patch': { operands: 'none', trees: '-o --output-directory' },
}

/**
 * Notes the effects of git on files of the work tree, and the objects that it reads; effects that
 * depend on the history are not known. `isGuided`: variables may say where the repository is.
 */
export function touchByGit(
  words: readonly Operand[],
  begins: { places: Places; isGuided: boolean },
  notes: TouchNotes,
) {
  let { places } = begins
  let repository: Places | undefined
  let at = 0
  const aliases = new Map<string, string>()
  for (; at < words.length && /^-/.test(words[at]?.text ?? ''); at++) {
    const { values } = readOptions(words.slice(at, at + 2), list(GLOBAL))
    const [option] = values
    if (!option) continue
    if (option.value === words[at + 1]) at++
    if (option.option === '--git-dir') repository = enter(option.value, places)
    if (option.option === '--work-tree') repository ??= places
    if (/^(-C|--work-tree)$/.test(option.option)) places = enter(option.value, places)
    if (/^(core\.worktree|include)/i.test(option.value.text)) repository ??= places
    const [, name, text] = /^alias\.([\w-]+)=(.+)$/is.exec(option.value.text) ?? []
    if (option.option === '-c' && name !== undefined && text !== undefined) aliases.set(name, text)
  }
  const [verb, ...rest] = words.slice(at)
  if (verb === undefined) return
  const alias = aliases.get(verb.text)
  // Files of the repository go to another folder.
  const isCopy = repository !== undefined && FILLS.test(verb.text)
  const sources = repository ?? places
  if (isCopy || begins.isGuided || alias?.trim().startsWith('!'))
    noteAllObjects(begins.isGuided ? [notes.start, ...sources] : sources, notes)
  if (verb.why !== undefined) {
    notes.open(`what git does is not known: ${verb.why}`)
    noteAllObjects(sources, notes)
    notes.lose({ how: 'both', places })
  } else if (alias === undefined) {
    noteObjects(verb, rest, sources, notes)
    touch(verb.text, rest, places, notes)
  } else {
    notes.open('it gives git other commands')
    const [other = '', ...before] = alias.trim().split(/\s+/)
    const all = [...before.map((text) => ({ text })), ...rest]
    noteObjects({ text: other }, all, sources, notes)
    touch(other, all, places, notes)
  }
}

/** Notes what a git command reads from objects. */
export function noteObjects(
  verb: Operand,
  words: readonly Operand[],
  places: Places,
  notes: TouchNotes,
) {
  notes.movesGit ||= MOVES.test(verb.text)
  notes.objects.push(...objectReads(verb, words, { places, start: notes.start }))
}

function noteAllObjects(places: Places, notes: TouchNotes) {
  noteObjects({ text: '', why: 'anything' }, [], places, notes)
}

// They change nothing, wherever they are told to look.
const LOOKS =
  /^(status|log|show|diff|blame|grep|ls-files|ls-tree|ls-remote|rev-parse|rev-list|describe|cat-file|for-each-ref|shortlog|reflog|remote|branch|tag|config|help|version|var|check-ignore|merge-base|name-rev|count-objects|fsck|whatchanged|cherry|stash|worktree)$/

function touch(verb: string, words: readonly Operand[], places: Places, notes: TouchNotes) {
  loseByGit(verb, words, places, notes)
  if (!LOOKS.test(verb)) noteElsewhere(places, notes)
  const row = Object.hasOwn(ROWS, verb) ? ROWS[verb] : undefined
  if (row) touchOperands(row, words, places, notes)
  else if (verb === 'checkout' || verb === 'restore') restore(verb, words, places, notes)
  else if (verb === 'clean') clean(words, places, notes)
  else if (verb === 'clone') clone(words, places, notes)
  else if (verb === 'worktree') worktree(words, places, notes)
  else if (verb === 'config') config(words, places, notes)
  else if (verb === 'stash' && /^(list|show|drop|clear)$/.test(words[0]?.text ?? '')) return
  else if (verb === 'apply' || verb === 'am') patched(words, notes)
  else if (READS.has(verb)) {
    const options = readOptions(words, ['--output'])
    for (const value of valuesOf(options, '--output')) notes.target(value, 'write', places)
  } else notes.changesUnnamed(`git ${verb} changes files that it does not name`)
}

/** `git -C ../other commit` changes another repository. */
function noteElsewhere(places: Places, notes: TouchNotes) {
  for (const place of places) {
    if (place !== ANYWHERE && !`${normalise(place)}/`.startsWith(`${normalise(notes.start)}/`))
      notes.target({ text: place }, 'tree', places)
  }
}

function patched(words: readonly Operand[], notes: TouchNotes) {
  const looks = '--check --stat --numstat --summary --show-current-patch --abort --quit'
  const options = readOptions(words, list('-p -C --directory --exclude --include --whitespace'))
  if (hasExactly(options, looks) && !options.flags.has('--apply')) return
  notes.open('it writes what its patch names')
}

function restore(verb: string, words: readonly Operand[], places: Places, notes: TouchNotes) {
  const dashes = words.findIndex(({ text }) => text === '--')
  const { operands, flags } = readOptions(words, list('-b -B --orphan -s --source --conflict'))
  // A word that begins like this is never a branch.
  const isFirst =
    operands[0]?.why === undefined && /^(\.{1,2}(\/|$)|\/)/.test(operands[0]?.text ?? '')
  const isAll = verb === 'restore' || isFirst
  const paths = dashes >= 0 ? words.slice(dashes + 1) : isAll ? operands : operands.slice(1)
  for (const path of paths) {
    const isFile =
      path.why === undefined && joinAll(path.text, places).every((one) => notes.holdsFile(one))
    notes.target(path, isFile ? 'write' : 'tree', places)
  }
  const makesBranch = flags.has('-b') || flags.has('-B') || flags.has('--orphan')
  if (paths.length === 0 && !(makesBranch && operands.length === 0))
    notes.changesUnnamed(`git ${verb} changes files that it does not name`)
  else if (places.includes(ANYWHERE)) notes.open('a folder that it changes to is not known')
}

function clean(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const options = readOptions(words, ['-e', '--exclude'])
  if (hasExactly(options, '-n --dry-run')) return
  for (const path of options.operands) notes.target(path, 'tree', places)
  if (options.operands.length === 0) notes.changesUnnamed('git clean removes what it finds')
}

function clone(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const takes =
    '-b -o -u -c -j --branch --origin --depth --config --reference --separate-git-dir --filter --jobs'
  const options = readOptions(words, list(takes))
  const [from, into] = options.operands
  for (const folder of valuesOf(options, '--separate-git-dir')) notes.target(folder, 'tree', places)
  if (into) notes.target(into, 'tree', places)
  else if (from?.why !== undefined) notes.target(from, 'tree', places)
  else if (from) notes.target({ text: baseName(from.text).replace(/\.git$/, '') }, 'tree', places)
}

function worktree(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const { operands } = readOptions(words, ['-b', '-B', '--reason'])
  const [verb, ...paths] = operands
  const targets = { add: paths.slice(0, 1), move: paths, remove: paths }[verb?.text ?? ''] ?? []
  for (const path of targets) notes.target(path, 'tree', places)
}

/** Settings of a repository can name programs to run. */
function config(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const options = readOptions(words, list('-f --file --type --default --blob'))
  const { operands, flags } = options
  const reads = [...flags].some((flag) => /^(-l|--list|--get.*|--show-.*)$/.test(flag))
  const isReading = /^(list|get)$/.test(operands[0]?.text ?? '')
  const changes = [...flags].some((flag) => /^--(un|re|e|ad)/.test(flag))
  if (reads || isReading || (operands.length < 2 && !changes)) return
  const [file] = valuesOf(options, '-f --file')
  const own = hasFlag(options, '--global') ? '~/.gitconfig' : '.git/config'
  notes.target(file ?? { text: own }, 'write', places)
  if (hasFlag(options, '--system')) notes.target({ text: '/etc/gitconfig' }, 'write', places)
}
