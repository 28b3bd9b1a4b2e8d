import { ALL, type GitRead } from './object-read.ts'
import type { Operand } from './operand.ts'

// Options that make a command print what is in files.
const PATCH =
  /^(-p|-u|-U.*|-W|-c|-L.*|--(patch|unified|function-context|patch-with-.*|binary|cc|dd|remerge-diff|word-diff.*|color-words|check|textconv))$/
// Options by which some commands print nothing that is in files.
const BRIEF =
  /^(-s|-q|--(stat|shortstat|numstat|dirstat|summary|name-only|name-status|raw|no-patch|quiet|compact-summary))$/
// Options that say which commits and files are shown.
const SELECTS =
  /^(-\d+|-n\d*|-[SGi]|-[SG].+|-m|-c|--(cc|all|branches|tags|remotes|glob|exclude|max-count|skip|since|after|until|before|author|committer|grep|first-parent|no-merges|merges|reverse|not|diff-filter|pickaxe-regex|pickaxe-all|all-match|invert-grep|follow|cached|staged|merge-base|left-only|right-only|cherry-pick|cherry-mark|cherry|left-right|ancestry-path|topo-order|date-order|author-date-order|full-history|root|include-untracked|only-untracked))$/
const WITH_VALUE =
  /^(-[nSGL]|--(glob|exclude|max-count|skip|since|after|until|before|author|committer|grep|diff-filter|date|encoding|src-prefix|dst-prefix|output-directory|subject-prefix|start-number|base|output))$/
const PLAIN =
  /^(-[pusqwbzRaWrt]|-[UMCBl]\d*%?|--(no-)?(patch|stat|shortstat|numstat|dirstat|summary|oneline|graph|format|pretty|date|abbrev-commit|abbrev|decorate|color|color-words|color-moved|word-diff|word-diff-regex|unified|minimal|patience|histogram|diff-algorithm|name-only|name-status|raw|renames|find-renames|find-copies|ext-diff|textconv|text|binary|full-index|function-context|inter-hunk-context|ignore-[a-z-]+|prefix|src-prefix|dst-prefix|exit-code|quiet|check|compact-summary|submodule|show-signature|notes|patch-with-stat|patch-with-raw|encoding|relative-date|mailmap|indent-heuristic|commit-id|pager|stdout|signoff|cover-letter|numbered|output-directory|subject-prefix|start-number|base|zero-commit|output|recursive))$/

/**
 * Returns the patches or whole files that a git command shows; nothing if it prints names and
 * numbers only.
 */
export function patchReads(verb: string, words: readonly Operand[]): GitRead[] {
  const dashes = words.findIndex(({ text }) => text === '--')
  const before = dashes < 0 ? words : words.slice(0, dashes)
  const names = before.map(({ text, why, prefix }) =>
    ((why === undefined ? text : (prefix ?? '')) ?? '').replace(/(?<=^--[^=]*)=.*$/s, ''),
  )
  const isPatch = names.some((name) => isPatchOption(name) && !(verb === 'stash' && name === '-u'))
  const isBrief = !isPatch && names.some((name) => BRIEF.test(name))
  const needsPatch = !/^(show|diff|difftool|format-patch|stash)$/.test(verb)
  // `git show` prints a file whatever the options are.
  if (verb !== 'format-patch' && verb !== 'show' && (isBrief || (needsPatch && !isPatch))) return []
  if (names.includes('--no-index')) return []
  if (verb === 'reflog' || verb === 'difftool') return [ALL]
  if (words.some(({ why, isPattern }) => why !== undefined && !isPattern)) return [ALL]
  const flags: string[] = []
  const operands: string[] = []
  for (let at = 0; at < before.length; at++) {
    const { text } = before[at] as Operand
    const name = names[at] as string
    if (!text.startsWith('-')) {
      operands.push(text)
      continue
    }
    const flagWords = WITH_VALUE.test(text) ? [text, before[++at]?.text ?? ''] : [text]
    if (SELECTS.test(name)) flags.push(...flagWords)
    else if (!PLAIN.test(name) && !/^-[LOo]/.test(name)) return [ALL]
  }
  const paths = dashes < 0 ? [] : words.slice(dashes).map(({ text }) => text)
  const files = verb === 'show' ? operands.filter((text) => FILE.test(text)) : []
  const reads: GitRead[] = files.length > 0 ? [{ what: 'objects', names: files }] : []
  const others = operands.filter((text) => verb !== 'show' || !/:|\^\{/.test(text))
  if (isBrief || (operands.length > 0 && others.length === 0)) return reads
  // A tree lists its files without the folder that it is.
  if (others.some((text) => /^(?!:[!^(]).*:|\^\{/.test(text))) return [ALL]
  const isSince = verb === 'format-patch' && others.length === 1 && flags.length === 0
  const ranges = others.map(onlyCommits).map((one) => (isSince ? since(one) : one))
  const all = [...commandFor(verb, flags), ...LISTS, ...flags, ...ranges, ...paths]
  return [{ what: 'list', words: all }, ...reads]
}

const LONG = ['--patch', '--unified', '--function-context', '--binary', '--remerge-diff']
LONG.push('--word-diff', '--color-words', '--textconv', '--check')

/** Also one that is cut, as git accepts it. */
function isPatchOption(name: string): boolean {
  if (PATCH.test(name)) return true
  const isKnown = BRIEF.test(name) || SELECTS.test(name) || PLAIN.test(name)
  return /^--\w/.test(name) && !isKnown && LONG.some((one) => one.startsWith(name))
}

/** Git does not understand the hash of a tree then. */
function onlyCommits(text: string): string {
  const sides = text.split(/(\.{2,3})/)
  return sides.map((one) => (/^[0-9a-f]{4,64}$/.test(one) ? `${one}^{commit}` : one)).join('')
}

const FILE = /^(?!.*\.\.)(.*:.*|.*\^\{.*|[0-9a-f]{4,64})$/s
const LISTS = [
  '--name-only',
  '-z',
  '--no-renames',
  '--no-relative',
  '--no-ext-diff',
  '--no-textconv',
]
const COMMITS = ['--format=', '--no-show-signature']

/** The command that lists the files. */
function commandFor(verb: string, flags: readonly string[]): string[] {
  switch (verb) {
    case 'stash':
      return ['stash', 'show']
    case 'diff-tree':
      return [verb, '-r', '--root', '-m', '--no-commit-id']
    case 'diff':
    case 'diff-index':
      return [verb]
    case 'show':
      return [verb, ...COMMITS]
    default:
      // Of merges `log` lists nothing without it.
      return [
        'log',
        ...COMMITS,
        ...(flags.some((one) => /^(-c|--cc|--first-parent)$/.test(one)) ? ['-m'] : []),
      ]
  }
}

/** `format-patch X` stands for the commits after X, if nothing else selects commits. */
function since(text: string): string {
  return text.includes('..') ? text : `${text}..HEAD`
}
