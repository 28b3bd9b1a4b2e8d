import { patchReads } from './git-patches.ts'
import { ALL, type GitRead, type ObjectRead } from './object-read.ts'
import { ANYWHERE, joinAll, type Operand, type Places } from './operand.ts'
import { hasExactly, hasFlag, list, readOptions, valuesOf } from './options.ts'

/**
 * Returns the objects that `git verb words` reads; `start` stands for a folder that is not known.
 */
export function objectReads(
  verb: Operand,
  words: readonly Operand[],
  { places, start }: { places: Places; start: string },
): ObjectRead[] {
  const folders = places.map((place) => (place === ANYWHERE ? start : place))
  const reads: GitRead[] = verb.why === undefined ? readsOf(verb.text, words) : [ALL]
  return reads.flatMap((read): ObjectRead[] => {
    if (read.what !== 'history') return folders.map((place) => ({ ...read, place }))
    const { at } = read
    const wholePlaces =
      at === undefined || at.why !== undefined ? folders : joinAll(pathOf(at), folders)
    if (at !== undefined && isRemote(at)) return []
    return wholePlaces.map((place) => ({ what: 'history', place }))
  })
}

function pathOf({ text }: Operand): string {
  return text.replace(/^file:\/\/(localhost)?(?=\/)/, '')
}

function isRemote(at: Operand): boolean {
  return at.why === undefined && /^[\w+.-]+:\/\/|^[^/]*:/.test(pathOf(at))
}

/** They give away whatever is in the repository. */
const GIVES =
  /^(bundle|fast-export|upload-pack|upload-archive|daemon|http-backend|instaweb|pack-objects|send-pack|svn|p4|cvsserver|cvsexportcommit|range-diff|merge-file|merge-tree|unpack-objects)$/

function readsOf(verb: string, words: readonly Operand[]): GitRead[] {
  if (verb === 'bundle') return /^(verify|list-heads)$/.test(words[0]?.text ?? '') ? [] : [ALL]
  if (verb === 'lfs') return /^(smudge|migrate)$/.test(words[0]?.text ?? '') ? [ALL] : []
  if (GIVES.test(verb)) return [ALL]
  switch (verb) {
    case 'clone': {
      const takes = '-b -o -u -c -j --branch --origin --depth --config --filter'
      return [...from(words, `${takes} ${BORROWS}`), ...borrowed(words)]
    }
    case 'fetch':
    case 'pull': {
      const { operands } = readOptions(words, list('-j -X --depth --deepen --jobs --filter'))
      const [at] = operands
      const other = at && isPath({ at }) ? [{ ...ALL, at }] : []
      return verb === 'pull' ? [FILL, ...other] : other
    }
    case 'push':
      return from(words, '-o --push-option --repo').some(isPath) ? [ALL] : []
    case 'remote':
    case 'submodule': {
      const { operands } = readOptions(words, list('-t -m -b --name --reference'))
      return operands.map((at) => ({ ...ALL, at })).filter(isPath)
    }
    case 'worktree':
      return addsTree(words)
    case 'archive':
      return archives(words)
    case 'checkout-index':
      return listed('ls-files', words, '--prefix --stage')
    case 'read-tree':
      return /^-u|--prefix|--index-output/.test(words.map(({ text }) => text).join(' '))
        ? [ALL]
        : []
    case 'grep':
      return searches(words)
    case 'cat-file':
    case 'unpack-file':
      return contents(words)
    case 'stash':
      return words[0]?.text === 'show' ? patchReads('stash', words.slice(1)) : [FILL]
    case 'reflog':
    case 'log':
    case 'whatchanged':
    case 'show':
    case 'diff':
    case 'difftool':
    case 'format-patch':
    case 'diff-tree':
    case 'diff-index':
      return patchReads(verb, words)
    case 'checkout':
    case 'restore':
    case 'reset':
      // It prints what differs.
      return words.some(({ text }) => /^(-p|--patch)$/.test(text)) ? [ALL] : [FILL]
    default:
      return FILLS.test(verb) ? [FILL] : []
  }
}

/** They write files of the repository to the work tree. */
export const FILLS = /^(checkout|switch|restore|reset|stash|merge|pull|rebase|cherry-pick|am)$/
/** Commands after which other commands show something else than they would now. */
export const MOVES =
  /^(checkout|switch|reset|read-tree|update-index|update-ref|symbolic-ref|replace|branch|tag|bisect|rebase|merge|pull|stash|cherry-pick)$/
const FILL = { what: 'fill' } as const

/** The repository that is copied: another one only if it is a folder of this machine. */
function from(words: readonly Operand[], takes: string): { what: 'history'; at: Operand }[] {
  const [at] = readOptions(words, list(takes)).operands
  return at ? [{ what: 'history', at }] : []
}

const BORROWS = '--reference --reference-if-able'

/** A clone finds objects there later. */
function borrowed(words: readonly Operand[]): GitRead[] {
  const options = readOptions(words, list(BORROWS))
  return valuesOf(options, BORROWS).map((at) => ({ ...ALL, at }))
}

/** The name of a remote repository is no path. */
function isPath({ at }: { at: Operand }): boolean {
  return at.why === undefined && /^(\.{1,2}(\/|$)|~|file:)|\//.test(at.text) && !isRemote(at)
}

function addsTree(words: readonly Operand[]): GitRead[] {
  const options = readOptions(words, list('-b -B --reason'))
  const [verb, path, revision] = options.operands
  if (verb?.text !== 'add' || path === undefined) return []
  return lists([...TREE, '--full-tree'], [commitOf(revision ?? { text: 'HEAD' })])
}

function archives(words: readonly Operand[]): GitRead[] {
  const takes = list('-o --output --format --prefix --remote --exec --add-file --add-virtual-file')
  const options = readOptions(words, takes)
  const [remote] = valuesOf(options, '--remote')
  if (remote) return [{ what: 'history', at: remote }]
  if (hasExactly(options, '-l --list')) return []
  const [revision, ...paths] = options.operands
  return revision ? lists([...TREE, '--full-name'], [commitOf(revision), ...paths]) : []
}

function listed(command: string, words: readonly Operand[], takes: string): GitRead[] {
  const options = readOptions(words, list(takes))
  if (hasFlag(options, '--stdin')) return [ALL]
  const isWhole = options.flags.has('-a') || options.flags.has('--all')
  return lists([command, '-z', '--full-name', '--'], isWhole ? [] : options.operands)
}

function lists(words: string[], operands: readonly Operand[]): GitRead[] {
  if (operands.some(({ why }) => why !== undefined)) return [ALL]
  return [{ what: 'list', words: [...words, ...operands.map(({ text }) => text)] }]
}

/** A tree lists its files without the folder that it is, so that only commits are listed. */
function commitOf(revision: Operand): Operand {
  return revision.why === undefined ? { text: `${revision.text}^{commit}` } : revision
}

const TREE = ['ls-tree', '-r', '-z', '--name-only']

/** `git grep` reads the work tree, unless it is given revisions or `--cached`. */
function searches(words: readonly Operand[]): GitRead[] {
  const takes =
    '-e -f -A -B -C -m -O --context --after-context --before-context --max-depth --threads'
  const options = readOptions(words, list(takes))
  const isGiven = valuesOf(options, '-e -f').length > 0
  const dashes = words.findIndex(({ text }) => text === '--')
  const behind = dashes < 0 ? 0 : words.length - dashes - 1
  const searchWords = isGiven ? options.operands : options.operands.slice(1)
  const revisions = searchWords.slice(0, searchWords.length - Math.min(behind, searchWords.length))
  const paths = searchWords.slice(revisions.length)
  if (options.flags.has('--no-index')) return []
  if (options.flags.has('--cached'))
    return lists(['ls-files', '-z', '--full-name', '--'], [...revisions, ...paths])
  if (revisions.some(({ why, isPattern }) => why !== undefined && !isPattern)) return [ALL]
  return revisions
    .filter(({ why }) => why === undefined)
    .flatMap((one) => {
      const read = lists([...TREE, '--full-name', commitOf(one).text], paths)
      const isPath = !/:|\^\{|^[0-9a-f]{4,64}$/.test(one.text)
      return read.map((one) => (isPath && one.what === 'list' ? { ...one, isLoose: true } : one))
    })
}

function contents(words: readonly Operand[]): GitRead[] {
  const options = readOptions(words, list('--path --filter'))
  const flags = [...options.flags]
  if (flags.some((flag) => /^--batch(-command|-all-objects)?$/.test(flag)))
    return options.flags.has('--batch-check') && !options.flags.has('--batch') ? [] : [ALL]
  if (hasExactly(options, '-t -s -e --batch-check')) return []
  return objects(options.operands)
}

function objects(operands: readonly Operand[]): GitRead[] {
  if (operands.some(({ why }) => why !== undefined)) return [ALL]
  return operands.length === 0 ? [] : [{ what: 'objects', names: operands.map(({ text }) => text) }]
}
