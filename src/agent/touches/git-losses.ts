import type { Loss } from './losses.ts'
import type { TouchNotes } from './notes.ts'
import { ANYWHERE, enter, joinAll, type Operand, type Places } from './operand.ts'
import { hasExactly, hasFlag, list, type Options, readOptions } from './options.ts'

/** One use of a git command, its words read. */
type Use = { options: Options; words: readonly Operand[]; places: Places; notes: TouchNotes }

/**
 * Options that destroy work: those with a value of a git command, those that destroy, and those
 * that make it harmless.
 */
type LossRow = {
  takes?: string
  with?: string
  without?: string
  loses: (use: Use) => void
}

const changes = ({ places, notes }: Use) => notes.lose({ how: 'changes', places })
/** Commits that only the branches at the given operands have. */
const branches =
  (from: number, to?: number) =>
  ({ options, places, notes }: Use) => {
    const refs = options.operands
      .slice(from, to)
      .map(({ text }) => text.replace(/^refs\/heads\//, ''))
    notes.lose({ how: 'branch', places, refs })
  }
const stashes = ({ places, notes }: Use) => notes.lose({ how: 'stash', places })
const remote = ({ places, notes }: Use) => notes.lose({ how: 'push', places })

const CHECKOUT = '-b -B --orphan --conflict --pathspec-from-file'
const SWITCH = '-c -C --create --force-create --orphan --conflict'
const PUSH = '-o --push-option --repo --receive-pack --exec'
const FETCH = '-j -o --depth --jobs --filter --deepen --refmap --upload-pack -s -X --strategy'
const BRANCH = '-u --set-upstream-to --contains --points-at --format --sort'

export const LOSSES: Readonly<Record<string, readonly LossRow[]>> = {
  reset: [{ with: '--hard --merge --keep', loses: changes }],
  stash: [{ takes: '-m --message --pathspec-from-file', loses: stash }],
  clean: [{ takes: '-e --exclude', without: '-n --dry-run', loses: clean }],
  checkout: [
    { takes: CHECKOUT, loses: checkout },
    { takes: CHECKOUT, with: '-B', loses: (use) => loseBranch('-B', CHECKOUT, use) },
  ],
  switch: [
    { takes: SWITCH, with: '-f --force --discard-changes', loses: changes },
    { takes: SWITCH, with: '-C', loses: (use) => loseBranch('-C', SWITCH, use) },
    {
      takes: SWITCH,
      with: '--force-create',
      loses: (use) => loseBranch('--force-create', SWITCH, use),
    },
  ],
  restore: [{ takes: '-s --source --conflict --pathspec-from-file', loses: restored }],
  rm: [
    {
      takes: '--pathspec-from-file',
      with: '-f --force',
      without: '--cached -n --dry-run',
      loses: (use) => lose('changes', use.options.operands, use),
    },
  ],
  'checkout-index': [{ with: '-f --force', loses: changes }],
  'read-tree': [{ with: '--reset', loses: changes }],
  worktree: [{ with: '-f --force', loses: worktree }],
  branch: [
    { takes: BRANCH, with: '-D', loses: branches(0) },
    { takes: BRANCH, with: '-d --delete', loses: (use) => forced(use, branches(0)) },
    { takes: BRANCH, with: '-M -C', loses: branches(-1) },
    { takes: BRANCH, with: '-f --force', without: '-d --delete', loses: branches(0, 1) },
  ],
  'update-ref': [{ takes: '-m', loses: branches(0, 1) }],
  fetch: [{ takes: FETCH, without: '--dry-run', loses: fetched }],
  pull: [{ takes: FETCH, loses: fetched }],
  push: [
    {
      takes: PUSH,
      with: '-f --force --force-with-lease -d --delete --mirror --prune',
      without: '-n --dry-run',
      loses: remote,
    },
    { takes: PUSH, without: '-n --dry-run', loses: pushed },
  ],
}

/** Notes the work that a git command may destroy: not committed, or on no other branch. */
export function loseByGit(
  verb: string,
  words: readonly Operand[],
  places: Places,
  notes: TouchNotes,
): void {
  for (const row of Object.hasOwn(LOSSES, verb) ? (LOSSES[verb] ?? []) : []) {
    const options = readOptions(words, list(row.takes))
    // An argument that xargs adds may be the option.
    const isFed = words.some(({ text, why }) => why !== undefined && text === '…')
    if (row.with !== undefined && !isFed && !hasFlag(options, row.with)) continue
    if (row.without !== undefined && hasExactly(options, row.without)) continue
    row.loses({ options, words, places, notes })
  }
}

function forced(use: Use, loses: (use: Use) => void) {
  if (hasFlag(use.options, '-f --force')) loses(use)
}

/** `checkout -B a`: commits that only `a` has. */
function loseBranch(option: string, takes: string, { words, places, notes }: Use) {
  const refs = readOptions(words, list(takes)).values.flatMap((one) =>
    one.option === option ? [one.value.text] : [],
  )
  if (refs.length > 0) notes.lose({ how: 'branch', places, refs })
}

function pushed(use: Use) {
  if (use.options.operands.some(({ text }) => /^[+:]./.test(text))) remote(use)
}

/** `fetch +a:b`: commits that only the branch b has. */
function fetched({ options, places, notes }: Use) {
  const isForced = hasFlag(options, '-f --force')
  const refs = options.operands.flatMap(({ text }) => {
    const [, plus, to = ''] = /^(\+?)[^:]*:(?!\/\/)(.+)$/.exec(text) ?? []
    const isOfRemote = to === '' || to.startsWith('refs/remotes/')
    return isOfRemote || !(isForced || plus) ? [] : [to.replace(/^refs\/heads\//, '')]
  })
  if (refs.length > 0) notes.lose({ how: 'branch', places, refs })
}

function stash(use: Use) {
  const { options } = use
  const [verb, ...paths] = options.operands
  if (verb === undefined || verb.text === 'push' || verb.text === 'save') {
    const isUntracked = hasFlag(options, '-u --include-untracked -a --all')
    const limited = verb?.text === 'push' ? paths : []
    lose(isUntracked ? 'both' : 'changes', limited, use, true)
  } else if (verb.text === 'drop' || verb.text === 'clear') stashes(use)
}

function clean({ options, places, notes }: Use) {
  const paths = pathsOf(options.operands, places)
  const loss: Loss = { how: 'untracked', places, ...(paths === undefined ? {} : { paths }) }
  notes.lose(hasFlag(options, '-x -X') ? { ...loss, ignored: true } : loss)
}

function restored(use: Use) {
  const { options } = use
  const isIndex = hasFlag(options, '-S --staged') && !hasFlag(options, '-W --worktree')
  if (!isIndex) lose('changes', options.operands, use)
}

function worktree({ options, places, notes }: Use) {
  const [verb, path] = options.operands
  if (verb?.text === 'remove' && path) notes.lose({ how: 'both', places: enter(path, places) })
}

function checkout(use: Use) {
  const { words, options } = use
  const dashes = words.findIndex(({ text }) => text === '--')
  const [first, ...rest] = options.operands
  if (hasFlag(options, '-f --force --pathspec-from-file')) changes(use)
  else if (dashes >= 0) lose('changes', words.slice(dashes + 1), use)
  else if (hasFlag(options, '-b -B --orphan')) return
  else if (rest.length > 0) lose('changes', isPath(first) ? options.operands : rest, use)
  else if (first !== undefined) oneWord(first, use)
}

/**
 * `git checkout a`: `a` is a branch, or a file to restore; the caller looks at the repository to
 * decide.
 */
function oneWord(word: Operand, { options, places, notes }: Use) {
  const paths = pathsOf([word], places)
  // `:/src` is a path that git reads itself.
  if (paths === undefined && isPath(word)) notes.lose({ how: 'changes', places })
  if (paths === undefined || hasExactly(options, '-t --track --detach')) return
  const refs = isPath(word) ? undefined : [word.text]
  notes.lose({ how: 'changes', places, paths, ...(refs === undefined ? {} : { refs }) })
}

/** A word that is never a branch. */
function isPath(word: Operand | undefined): boolean {
  return word !== undefined && /^(\.{1,2}(\/|$)|\/|:)/.test(word.text)
}

function lose(
  how: 'changes' | 'both',
  operands: readonly Operand[],
  { places, notes }: Use,
  orAll = false,
) {
  const paths = pathsOf(operands, places)
  if (paths !== undefined) notes.lose({ how, places, paths })
  else if (orAll || operands.length > 0) notes.lose({ how, places })
}

/** Undefined if it may be everything: no path is named, or one of them is not known. */
function pathsOf(operands: readonly Operand[], places: Places): string[] | undefined {
  const isPlain = operands.every(({ text, why }) => why === undefined && !/^:|[*?[]/.test(text))
  if (operands.length === 0 || !isPlain || places.includes(ANYWHERE)) return undefined
  return operands.flatMap(({ text }) => joinAll(text, places))
}
