import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { chargeToken, seenCharge, USUAL } from '../accounts/charge-token.ts'
import type { CallContext, Caller } from '../accounts/model/agent.ts'
import { findToken } from '../accounts/model/token-store.ts'
import { type AskDeps, askAndWait } from '../asking/ask-and-wait.ts'
import type { AskUserDeps } from '../asking/ask-user.ts'
import { endSessionGrants } from '../grants/grants.ts'
import { readRuleMatches } from '../policy/rule-matches.ts'
import { presenceMsOf, provePresence } from '../presence/prove-presence.ts'
import { isScopeProposed } from '../questions/model/proposal-store.ts'
import { isTest, readAsk } from '../questions/model/read-ask.ts'
import { contractOf, etagOf } from '../scopes/model/contract.ts'
import { type Hook, holdsContract, isHere } from '../scopes/model/hook.ts'
import {
  clearReportedContract,
  findHooks,
  type HookSighting,
  sightHook,
} from '../scopes/model/hook-store.ts'
import type { ContractKey } from '../scopes/model/store.ts'
import { type InForce, readInForce } from '../scopes/model/store.ts'
import { seeSession } from '../sessions/see-session.ts'
import type { HookReply, HookReport } from '../wire/hook-fields.ts'
import { askOf, checkToolCall } from './check-tool-call.ts'
import { tellOfHook } from './silent-hooks.ts'

/**
 * A report of a hook, which may contain a request. Every report is recorded as a sign of life;
 * `check` and `approval` are decided by a rule, or open a question (or join the one that a retry
 * belongs to) and wait for it; `waiting` notifies a person. The reply says what now holds for the
 * session. Throws `invalid_input`, `unavailable`.
 */
export async function reportHook(
  deps: AskUserDeps,
  report: HookReport & { client: string },
  call: CallContext,
): Promise<HookReply> {
  const asks = report.event === 'check' || report.event === 'approval'
  const tells = report.event === 'waiting'
  if (asks || tells) askOf(report)
  const lost = await writeDown(deps, report, call)
  const key = keyOf(report.sessionId, call)
  if (tells) await notifyWaiting(deps, report, call)
  const before = await readInForce(deps, key)
  if (before && lost) await tellLost(deps, lost, before, call)
  if (!asks) return { ...holding(before), ...(await besideScope(deps, key, call)) }
  const checked = await checkToolCall(deps, report, before, call)
  return {
    ...holding(await readInForce(deps, key)),
    ...(await besideScope(deps, key, call)),
    ...checked,
  }
}

/** What a hook is told beside the scope: whether one is proposed, and which calls rules decide. */
async function besideScope(
  deps: AskUserDeps,
  key: ContractKey,
  { caller }: CallContext,
): Promise<Pick<HookReply, 'proposed' | 'ruleMatches'>> {
  const ruleMatches = await readRuleMatches(deps, caller)
  return { ...(await proposal(deps, key)), ...(ruleMatches.length > 0 ? { ruleMatches } : {}) }
}

/** With it, a hook looks for a yes with its next call, whoever proposed the scope, and how. */
async function proposal(
  { db, clock }: AskUserDeps,
  key: ContractKey,
): Promise<Pick<HookReply, 'proposed'>> {
  return (await isScopeProposed(db.read, key, clock.now())) ? { proposed: true } : {}
}

async function writeDown(
  { db, clock, policies, limited = USUAL }: AskUserDeps,
  report: HookReport & { client: string },
  { caller }: CallContext,
): Promise<Hook | undefined> {
  const at = clock.now()
  const id = newId('ses', at)
  const { workspaceId, tokenId } = caller
  const test = isTest(undefined, caller)
  const { client, event, examplePaths, gaps, contained } = report
  // Cleaned as in a question, so that both name the same session.
  const sessionId = cleanLine(report.sessionId)
  if (sessionId === '') throw wrongFields([{ field: 'sessionId', must: 'must not be empty' }])
  const machineId = line(report.machineId) ?? ''
  const identity = { workspaceId, machineId, sessionId, client, at }
  const { agentName, repoKey, branch, machineName, clientVersion, hookVersion, contractEtag } =
    report
  const versions = { clientVersion: line(clientVersion), hookVersion: line(hookVersion) }
  const containment = {
    ...versions,
    // A session that starts may run on a system or in a mode that contains less than before.
    contained: contained ?? (event === 'session_start' ? null : undefined),
    contractEtag: line(contractEtag),
    examplePaths: clean(examplePaths),
    gaps: gaps?.map(cleanLine).filter((gap) => gap !== ''),
  }
  // Test traffic keeps no phone silent.
  const isProof = report.interactive && machineId !== '' && !test
  const presenceMs = isProof ? await presenceMsOf(policies, workspaceId) : 0
  return await db.write(async (tx) => {
    const speaks = await speaksFor(tx, identity, caller)
    const holdsNothing = speaks && contractEtag === undefined
    const lost = holdsNothing ? await findEndedReport(tx, identity, event) : undefined
    if (speaks && event === 'session_end') {
      await endSessionGrants(tx, { workspaceId, machineId, sessionId }, at, 'session_ended')
    }
    if (speaks)
      await sightHook(tx, { ...identity, ...containment, tokenId, ended: event === 'session_end' })
    const isNew = await seeSession(tx, {
      ...identity,
      id,
      tokenId,
      test,
      agentName: line(agentName),
      repoKey: line(repoKey),
      branch: line(branch),
      machineName: line(machineName),
    })
    if (isNew) await chargeToken(tx, limited, seenCharge({ workspaceId, tokenId, at }))
    if (speaks && isProof) await provePresence(tx, { workspaceId, machineId, at }, presenceMs)
    return lost
  })
}

/** The hook that had reported a contract, and now reports a session without one. */
async function findEndedReport(
  tx: Tx,
  { workspaceId, sessionId, machineId }: Pick<HookSighting, HookKey>,
  event: HookReport['event'],
): Promise<Hook | undefined> {
  // These reports do not include a contract.
  if (event === 'approval' || event === 'waiting') return undefined
  const hooks = await findHooks(tx, workspaceId, sessionId)
  const machineHook = hooks.find((hook) => hook.machineId === machineId)
  if (machineHook?.contractEtag === undefined) return undefined
  if (!(await clearReportedContract(tx, machineHook))) return undefined
  // A session that starts has no contract yet, and one that ends has none any more.
  const goesOn = event === 'heartbeat' || event === 'check'
  return goesOn && machineHook.endedAt === undefined ? machineHook : undefined
}

/**
 * The hook's stored contract is gone from the machine, while the scope that it reported still
 * holds.
 */
async function tellLost(
  { db, sender, clock }: AskUserDeps,
  lost: Hook,
  { contract }: InForce,
  { caller }: CallContext,
): Promise<void> {
  if (!holdsContract(lost, contract.questionId) || caller.test) return
  const notice = {
    hook: lost,
    tokenId: caller.tokenId,
    agentName: undefined,
    title: 'The files of a hook were removed',
    body: 'Its files on the machine of this session were removed or changed, and the scope was fetched again. What the agent did in between was not checked.',
    nextSteps: 'The agent may have done it: look at what it changed.',
    at: clock.now(),
  }
  await tellOfHook({ db, sender }, notice, async () => true)
}

type HookKey = 'workspaceId' | 'sessionId' | 'machineId' | 'at'

/**
 * A hook belongs to the token that first reported it, until the hook ends, falls silent, or its
 * token is revoked: no other agent can make it seem present, or gone. A test token reports for a
 * hook until a real one does, and a test connection changes nothing of the hook of a real token.
 */
async function speaksFor(
  tx: Tx,
  { workspaceId, sessionId, machineId, at }: Pick<HookSighting, HookKey>,
  { tokenId, test, testConnection }: Caller,
): Promise<boolean> {
  if (testConnection && !test) return false
  const hooks = await findHooks(tx, workspaceId, sessionId)
  const machineHook = hooks.find((hook) => hook.machineId === machineId)
  if (machineHook?.tokenId === undefined || machineHook.tokenId === tokenId) return true
  const first = await findToken(tx, machineHook.tokenId)
  if (first && first.test !== test) return first.test
  return first === undefined || first.revokedAt !== null || !isHere(machineHook, at)
}

function keyOf(sessionId: string, { caller }: CallContext): ContractKey {
  const { workspaceId } = caller
  return { workspaceId, sessionId: cleanLine(sessionId), test: isTest(undefined, caller) }
}

function line(text: string | undefined): string | undefined {
  return (text && cleanLine(text)) || undefined
}

/** Paths inside the repository; others are not useful as examples. */
function clean(paths: string[] | undefined): string[] | undefined {
  const inside = (path: string) => path !== '' && !/^[/~]|(^|\/)\.\.(\/|$)/.test(path)
  return paths && [...new Set(paths.map(cleanLine))].filter(inside)
}

function holding(inForce: InForce | undefined): Pick<HookReply, 'contract' | 'etag'> {
  if (!inForce) return { contract: null, etag: etagOf(undefined, 0) }
  const { contract, widened } = inForce
  return {
    contract: {
      correlationId: contract.questionId,
      ...contractOf(contract),
      widened,
      ratifiedAt: isoTime(contract.ratifiedAt),
      expiresAt: isoTime(contract.expiresAt),
    },
    etag: etagOf(contract, widened.length),
  }
}

/** Reads the scope in force of a session, as hooks read it. Throws `not_found` if nothing does. */
export async function readHookScope(
  deps: { db: Db; clock: Clock },
  sessionId: string,
  call: CallContext,
): Promise<NonNullable<HookReply['contract']>> {
  const { contract } = holding(await readInForce(deps, keyOf(sessionId, call)))
  if (contract) return contract
  throw new Failure(
    'not_found',
    'No scope holds for this session: nobody agreed to one, or it has expired.',
  )
}

/**
 * Tells the person that a client waits for them at its own terminal, once for each `requestId`.
 * Whatever the policy's mode, it can only be answered there. Throws `invalid_input`, `unavailable`.
 */
async function notifyWaiting(deps: AskDeps, report: HookReport, call: CallContext): Promise<void> {
  const draft = readAsk(askOf(report), call.caller)
  const detail = { ...draft.detail, atTerminal: true as const }
  const how = { wait: false, timeoutMs: report.timeoutMs }
  await askAndWait(deps, { ...draft, detail }, how, call, async () => {})
}
