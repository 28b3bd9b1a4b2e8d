import { dirname } from 'node:path'
import {
  clientFilePath,
  findClientServer,
  readClientFile,
  stateFolder,
} from '../../platform/config/client-file.ts'
import { wholeEnvironment } from '../../platform/config/env.ts'
import type { HookClient } from '../clients/client.ts'
import { machineKey, sha256 } from './state.ts'
import type { HookCall, HookEvent } from './tool-call.ts'

/** Where the server is, and who asks. */
export type Service = { url: string; token: string; machineId: string }

/** One run of `beckon hook`. */
export type HookContext = {
  client: HookClient
  call: HookCall
  /** The input was longer than what is read: the call may be more than it seems. */
  cut: boolean
  /** Commands that cannot be read to their end are not let through either. */
  strict?: boolean
  /** A person was just asked about this call, and said yes. */
  agreed?: boolean
  /** Registered for permission prompts about our own tools alone. */
  ownToolsOnly?: boolean
  /** The folder for what hooks remember between calls; created when first needed. */
  state: string
  /** Settings and state of this program, and the program: no scope covers them. */
  own: { folders: string[]; files: string[] }
  /** Undefined on a machine that was not set up. */
  service: Service | undefined
  /** Milliseconds until the decision has to be out; 0 when it is due. */
  left(): number
  /** Aborts when the decision is due, and when the client ends the hook. */
  signal: AbortSignal
}

/** The key under which the hook keeps state for this session. */
export type SessionPlace = { state: string; client: string; sessionId: string }

/** Undefined when the client did not name the session. */
export function sessionOf({ state, call }: HookContext): SessionPlace | undefined {
  const { client, sessionId } = call
  return sessionId === undefined ? undefined : { state, client, sessionId }
}

// A client that gives up on a hook lets the tool run, so the hook finishes before that.
const HOST_SLACK_MS = 5_000
// How long a person is waited for when nothing else is configured.
const WAIT_MS = 5 * 60_000
// Everything but decisions has to be short: clients give those events seconds at most.
const BRIEF_MS = 3_000
const DECISIONS: ReadonlySet<HookEvent> = new Set(['before_tool', 'permission'])

/** One run of the hook: what it knows of its machine, and how long it has. */
export function openContext(
  client: HookClient,
  { call, cut }: Pick<HookContext, 'call' | 'cut'>,
  { begun, ended, ms }: { begun: number; ended: AbortSignal; ms?: number },
): HookContext {
  const env = wholeEnvironment()
  const file = readClientFile(env)
  const state = stateFolder(env)
  const waitMs = file?.hookWaitSeconds === undefined ? WAIT_MS : file.hookWaitSeconds * 1000
  const limit = ms ?? (DECISIONS.has(call.event) ? waitMs : BRIEF_MS)
  const due = begun + Math.min(limit, client.hostTimeoutMs - HOST_SLACK_MS)
  const left = () => Math.max(0, due - performance.now())
  return {
    client,
    call,
    cut,
    state,
    own: { folders: [state, dirname(clientFilePath(env))], files: [process.execPath] },
    service: serviceOf(findClientServer(env, file), state),
    left,
    signal: AbortSignal.any([ended, AbortSignal.timeout(left())]),
  }
}

function serviceOf(
  server: ReturnType<typeof findClientServer>,
  state: string,
): Service | undefined {
  if (!server?.token) return undefined
  const { url, token } = server
  return { url, token, machineId: server.machineId ?? ownMachineId(state) }
}

/** For a machine that was not set up: the same as long as the hook keeps its key. */
function ownMachineId(state: string): string {
  try {
    return `m_${sha256(machineKey(state).toString('hex')).slice(0, 24)}`
  } catch {
    return 'unknown'
  }
}
