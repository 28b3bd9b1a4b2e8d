import { factsOfReport } from '../../ask/wire/call-facts.ts'
import type { CallMatch } from '../../ask/wire/call-match.ts'
import { type CommandWords, commandWords, partsOf, wordsOf } from '../../ask/wire/command-words.ts'
import { withoutCutMark } from '../../ask/wire/cut-mark.ts'
import { type CallFacts, matchesCall } from '../../ask/wire/matches-call.ts'
import type { ReadingSummary } from '../../ask/wire/reading/summary.ts'
import { startsCommand } from '../../ask/wire/starts-command.ts'
import { type HookCall, toolNameOf } from '../calls/tool-call.ts'
import { reportedTool } from '../own-tools.ts'
import type { HookContext } from '../session/context.ts'
import { whereOf } from '../session/refresh.ts'
import type { HookAsk } from '../session/server.ts'
import { readingOf } from './approval-ask.ts'
import { callPlace, targetOf } from './call-target.ts'

type Field = keyof CallMatch

// Where reading them costs more than the look at the tool, by which nearly all calls pass.
const LATER: readonly Field[] = ['repoKey', 'toolTarget', 'agentName']

/**
 * Returns true if one of the matches may be about the call, also because something that it names is
 * not known. A match without a tool leaves out what changes nothing, which clients do all the time.
 */
export function mayBeRuled(context: HookContext, matches: readonly CallMatch[]): boolean {
  const { command, scripts } = context.call
  const { left, facts, unknown } = aboutTool(context, matches)
  if (!facts) return false
  if (left.some((match) => mayMatch(match, facts, unknown))) return true
  // Rules are for a command wherever it stands on the line. The server reads the line itself.
  if (command === undefined ? scripts === undefined : !mayName(command, left)) return false
  return left.some(isIn(readWords(context.call), facts, unknown))
}

/**
 * Returns true if a match is about a command of the call that the server could not see: it has only
 * the beginning, or no secret and what stood within it.
 */
export function startsUnseen(
  context: HookContext,
  matches: readonly CallMatch[],
  { action = '', actionBody }: HookAsk,
): boolean {
  const { call } = context
  const { left, facts, unknown } = aboutTool(context, matches)
  if (!facts || (call.command ?? call.scripts) === undefined) return false
  const isWhole = isIn(readWords(call), facts, unknown)
  const text = withoutCutMark(actionBody ?? action)
  const there =
    call.command === undefined ? { ...call, scripts: [text] } : { ...call, command: text }
  const isThere = isIn(readWords(there), facts, unknown)
  return left.some((match) => isWhole(match) && !isThere(match))
}

/** The matches that the tool leaves, and what else they read of the call; no facts: none is left. */
function aboutTool({ call, service, cut, ...context }: HookContext, matches: readonly CallMatch[]) {
  const isMild = call.changesNothing || reportedTool(call.toolName ?? '') !== undefined
  const unknown: Field[] = [
    ...(cut ? LATER : []),
    ...(cut && call.toolName === undefined ? (['toolName'] as const) : []),
    ...(service ? [] : (['machineId'] as const)),
  ]
  const tool = { toolName: toolNameOf(call), machineId: service?.machineId }
  const left = matches.filter(
    (match) =>
      !(isMild && match.toolName === undefined) &&
      mayMatch(match, factsOfReport(tool), [...LATER, ...unknown]),
  )
  if (left.length === 0) return { left, unknown, facts: undefined }
  const { repoKey, agentName } = whereOf({ ...context, call, service, cut })
  const facts = factsOfReport({
    ...{ ...tool, repoKey, agentName, reading: call.command !== undefined },
    ...targetOf(call, callPlace(call)?.name),
  })
  return { left, unknown, facts }
}

// Words as they are written, between which nothing stands that a shell turns into others.
const PLAIN = /^[\w\s./:=,@%+#"';&|-]*$/
// These give a program another name, or more words.
const MOVES = /\b(alias|hash|cp|mv|xargs)\b/

/** Returns false if no word of the line is one of these matches: most lines need not be read. */
function mayName(command: string, matches: readonly CallMatch[]): boolean {
  if (!PLAIN.test(command) || MOVES.test(command)) return true
  const text = wordsOf(command)
  const all = partsOf(text)
  const parts = { programs: all, all }
  const words = { commands: [], text, parts, isTooLarge: false, isOneCommand: false }
  return matches.some(({ toolTarget = '' }) => startsCommand(toolTarget, words))
}

// Of another tool it is not known which shell it gives its text to.
const OTHER: Pick<ReadingSummary, 'commands' | 'open'> = {
  commands: [],
  open: [{ why: 'language' }],
}

function readWords(call: HookCall): CommandWords {
  const { command, scripts = [] } = call
  if (command === undefined) return commandWords({ texts: scripts, read: [], isCut: false }, OTHER)
  const texts = { texts: [command], read: [command], isCut: false }
  return commandWords(texts, readingOf(command, call))
}

function isIn(words: CommandWords, facts: CallFacts, unknown: readonly Field[]) {
  return ({ toolTarget, ...match }: CallMatch) =>
    toolTarget !== undefined && mayMatch(match, facts, unknown) && startsCommand(toolTarget, words)
}

function mayMatch(match: CallMatch, facts: CallFacts, unknown: readonly Field[]): boolean {
  const fields = Object.entries(match).filter(([field]) => !unknown.includes(field as Field))
  return matchesCall(Object.fromEntries(fields), facts)
}
