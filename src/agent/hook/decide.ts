import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PROTECTED } from '../../ask/wire/matcher/protected-paths.ts'
import { type HookCall, SILENT, type Verdict } from '../calls/tool-call.ts'
import { reportedTool } from '../own-tools.ts'
import type { HookContext } from '../session/context.ts'
import { handedPath, recordPath } from '../state/turn-record.ts'

/** The hook's verdict on one event; the code for each event is loaded only for it. */
export async function decide(context: HookContext): Promise<Verdict> {
  const { turn } = context.call
  if (turn === undefined) await noteProgress(context)
  const verdict = await decideEvent(context)
  if (turn === undefined) return verdict
  const next = await (await import('../turns/note-turn.ts')).noteTurn(context)
  return next.is === 'go_on' ? next : verdict
}

/** A tool call shows that the agent began with what a person told it. */
async function noteProgress({ call, state }: HookContext): Promise<void> {
  const { event, client, sessionId } = call
  if (sessionId === undefined || (event !== 'before_tool' && event !== 'after_tool')) return
  const place = { state, client, sessionId }
  if (!existsSync(handedPath(recordPath(place)))) return
  ;(await import('../turns/note-turn.ts')).noteTaken(place, undefined)
}

async function decideEvent(context: HookContext): Promise<Verdict> {
  switch (context.call.event) {
    case 'session_start':
      return await (await import('./session.ts')).sessionStart(context)
    case 'prompt':
      return await alsoWithdrawing(context, (await import('./session.ts')).prompted)
    case 'waiting':
      return await (await import('./relay-approval.ts')).tellWaiting(context)
    case 'permission':
      return await relay(context)
    case 'before_tool':
      return await beforeTool(context)
    case 'after_tool':
    case 'tool_failed':
      return await alsoWithdrawing(context, afterTool)
    case 'stop':
      await sweep(context)
      return await alsoWithdrawing(context, lookBack)
    case 'session_end':
      await sweep(context)
      return await alsoWithdrawing(context, (await import('./session.ts')).sessionEnd)
    default:
      return SILENT
  }
}

async function afterTool(context: HookContext): Promise<Verdict> {
  if (context.call.command !== undefined) await sweep(context)
  const verdict = await (await import('./session.ts')).afterTool(context)
  if (verdict.is !== 'silent') return verdict
  const changed = await lookBack(context)
  const { output, command } = context.call
  if (!output || command === undefined || !STOPS.test(output)) return changed
  const stopped = (await import('./stopped-inside.ts')).stoppedInside(context)
  if (stopped.is !== 'context' || changed.is !== 'context')
    return stopped.is === 'context' ? stopped : changed
  return { is: 'context', text: `${stopped.text} ${changed.text}` }
}

// How the kernel's refusals begin, in any program's words.
const STOPS = /read-only file system|permission denied|not permitted|resource busy|cross-device/i

/** Removes what was made in the project for the time of a command. */
async function sweep({ state }: HookContext): Promise<void> {
  if (!existsSync(join(state, 'placeholders'))) return
  const { sweepPlaceholders } = await import('../jail/placeholder-records.ts')
  sweepPlaceholders(state)
}

/** Reports changes that no tool call named. */
async function lookBack(context: HookContext): Promise<Verdict> {
  return await (await import('./backstop.ts')).reportChanges(context)
}

/** The client has moved on, so whatever the phone was asked is decided. */
async function alsoWithdrawing(
  context: HookContext,
  job: (context: HookContext) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  if (!context.client.relays) return await job(context)
  const { withdrawAnswered } = await import('./relay-open.ts')
  const [verdict] = await Promise.all([job(context), withdrawAnswered(context)])
  return verdict
}

async function beforeTool(context: HookContext): Promise<Verdict> {
  const verdict = await beforeToolRuns(context)
  // Also after a question, because the prompt that follows is about the same call.
  if (verdict.is !== 'deny') {
    await expectScope(context)
    await remember(context)
  }
  if (verdict.is !== 'silent' || context.call.command === undefined || !context.client.withCommands)
    return verdict
  return await (await import('./start-in-scope.ts')).startInScope(context)
}

async function beforeToolRuns(context: HookContext): Promise<Verdict> {
  const verdict = await checked(context)
  // Most workspaces have no rule that holds where no client asks.
  if (verdict.is === 'deny' || context.ruleMatches?.length === 0) return verdict
  // What the terminal is asked about is something else, and no yes of those whom a rule names.
  const prompt = verdict.is === 'ask' ? 'stays' : 'allow'
  const byRule = await (await import('./ask-by-rule.ts')).askByRule(context, prompt)
  return byRule.is === 'silent' ? verdict : byRule
}

async function checked(context: HookContext): Promise<Verdict> {
  const { gate } = await import('./gate.ts')
  if (!mayBeAtStake(context.call)) return await gate(context)
  const { refuseOwnCommand, refuseOwnFile } = await import('./guard.ts')
  const refused = await refuseOwnCommand(context)
  if (refused) return refused
  const verdict = await gate(context)
  if (verdict.is !== 'silent') return verdict
  const own = await refuseOwnFile(context)
  if (own) return own
  return await (await import('./at-stake.ts')).askAtStake(context)
}

/** Before the call, because nothing comes after one that is interrupted. */
async function expectScope(context: HookContext): Promise<void> {
  const { toolName, sessionId, client } = context.call
  if (reportedTool(toolName ?? '')?.name !== 'propose_scope' || sessionId === undefined) return
  const { noteProposed } = await import('../session/refresh.ts')
  const place = { state: context.state, client, sessionId }
  noteProposed(place)
  await (await import('./how-contained.ts')).reportIfChanged(context, place)
  await (await import('./gaps.ts')).reportGaps(context)
}

/** The client's own prompt for this call comes without its id. */
async function remember({ client, service, call, state }: HookContext): Promise<void> {
  const { sessionId, toolName, toolInput, toolUseId } = call
  if (!client.relays || !service || !sessionId || !toolName || !toolUseId) return
  const { putCall } = await import('./spool.ts')
  const place = { state, client: call.client, sessionId }
  putCall(place, { toolName, toolInput, toolUseId }, Date.now())
}

// Text that a shell expands may turn into any of the words below.
const COMPUTED = /[$`*?[{]|\\[xu0-7]/
const WORDS =
  /beckon|main\.[jt]s|\bgit\b[^;&|\n]*\b(reset|stash|clean|checkout|switch|restore|push|pull|fetch|branch|update-ref|rm|worktree|read-tree|c)\b|\b(rm|unlink|shred|find|rsync|tar|zip|rimraf|del|erase|rd|ri|remove-item|alias|eval|source|xargs|kill|pkill|(ba|da|z|k|fi|a)?sh|setup|user|key|pair|hook|backup|restore|disableAllHooks|BUN_\w+)\b|(^|[\s;&|(])\.{0,2}\//i

// The folders in which clients have their hooks: `.claude`, `opencode` of `.config/opencode`.
const CLIENT_FOLDERS = new RegExp(
  [...new Set(PROTECTED.flatMap(folderOf))].map((name) => RegExp.escape(name)).join('|'),
  'i',
)

// Commands that create a file: nobody is asked when such a file is removed again.
const MAKES = /(^|[^&\d])>{1,2}\|?\s*(?!\/dev\/)[^\s&>(]|\b(touch|tee|cp)\b/

/**
 * Returns true if a call may need a check even without a scope: it switches off what watches the
 * agent, or destroys work. Returns true when in doubt. It runs for every call, so that most of them
 * need not load anything else.
 */
function mayBeAtStake(call: HookCall): boolean {
  const scripts = [...(call.command === undefined ? [] : [call.command]), ...(call.scripts ?? [])]
  if (scripts.some(mayMatter)) return true
  return call.touches.some(({ touch, path }) => touch !== 'read' || /beckon/i.test(path))
}

/**
 * Returns true if a text for a shell may destroy work; a test compares it with the commands that
 * are known to.
 */
export function mayMatter(script: string): boolean {
  const text = script.replace(/["'\\]/g, '')
  return [WORDS, CLIENT_FOLDERS, MAKES].some((words) => words.test(text)) || COMPUTED.test(script)
}

function folderOf(glob: string): string[] {
  const names = glob.split('/').filter((name) => name !== '**' && name !== '.config')
  return names[0] === '.git' ? [] : names.slice(0, 1)
}

/**
 * Asks on the phone what the client would ask at its terminal. If anything fails it stays silent,
 * so that the client's own prompt decides.
 */
async function relay(context: HookContext): Promise<Verdict> {
  const { client, call, service, cut } = context
  const { toolName } = call
  // The call was cut, so the person could not see all of it.
  if (!client.relays || !service || cut || toolName === undefined) return SILENT
  if (client.isOurTool?.(call)) return { is: 'allow' }
  // These tools ask the person themselves, and the answer to one question must not be taken for
  // another's.
  if (reportedTool(toolName) || context.ownToolsOnly) return SILENT
  try {
    return await relayed(context, toolName)
  } catch {
    return SILENT
  }
}

async function relayed(context: HookContext, toolName: string): Promise<Verdict> {
  if (toolName === 'AskUserQuestion' || context.call.questions !== undefined) {
    return await (await import('./relay-questions.ts')).relayQuestions(context)
  }
  if (toolName === 'ExitPlanMode') {
    return await (await import('./relay-approval.ts')).relayPlan(context)
  }
  return await (await import('./relay-approval.ts')).relayApproval(context)
}
