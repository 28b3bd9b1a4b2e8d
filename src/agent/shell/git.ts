import type { Call } from './call.ts'
import type { CommandRule } from './commands.ts'
import { type Arg, literalArg, type Notes, type Places, UNKNOWN } from './notes.ts'
import { baseName, touchOperands } from './operands.ts'
import { hasFlag, type Options, readOptions, valuesOf, words } from './options.ts'
import { applyPatch } from './patches.ts'

const GLOBAL = '-C -c --git-dir --work-tree --namespace --exec-path --config-env'
const READS = new Set(
  'status log show diff blame grep ls-files ls-tree ls-remote rev-parse rev-list describe cat-file for-each-ref shortlog reflog remote branch tag fetch push add commit help version var check-ignore merge-base name-rev count-objects fsck gc notes difftool whatchanged cherry symbolic-ref hash-object update-index write-tree'.split(
    ' ',
  ),
)
const RULES: Readonly<Record<string, CommandRule>> = {
  mv: { operands: 'move' },
  rm: { operands: 'all', touch: 'delete', deep: '-r' },
  archive: { operands: 'none', writes: '-o --output', takes: '--format --prefix --remote' },
  init: { operands: 'all', touch: 'tree', takes: '--template -b --initial-branch --object-format' },
}

/** What git does to files of the work tree; effects that depend on the history are not known. */
export function git(args: readonly Arg[], call: Call) {
  const { notes } = call.shell
  let { places } = call
  let at = 0
  const aliases = new Map<string, string>()
  for (; at < args.length && /^-/.test(args[at]?.text ?? ''); at++) {
    const { values } = readOptions(args.slice(at, at + 2), words(GLOBAL))
    const value = values[0]
    if (!value) continue
    if (value.value === args[at + 1]) at++
    if (value.option === '-C') places = notes.enter(value.value, places)
    else if (value.option === '--work-tree') places = notes.enter(value.value, places)
    else if (value.option === '-c' && /^(alias|core|filter|diff)\./i.test(value.value.text)) {
      notes.opaque('it gives git other programs to run')
      const [, name, text] = /^alias\.([\w-]+)=(.+)$/is.exec(value.value.text) ?? []
      if (name !== undefined && text !== undefined) aliases.set(name, text)
    }
  }
  const [verb, ...rest] = args.slice(at)
  if (verb === undefined) return
  for (const arg of rest) notes.literal(arg, places)
  const alias = aliases.get(verb.text)
  if (alias?.startsWith('!')) call.shell.readApart(alias.slice(1), places)
  else if (alias !== undefined) {
    const [other = '', ...before] = alias.trim().split(/\s+/)
    subcommand(other, [...before.map(literalArg), ...rest], places, call)
  } else if (verb.why !== undefined) notes.opaque(`what git does is not known: ${verb.why}`)
  else subcommand(verb.text, rest, places, call)
}

function subcommand(verb: string, args: readonly Arg[], places: Places, call: Call) {
  const { notes } = call.shell
  gitLosses(verb, args, places, notes)
  const rule = Object.hasOwn(RULES, verb) ? RULES[verb] : undefined
  if (rule) touchOperands(rule, args, places, notes)
  else if (verb === 'checkout' || verb === 'restore') restore(verb, args, places, notes)
  else if (verb === 'clean') clean(args, places, notes)
  else if (verb === 'clone') clone(args, places, notes)
  else if (verb === 'worktree') worktree(args, places, notes)
  else if (verb === 'config') config(args, places, notes)
  else if (verb === 'apply' || verb === 'am') applyPatch(verb, args, { ...call, places })
  else if (verb === 'stash' && /^(list|show|drop|clear)$/.test(args[0]?.text ?? '')) return
  else if (READS.has(verb)) {
    const options = readOptions(args, ['--output'])
    for (const value of valuesOf(options, '--output')) notes.target(value, 'write', places)
  } else notes.opaque(`git ${verb} changes files that it does not name`)
}

function restore(verb: string, args: readonly Arg[], places: Places, notes: Notes) {
  const dashes = args.findIndex(({ text }) => text === '--')
  const { operands, flags } = readOptions(args, words('-b -B --orphan -s --source --conflict'))
  // A word that begins like this is never a branch.
  const first =
    operands[0]?.why === undefined && /^(\.{1,2}(\/|$)|\/)/.test(operands[0]?.text ?? '')
  const isAll = verb === 'restore' || first
  const named = dashes >= 0 ? args.slice(dashes + 1) : isAll ? operands : operands.slice(1)
  for (const path of named) {
    const file =
      path.why === undefined && notes.joined(path, places).every((one) => notes.holdsFile(one))
    notes.target(path, file ? 'write' : 'tree', places)
  }
  const makesBranch = flags.has('-b') || flags.has('-B') || flags.has('--orphan')
  if (named.length === 0 && !(makesBranch && operands.length === 0))
    notes.opaque(`git ${verb} changes files that it does not name`)
}

function clean(args: readonly Arg[], places: Places, notes: Notes) {
  const options = readOptions(args, ['-e', '--exclude'])
  if (hasFlag(options, '-n --dry-run')) return
  for (const path of options.operands) notes.target(path, 'tree', places)
  if (options.operands.length === 0) notes.opaque('git clean removes what it finds')
}

function clone(args: readonly Arg[], places: Places, notes: Notes) {
  const { operands } = readOptions(
    args,
    words('-b -o -u -c -j --branch --origin --depth --config --reference --separate-git-dir'),
  )
  const [from, into] = operands
  const name = baseName(from?.text ?? '').replace(/\.git$/, '')
  notes.target(into ?? { ...(from ?? literalArg('')), text: name }, 'tree', places)
}

function worktree(args: readonly Arg[], places: Places, notes: Notes) {
  const { operands } = readOptions(args, ['-b', '-B', '--reason'])
  const [verb, ...paths] = operands
  const named = { add: paths.slice(0, 1), move: paths, remove: paths }[verb?.text ?? ''] ?? []
  for (const path of named) notes.target(path, 'tree', places)
}

/** Settings of a repository can name programs to run. */
function config(args: readonly Arg[], places: Places, notes: Notes) {
  const { operands, flags, values } = readOptions(args, words('-f --file --type --default'))
  const reads = [...flags].some((flag) => /^(-l|--list|--get.*|--show-.*)$/.test(flag))
  if (reads || (operands.length < 2 && ![...flags].some((flag) => /^--(un|re|e)/.test(flag))))
    return
  const file = values.find(({ option }) => option === '-f' || option === '--file')?.value
  const home: Arg = { text: '~/.gitconfig', raw: '~/.gitconfig' }
  const own = flags.has('--global') ? home : literalArg('.git/config')
  notes.target(file ?? own, 'write', places)
}

type Git = { args: readonly Arg[]; places: Places; notes: Notes }

/** The work that a git command may destroy that is not committed, or that no other branch has. */
function gitLosses(verb: string, args: readonly Arg[], places: Places, notes: Notes): void {
  const known = Object.hasOwn(LOSERS, verb) ? LOSERS[verb] : undefined
  known?.({ args, places, notes })
}

const LOSERS: Readonly<Record<string, (git: Git) => void>> = {
  reset({ args, places, notes }) {
    if (hasFlag(readOptions(args, []), '--hard --merge')) notes.lose({ how: 'changes', places })
  },
  stash,
  clean: lostByClean,
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

function lostByClean({ args, places, notes }: Git) {
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

/**
 * `git checkout a`: `a` is a branch, or a file to restore; the caller looks at the repository to
 * decide.
 */
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

/** Undefined if it may be everything: no path is named, or one of them is not known. */
function pathsOf(operands: readonly Arg[], places: Places, notes: Notes): string[] | undefined {
  const plain = operands.every(({ text, why }) => why === undefined && !/^:|[*?[]/.test(text))
  if (operands.length === 0 || !plain || places.includes(UNKNOWN)) return undefined
  return operands.flatMap((operand) => notes.joined(operand, places))
}
