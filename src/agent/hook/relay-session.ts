import { readShellCommand } from '../../ask/wire/reading/of-ask.ts'
import { readCommandText } from '../../ask/wire/reading/read.ts'
import { rowOf } from '../../ask/wire/reading/rows/index.ts'
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
  if (!isText(ruleContent)) return undefined
  if (SHELLS.has(toolName) && (toolName === 'PowerShell' || !isUnderstood(ruleContent))) {
    return undefined
  }
  return `${toolName}(${ruleContent})`
}

// What runs a script of the project by its name: its words go to that script.
const SCRIPT_RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun'])

/**
 * Whether a shell rule allows only what is understood: one exact command, or a beginning that takes
 * any words. The client compares the beginning later, so nothing can be read then.
 */
function isUnderstood(content: string): boolean {
  const begin = content.replace(/(:| )\*$/, '')
  if (/[*]/.test(begin)) return false
  const { open, dangers } = readShellCommand(begin)
  if (dangers.length > 0) return false
  return begin === content ? open.length === 0 : takesAnyWords(begin)
}

function takesAnyWords(begin: string): boolean {
  // Plain words only: nothing that a shell expands, joins or redirects.
  if (!/^[\w.:@/-]+( [\w.:@/-]+)*$/.test(begin)) return false
  const [program = '', ...words] = begin.split(' ')
  const row = rowOf(program)
  if (row?.takesAny) return row.does === 'says' || row.does === 'reads'
  if (!SCRIPT_RUNNERS.has(program) || readCommandText(begin).open.length > 0) return false
  const [first = '', script = '', ...others] = words
  if (first === 'test') return script === ''
  return first === 'run' && /^\w[\w:.-]*$/.test(script) && others.length === 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isShowable(line: string): boolean {
  return line.length <= LINE_MAX && cleanLine(line) === line
}
