import { type Arg, type Notes, type Places, UNKNOWN } from './notes.ts'
import { hasFlag, type Options, readOptions, words } from './options.ts'

type Git = { args: readonly Arg[]; places: Places; notes: Notes }

/** What a git command may destroy of work that is not committed, or that no other branch has. */
export function gitLosses(verb: string, args: readonly Arg[], places: Places, notes: Notes): void {
  const known = Object.hasOwn(LOSERS, verb) ? LOSERS[verb] : undefined
  known?.({ args, places, notes })
}

const LOSERS: Readonly<Record<string, (git: Git) => void>> = {
  reset({ args, places, notes }) {
    if (hasFlag(readOptions(args, []), '--hard --merge')) notes.lose({ how: 'changes', places })
  },
  stash,
  clean,
  checkout,
  switch({ args, places, notes }) {
    const options = readOptions(args, words('-c -C --create --force-create --orphan --conflict'))
    if (hasFlag(options, '-f --force --discard-changes')) notes.lose({ how: 'changes', places })
  },
  restore({ args, places, notes }) {
    const options = readOptions(args, words('-s --source --conflict --pathspec-from-file'))
    const inIndex = hasFlag(options, '-S --staged') && !hasFlag(options, '-W --worktree')
    if (!inIndex) lose('changes', options.operands, { args, places, notes })
  },
  rm({ args, places, notes }) {
    const options = readOptions(args, ['--pathspec-from-file'])
    if (hasFlag(options, '-f --force') && !hasFlag(options, '--cached -n --dry-run'))
      lose('changes', options.operands, { args, places, notes })
  },
  'checkout-index'({ args, places, notes }) {
    if (hasFlag(readOptions(args, []), '-f --force')) notes.lose({ how: 'changes', places })
  },
  'read-tree'({ args, places, notes }) {
    if (hasFlag(readOptions(args, []), '--reset')) notes.lose({ how: 'changes', places })
  },
  worktree({ args, places, notes }) {
    const { operands, flags } = readOptions(args, [])
    const [verb, path] = operands
    if (verb?.text !== 'remove' || !(flags.has('-f') || flags.has('--force')) || !path) return
    notes.lose({ how: 'both', places: notes.enter(path, places) })
  },
  branch({ args, places, notes }) {
    const options = readOptions(args, words('-u --set-upstream-to --contains --points-at --format'))
    const deletes = hasFlag(options, '-d --delete') && hasFlag(options, '-f --force')
    if (!deletes && !hasFlag(options, '-D')) return
    notes.lose({ how: 'branch', places, refs: options.operands.map(({ text }) => text) })
  },
  push({ args, places, notes }) {
    const options = readOptions(args, words('-o --push-option --repo --receive-pack --exec'))
    if (hasFlag(options, '-n --dry-run')) return
    const forced = '-f --force --force-with-lease -d --delete --mirror --prune'
    const refs = options.operands.filter(({ text }) => /^[+:]./.test(text))
    if (refs.length > 0 || hasFlag(options, forced)) notes.lose({ how: 'push', places })
  },
}

function stash({ args, places, notes }: Git) {
  const options = readOptions(args, words('-m --message --pathspec-from-file'))
  const [verb, ...paths] = options.operands
  if (verb === undefined || verb.text === 'push' || verb.text === 'save') {
    const untracked = hasFlag(options, '-u --include-untracked -a --all')
    const limited = verb?.text === 'push' ? paths : []
    lose(untracked ? 'both' : 'changes', limited, { args, places, notes }, true)
  } else if (verb.text === 'drop' || verb.text === 'clear') notes.lose({ how: 'stash', places })
}

function clean({ args, places, notes }: Git) {
  const options = readOptions(args, ['-e', '--exclude'])
  if (hasFlag(options, '-n --dry-run')) return
  const paths = pathsOf(options.operands, places, notes)
  const loss = { how: 'untracked', places } as const
  const limited = paths === undefined ? loss : { ...loss, paths }
  notes.lose(hasFlag(options, '-x -X') ? { ...limited, ignored: true } : limited)
}

function checkout(git: Git) {
  const { args, places, notes } = git
  const dashes = args.findIndex(({ text }) => text === '--')
  const options = readOptions(args, words('-b -B --orphan --conflict --pathspec-from-file'))
  const makes = hasFlag(options, '-b -B --orphan')
  const [first, ...rest] = options.operands
  if (hasFlag(options, '-f --force')) notes.lose({ how: 'changes', places })
  else if (dashes >= 0) lose('changes', args.slice(dashes + 1), git)
  else if (makes) return
  else if (rest.length > 0) lose('changes', isPath(first) ? options.operands : rest, git)
  else if (first !== undefined) oneWord(first, options, git)
}

/** `git checkout a`: a branch, or a file that is put back; whoever looks at the repository decides. */
function oneWord(word: Arg, options: Options, { places, notes }: Git) {
  const paths = pathsOf([word], places, notes)
  if (paths === undefined || word.why !== undefined || hasFlag(options, '-t --track --detach'))
    return
  const refs = isPath(word) ? undefined : [word.text]
  notes.lose({ how: 'changes', places, paths, ...(refs === undefined ? {} : { refs }) })
}

/** A word that is never a branch. */
function isPath(word: Arg | undefined): boolean {
  return word !== undefined && /^(\.{1,2}(\/|$)|\/|:)/.test(word.text)
}

function lose(
  how: 'changes' | 'both',
  operands: readonly Arg[],
  { places, notes }: Git,
  orAll = false,
) {
  const paths = pathsOf(operands, places, notes)
  if (paths !== undefined) notes.lose({ how, places, paths })
  else if (orAll || operands.length > 0) notes.lose({ how, places })
}

/** Undefined when they may be everything: none is named, or one is no path that is spelled out. */
function pathsOf(operands: readonly Arg[], places: Places, notes: Notes): string[] | undefined {
  const plain = operands.every(({ text, why }) => why === undefined && !/^:|[*?[]/.test(text))
  if (operands.length === 0 || !plain || places.includes(UNKNOWN)) return undefined
  return operands.flatMap((operand) => notes.joined(operand, places))
}
