import { isInTable, isKnownDanger, looksDestructive } from '../../ask/wire/danger/destructive.ts'
import { cleanLine } from '../../platform/text.ts'

/**
 * What a yes for the whole session would allow: in words, and in the form that the client expects.
 */
export type SessionOffer = { allows: string[]; updatedPermissions: unknown[] }

const LINES_MAX = 8
const LINE_MAX = 300
// Tools too powerful for all of their calls to be allowed at once.
const SHELLS = new Set(['Bash', 'PowerShell', 'Monitor'])

/**
 * What the client itself suggests to allow, for the rest of the session only. Undefined if there is
 * nothing to offer, if it cannot be shown exactly, or if it covers what is hard to undo.
 */
export function sessionOffer(suggestions: unknown): SessionOffer | undefined {
  if (!Array.isArray(suggestions) || suggestions.length === 0) return undefined
  const read = suggestions.slice(0, LINES_MAX + 1).map(readSuggestion)
  const lines = read.flatMap((one) => one?.lines ?? [])
  const isWhole = read.every((one) => one !== undefined) && lines.length <= LINES_MAX
  if (!isWhole || !lines.every(isShowable)) return undefined
  return { allows: lines, updatedPermissions: read.map((one) => one?.update) }
}

type Fields = Record<string, unknown>
type Read = { lines: string[]; update: Fields } | undefined

function readSuggestion(suggestion: unknown): Read {
  if (suggestion === null || typeof suggestion !== 'object') return undefined
  const { type, rules, behavior, directories, mode } = suggestion as Fields
  const update = { ...(suggestion as Fields), destination: 'session' }
  if (type === 'addRules' && behavior === 'allow' && Array.isArray(rules)) {
    const lines = rules.map(ruleLine)
    return lines.every((one) => one !== undefined) ? { lines, update } : undefined
  }
  if (type === 'addDirectories' && Array.isArray(directories) && directories.every(isText)) {
    return { lines: directories.map((folder) => `Work in the folder ${folder}`), update }
  }
  // The other modes allow things that a person cannot read here.
  if (type === 'setMode' && mode === 'acceptEdits') {
    return { lines: ['Edits of files in the project (mode acceptEdits)'], update }
  }
  return undefined
}

function ruleLine(rule: unknown): string | undefined {
  const { toolName, ruleContent } = (rule ?? {}) as Fields
  if (!isText(toolName)) return undefined
  if (ruleContent === undefined) {
    return SHELLS.has(toolName) ? undefined : `${toolName}, whatever it is given`
  }
  if (!isText(ruleContent) || (SHELLS.has(toolName) && coversDanger(ruleContent))) return undefined
  return `${toolName}(${ruleContent})`
}

// The worst words that could follow an allowed beginning.
const OPTIONS = [
  ' -rf x',
  ' --force',
  ' -f',
  ' --hard',
  ' --delete',
  ' -fd',
  ' -D x',
  ' of=x',
  ' publish',
  ' push',
  ' apply',
  ' delete',
  ' destroy',
  ' deploy',
  ' create x',
  ' merge',
  ' rm',
]
// These run whatever they are given, or have tasks of every kind.
const WHOLE = new Set(
  'sudo doas su env exec eval xargs nohup time ssh sh bash zsh dash fish python python3 perl ruby node bun deno npx bunx uvx'.split(
    ' ',
  ),
)

/** Whether a shell rule may cover what is hard to undo: `git push:*` fits `git push --force`. */
function coversDanger(content: string): boolean {
  const begin = content.replace(/:?\*$/, '').trim()
  if (begin === '' || (begin !== content && (WHOLE.has(begin) || isInTable(begin)))) return true
  const endings = begin === content ? [] : OPTIONS
  // Nearly every program could have a command called `delete`; only what is known to be one counts.
  const mayBecome = endings.some((end) => isKnownDanger(begin + end))
  return mayBecome || looksDestructive({ question: '', detail: { action: begin } })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isShowable(line: string): boolean {
  return line.length <= LINE_MAX && cleanLine(line) === line
}
