import { cleanLine } from '../../platform/text.ts'

/**
 * The permissions that a yes for the whole session would give: in words, and in the form that the
 * client expects.
 */
export type SessionOffer = { allows: string[]; updatedPermissions: unknown[] }

const LINES_MAX = 8
const LINE_MAX = 300
const SHELLS = new Set(['Bash', 'PowerShell', 'Monitor'])

/**
 * Reads the permissions that the client itself suggests, for the rest of the session only.
 * Undefined if there is nothing to offer, if it cannot be shown exactly, or if it covers what is
 * hard to undo.
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
  // A rule for a shell is compared by its client later, so nothing can be read then: a yes for calls
  // that begin so is offered instead (word-pattern.ts).
  if (SHELLS.has(toolName)) return undefined
  if (ruleContent === undefined) return `${toolName}, whatever it is given`
  if (!isText(ruleContent)) return undefined
  return `${toolName}(${ruleContent})`
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isShowable(line: string): boolean {
  return line.length <= LINE_MAX && cleanLine(line) === line
}
