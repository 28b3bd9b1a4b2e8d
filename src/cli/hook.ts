import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { findClientServer, readClientFile, stateFolder } from '../config/client-file.ts'
import { wholeEnvironment } from '../config/env.ts'
import type { HookClient } from './clients/client.ts'
import { findHookClient, HOOK_CLIENTS } from './clients/hook-clients.ts'
import type { HookContext, Service } from './hook/context.ts'
import { decide } from './hook/decide.ts'
import { readInput } from './hook/read-input.ts'
import { type HookCall, type HookEvent, NOTHING, type Rendered } from './hook/tool-call.ts'

// A client that gives up on a hook lets the tool run: the hook is done before that.
const HOST_SLACK_MS = 5_000
// How long a person is waited for when nothing else is configured.
const WAIT_MS = 5 * 60_000
// What is no decision has to be short: clients give these events seconds at most.
const BRIEF_MS = 3_000
const DECISIONS: ReadonlySet<HookEvent> = new Set(['before_tool', 'permission'])

/**
 * `beckon hook`: reads what an agent client is about to do, and prints what the client is to do
 * about it. Ends the process itself, with 0 or 2: standard input may never close, and clients
 * take every other code for a fault, after which the tool runs.
 */
export async function hook(args: string[]): Promise<number> {
  const begun = performance.now()
  const [name = '', event] = args.filter((arg) => !arg.startsWith('-'))
  const client = await findHookClient(name)
  if (!client) return unknown(name)
  const rendered = await answer(client, event, begun).catch(() => NOTHING)
  return finish(rendered)
}

async function answer(
  client: HookClient,
  event: string | undefined,
  begun: number,
): Promise<Rendered> {
  const env = wholeEnvironment()
  const call = client.parse(await readInput(), env, event)
  const context = contextOf(client, call, begun)
  return client.render(await decide(context), call)
}

function contextOf(client: HookClient, call: HookCall, begun: number): HookContext {
  const file = readClientFile()
  const server = findClientServer(wholeEnvironment(), file)
  const waitMs = file?.hookWaitSeconds === undefined ? WAIT_MS : file.hookWaitSeconds * 1000
  const limit = DECISIONS.has(call.event) ? waitMs : BRIEF_MS
  const due = begun + Math.min(limit, client.hostTimeoutMs - HOST_SLACK_MS)
  const left = () => Math.max(0, due - performance.now())
  return {
    client,
    call,
    state: stateFolder(),
    service: server?.token ? (server as Service) : undefined,
    left,
    signal: AbortSignal.timeout(left()),
  }
}

/** A client that is not known must not be stopped either. */
function unknown(name: string): number {
  if (isatty(2)) {
    const given = name === '' ? 'The name of the client is missing' : `"${name}" is no client`
    writeSync(2, `${given}; known are ${HOOK_CLIENTS.join(', ')}. See: beckon hook --help\n`)
  }
  return finish(NOTHING)
}

function finish({ stdout, stderr, exit }: Rendered): never {
  if (stdout) writeSync(1, stdout)
  if (stderr) writeSync(2, `${stderr}\n`)
  process.exit(exit)
}
