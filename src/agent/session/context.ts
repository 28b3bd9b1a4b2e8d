import { dirname } from 'node:path'
import type { CallMatch } from '../../ask/wire/call-match.ts'
import {
  clientFilePath,
  findClientServer,
  findSetupFault,
  readClientFile,
  stateFolder,
} from '../../platform/config/client-file.ts'
import { type Environment, wholeEnvironment } from '../../platform/config/env.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { HookCall, HookEvent } from '../calls/tool-call.ts'
import { decidesWithinMs, type HookClient } from '../clients/client.ts'
import { machineKey } from '../state/state-files.ts'

/** Where the server is, and who asks. */
export type Service = { url: string; token: string; machineId: string }

/** One run of `beckon hook`. */
export type HookContext = {
  client: HookClient
  call: HookCall
  /** The input was cut because it was too long, so the call may do more than it seems. */
  cut: boolean
  /** Commands that cannot be read to their end are stopped as well. */
  strict?: boolean
  /** `beckon setup --wait-next` was given for this client. */
  waitsNext?: boolean
  /** A person has just been asked about this call and said yes. */
  agreed?: boolean
  /** The people whom a rule names have just agreed to this call. */
  approved?: boolean
  /** The calls that rules of the workspace decide; undefined: not known in this session. */
  ruleMatches?: readonly CallMatch[]
  /** Registered only for permission prompts about our own tools. */
  ownToolsOnly?: boolean
  /** The folder for what hooks remember between calls; created when first needed. */
  state: string
  /** This program with its settings and state; no scope covers them. */
  own: { folders: string[]; files: string[] }
  /** Undefined on a machine that was not set up, and with a `fault`. */
  service: Service | undefined
  /** Why a machine that was set up has no server to use. */
  fault?: string | undefined
  /** Milliseconds until the decision is due; 0 once it is. */
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

/**
 * Returns true if the terminal can decide this call. False if the client has a limit of its own that
 * is over: it may have let the tool run.
 */
export function canHandOver({ client, call, left }: HookContext): boolean {
  return client.canAsk(call) && !(client.hasOwnLimit && left() <= 0)
}

// How long to wait for a person if nothing else is configured.
const WAIT_MS = 5 * 60_000
// Only decisions may take long: for other events clients allow seconds at most.
const BRIEF_MS = 3_000
const DECISIONS: ReadonlySet<HookEvent> = new Set(['before_tool', 'permission'])

/** One run of the hook: what it knows of its machine, and how long it has. */
export function openContext(
  client: HookClient,
  { call, cut }: Pick<HookContext, 'call' | 'cut'>,
  { startedAt, ended, ms }: { startedAt: number; ended: AbortSignal; ms?: number },
): HookContext {
  const env = wholeEnvironment()
  const file = readClientFile(env)
  const state = stateFolder(env)
  const waitMs = file?.hookWaitSeconds === undefined ? WAIT_MS : file.hookWaitSeconds * 1000
  const limit = ms ?? (DECISIONS.has(call.event) ? waitMs : BRIEF_MS)
  const due = startedAt + Math.min(limit, decidesWithinMs(client))
  const remaining = () => Math.max(0, due - performance.now())
  // A timer may ring before the counter says so, above all on a busy machine.
  const over = AbortSignal.timeout(remaining())
  const left = () => (over.aborted ? 0 : remaining())
  const service = findService(env, file)
  return {
    client,
    call,
    cut,
    state,
    waitsNext: file?.waitNext?.includes(call.client) ?? false,
    own: { folders: [state, dirname(clientFilePath(env))], files: [process.execPath] },
    service,
    fault: service ? undefined : findSetupFault(env),
    left,
    signal: AbortSignal.any([ended, over]),
  }
}

/** Undefined on a machine that was not set up, and where `findSetupFault` says why. */
export function findService(env: Environment, file = readClientFile(env)): Service | undefined {
  const server = findClientServer(env, file)
  if (!server?.token) return undefined
  const { url, token } = server
  return { url, token, machineId: server.machineId ?? ownMachineId(stateFolder(env)) }
}

/** For a machine that was not set up: the same value as long as the hook keeps its key. */
function ownMachineId(state: string): string {
  try {
    return `m_${sha256(machineKey(state).toString('hex')).slice(0, 24)}`
  } catch {
    return 'unknown'
  }
}
