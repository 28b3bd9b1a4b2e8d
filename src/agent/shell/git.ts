import type { Call } from './call.ts'
import type { Rule } from './commands.ts'
import { gitLosses } from './git-losses.ts'
import { type Arg, literalArg, type Notes, type Places } from './notes.ts'
import { baseName, touchOperands } from './operands.ts'
import { hasFlag, readOptions, valuesOf, words } from './options.ts'
import { applyPatch } from './patches.ts'

const GLOBAL = '-C -c --git-dir --work-tree --namespace --exec-path --config-env'
const READS = new Set(
  'status log show diff blame grep ls-files ls-tree ls-remote rev-parse rev-list describe cat-file for-each-ref shortlog reflog remote branch tag fetch push add commit help version var check-ignore merge-base name-rev count-objects fsck gc notes difftool whatchanged cherry symbolic-ref hash-object update-index write-tree'.split(
    ' ',
  ),
)
const RULES: Readonly<Record<string, Rule>> = {
  mv: { operands: 'move' },
  rm: { operands: 'all', touch: 'delete', deep: '-r' },
  archive: { operands: 'none', writes: '-o --output', takes: '--format --prefix --remote' },
  init: { operands: 'all', touch: 'tree', takes: '--template -b --initial-branch --object-format' },
}

/** What git does to files of the work tree; whatever depends on its history is not known. */
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
  // What begins so is no branch.
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
