import type { FilledField } from '../../ask/tools/tool-entry.ts'
import { callIdOf, isId } from '../../ask/wire/call-id.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { agentNameOf } from '../clients/mcp-client.ts'
import { calledTool } from '../own-tools.ts'

/** Facts that a process on the agent's machine knows and a request over HTTP does not contain. */
export type BridgePlace = {
  /** The agent's session, where the client passes it to the processes it starts. */
  sessionId: string | undefined
  machineId: string | undefined
  repoKey: string | undefined
  /** The name of the folder that the agent works in. */
  project: string | undefined
}

/**
 * The parameters of a `tools/call`, completed with fields that the model left out and the tool
 * accepts. Fields that were sent stay as they were, right or wrong. `mint` makes an id for a call
 * that its client has not named, so that its retries are one question: in `requestId`, or in
 * `_meta` if the tool has no such field.
 */
export function enriched(
  params: Fields,
  place: BridgePlace,
  client: string | undefined,
  mint: () => string,
): Fields {
  const { name, arguments: args = {}, _meta } = params
  const tool = calledTool(name)
  if (!tool || tool.fills.length === 0 || !isFields(args)) return params
  const meta = isFields(_meta) ? _meta : {}
  const defaults: Record<FilledField, string | undefined> = {
    agentName: agentNameOf(client, place.project),
    machineId: place.machineId,
    repoKey: place.repoKey,
    // If the client names the call, the server derives the id from that name.
    requestId: isNamed(args, meta) ? undefined : mint(),
    // An agent started by another inherits its environment, so the session in the request goes first.
    sessionId: isId(meta.sessionId) ? undefined : place.sessionId,
  }
  const added = tool.fills
    .filter((key) => args[key] === undefined && defaults[key] !== undefined)
    .map((key) => [key, defaults[key]])
  // The input has no field for a key, so it goes into `_meta`, where clients name their calls.
  const unnamed = tool.key === '_meta' && !isNamed({}, meta)
  const withCallId = unnamed ? { ...params, _meta: { ...meta, callId: mint() } } : params
  return added.length === 0
    ? withCallId
    : { ...withCallId, arguments: { ...args, ...entries(added) } }
}

function entries(pairs: unknown[][]): Fields {
  return Object.fromEntries(pairs as [string, unknown][])
}

function isNamed(args: Fields, meta: Fields): boolean {
  return args.toolUseId !== undefined || callIdOf(meta) !== undefined
}
