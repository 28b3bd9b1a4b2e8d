import { factsOfReport } from '../../ask/wire/call-facts.ts'
import type { CallMatch } from '../../ask/wire/call-match.ts'
import {
  type CommandWords,
  commandWords,
  startsCommand,
  wordsOf,
} from '../../ask/wire/command-words.ts'
import { type CallFacts, matchesCall } from '../../ask/wire/matches-call.ts'
import { readShellCommand } from '../../ask/wire/reading/of-ask.ts'
import { reportedTool } from '../own-tools.ts'
import type { HookContext } from '../session/context.ts'
import { whereOf } from '../session/refresh.ts'
import { callPlace, targetOf, toolNameOf } from './call-target.ts'

type Field = keyof CallMatch

// Where reading them costs more than the look at the tool, by which nearly all calls pass.
const LATER: readonly Field[] = ['repoKey', 'toolTarget', 'agentName']

/**
 * Returns true if one of the matches may be about the call, also because something that it names is
 * not known. A match without a tool leaves out what changes nothing, which clients do all the time.
 */
export function mayBeRuled(context: HookContext, matches: readonly CallMatch[]): boolean {
  const { command } = context.call
  const { left, facts, unknown } = aboutTool(context, matches)
  if (!facts) return false
  if (left.some((match) => mayMatch(match, facts, unknown))) return true
  // Rules are for a command wherever it stands on the line. The server reads the line itself.
  return command !== undefined && left.some(isIn(spelledWords(command), facts, unknown))
}

/** Returns true if a match is about a command of the call, wherever it stands, as it was read here. */
export function startsRuled(context: HookContext, matches: readonly CallMatch[]): boolean {
  const { command } = context.call
  const { left, facts, unknown } = aboutTool(context, matches)
  if (!facts || command === undefined) return false
  return left.some(isIn(readWords(command), facts, unknown))
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

// Text that a shell turns into another.
const SPELLED = /\\|\$'/

/** At least the words of the commands: most lines need not be read for that. */
function spelledWords(command: string): CommandWords {
  const { commands } = SPELLED.test(command) ? readWords(command) : { commands: [] }
  return { commands, text: wordsOf(command), isOneCommand: false }
}

function readWords(command: string): CommandWords {
  return commandWords([command], readShellCommand(command, { isShell: true }), false)
}

function isIn(words: CommandWords, facts: CallFacts, unknown: readonly Field[]) {
  return ({ toolTarget, ...match }: CallMatch) =>
    toolTarget !== undefined && mayMatch(match, facts, unknown) && startsCommand(toolTarget, words)
}

function mayMatch(match: CallMatch, facts: CallFacts, unknown: readonly Field[]): boolean {
  const fields = Object.entries(match).filter(([field]) => !unknown.includes(field as Field))
  return matchesCall(Object.fromEntries(fields), facts)
}
