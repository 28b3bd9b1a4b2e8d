import type { Read } from '../../platform/db/database.ts'
import { omitUndefined } from '../../platform/json.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { CallContext, Caller } from '../accounts/model/agent.ts'
import type { AskUserDeps } from '../asking/ask-user.ts'
import { decideOrAsk } from '../hooks/check-tool-call.ts'
import type { Approval } from '../policy/decide-by-rule.ts'
import { withDetail } from '../questions/model/question.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import { readInForce } from '../scopes/model/store.ts'
import type { AskInput } from '../wire/ask-fields.ts'
import { readCutMark } from '../wire/cut-mark.ts'
import type { GateCall, GateCallReply } from '../wire/gate-fields.ts'
import type { GatedCall } from '../wire/gated-call.ts'
import { gateActionHash, gatedToolName } from '../wire/tool-fingerprint.ts'
import { describeTool } from './describe-tool.ts'
import { yesOfHook } from './hook-yes.ts'
import { type Gate, type GateId, type GateTool, isConfirmed, seenIn } from './model/gate.ts'
import { findGate, findGateTool } from './model/store.ts'
import { findGateVersion } from './model/version-store.ts'
import { callDigest, rejoinCall } from './rejoin-call.ts'
import { serverLine } from './server-line.ts'

const TOOL_NAME_MAX = 100
const NAME_SHOWN_MAX = 200

/**
 * Decides a tool call that a gate holds: by a rule, by what an owner confirmed, by a grant, or by a
 * person. Throws `invalid_input`, `unavailable`.
 */
export async function checkGateCall(
  deps: AskUserDeps,
  name: string,
  held: GateCall,
  call: CallContext,
): Promise<GateCallReply> {
  const { caller } = call
  const { workspaceId } = caller
  const gate = await findGate(deps.db.read, { workspaceId, name, serverHash: sha256(held.server) })
  const tool = gate && (await findToolNow(deps.db.read, gate.id, held))
  const fingerprint = tool?.fingerprint ?? null
  const actionHash = gateActionHash({ ...held, fingerprint })
  const gated = describeCall(name, held, gate, tool)
  const digest = callDigest(held, actionHash)
  const approval = approvalOf({ name, held, gated, tool, actionHash, digest }, caller)
  const inForce =
    held.sessionId === undefined
      ? undefined
      : await readInForce(deps, {
          workspaceId,
          sessionId: cleanLine(held.sessionId),
          test: approval.asked.test,
        })
  const { decision, reason, question, onTimeout } = await decideOrAsk(
    deps,
    approval,
    inForce,
    call,
    async (draft) => {
      const yes = await yesOfHook(deps, draft, held)
      return yes ? { asked: draft, earlier: yes } : await rejoinCall(deps, draft, digest)
    },
  )
  return omitUndefined({ actionHash, decision, reason, question, onTimeout })
}

/**
 * The tool in the version that the server behind this gate has. Another gate of the same server may have
 * listed another one since.
 */
async function findToolNow(
  read: Read,
  gateId: GateId,
  { tool: name, now }: GateCall,
): Promise<GateTool | undefined> {
  const row = await findGateTool(read, gateId, name)
  if (now === undefined) return row?.listed ? row : undefined
  if (now === null) return undefined
  if (row?.fingerprint === now) return { ...row, listed: true }
  const version = await findGateVersion(read, { gateId, name, fingerprint: now })
  return version && { ...version, ...seenIn(version, row) }
}

type Held = {
  name: string
  held: GateCall
  gated: GatedCall
  tool: GateTool | undefined
  actionHash: string
  digest: string
}

function approvalOf(
  { name, held, gated, tool, actionHash, digest }: Held,
  caller: Caller,
): Approval {
  const input = inputOf(name, held, actionHash, digest, caller.arrivedAt)
  const read = readAsk(input, caller)
  const { exact } = read.detail
  const cut = gated.cut ?? (read.detail.cut === undefined ? undefined : true)
  const draft = withDetail(read, {
    gate: omitUndefined({ ...gated, cut }),
    ...(exact && held.arguments === 'plain' ? { exact: { ...exact, arguments: 'plain' } } : {}),
  })
  return {
    input,
    asked: draft,
    cwd: held.cwd,
    personOnly: !gated.confirmed,
    confirmed:
      gated.confirmed && tool?.confirmed?.unasked
        ? { id: gated.gateId, words: `${gated.tool} of ${gated.gate}, as an owner confirmed it,` }
        : undefined,
  }
}

function inputOf(
  name: string,
  held: GateCall,
  actionHash: string,
  digest: string,
  now: number,
): AskInput {
  const { action, actionBody, intent, toolTarget, toolPath, toolSettings, reading, cwd } = held
  const { sessionId, machineId, repoKey, agentName, timeoutMs, callId, holdMs } = held
  const sort = held.arguments === 'none' ? 'none' : held.arguments === 'plain' ? 'other' : 'unshown'
  return {
    question: `Use ${shownName(held.tool)} of ${name}?`,
    toolName: cutText(cleanLine(gatedToolName(name, held.tool)), TOOL_NAME_MAX),
    action,
    // There is no terminal behind a gate: a silent phone would mean that nobody is asked.
    localSurfaceAvailable: false,
    pausedAware: true,
    byHook: true,
    actionHash,
    exact: { argumentsHash: actionHash, arguments: sort },
    waitEndsAt: new Date(now + holdMs).toISOString(),
    ...omitUndefined({ actionBody, intent, toolTarget, toolPath, toolSettings, reading }),
    // A server over HTTP runs in no folder: calls to it are all in one place.
    cwd: cleanLine(cwd ?? serverLine(held.server)),
    ...omitUndefined({ sessionId, machineId, repoKey, agentName, timeoutMs }),
    ...(callId === undefined ? {} : { requestId: `${digest}:${sha256(callId)}` }),
  }
}

function describeCall(
  name: string,
  held: GateCall,
  gate: Gate | undefined,
  tool: GateTool | undefined,
): GatedCall {
  const isCut = held.cut || (held.actionBody !== undefined && readCutMark(held.actionBody) > 0)
  const isSame = tool !== undefined && held.fingerprint === tool.fingerprint
  return omitUndefined({
    gateId: gate?.id ?? '',
    gate: name,
    server: serverLine(held.server),
    tool: shownName(held.tool),
    fingerprint: tool?.fingerprint ?? null,
    ...(tool ? describeTool(tool) : { state: 'unlisted' as const }),
    confirmed: tool && isSame && isConfirmed(tool) ? (true as const) : undefined,
    cut: isCut ? (true as const) : undefined,
  })
}

function shownName(tool: string): string {
  return cutText(cleanLine(tool), NAME_SHOWN_MAX) || '(a name that cannot be seen)'
}
