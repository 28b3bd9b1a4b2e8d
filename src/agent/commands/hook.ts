import { writeSync } from 'node:fs'
import { stateFolder } from '../../platform/config/client-file.ts'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { isTerminal } from '../../platform/terminal/terminal.ts'
import { visibleText } from '../../platform/text.ts'
import { type HookCall, NOTHING, type Rendered, SILENT, type Verdict } from '../calls/tool-call.ts'
import type { HookClient } from '../clients/client.ts'
import { callingClient, HOOK_CLIENTS, loadHookClient } from '../clients/clients.ts'
import type { HookOptions } from '../hook/background.ts'
import { decide } from '../hook/decide.ts'
import { type Input, readInput } from '../hook/read-input.ts'
import { type HookContext, openContext } from '../session/context.ts'

const BACKGROUND_MS = 15_000
// Started by a hook, not by a client.
const BACKGROUND = ['refresh', 'end', 'off-limits', 'guarded', 'changed-outside', 'look', 'turns']

/**
 * `beckon hook`: reads what an agent client is about to do, and prints what the client is to do
 * about it. Ends the process itself, with 0 or 2: standard input may never close, and clients
 * take every other code for a fault, after which the tool runs.
 */
export async function hook(args: string[]): Promise<number> {
  const startedAt = performance.now()
  const ended = new AbortController()
  const names = args.filter((arg) => !arg.startsWith('--'))
  const client = await loadHookClient(names[0] ?? '').catch(() => undefined)
  if (!client) return await unknown(names[0])
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => ended.abort())
  }
  const options = readOptions(args)
  const timing = { startedAt, ended: ended.signal }
  if (BACKGROUND.some((name) => options.has(name)))
    return await runInBackground(client, options, timing)
  return await answer(client, { event: names[1], options }, timing)
}

type Timing = { startedAt: number; ended: AbortSignal }

async function answer(
  namedClient: HookClient,
  { event, options }: { event: string | undefined; options: HookOptions },
  timing: Timing,
): Promise<number> {
  const env = wholeEnvironment()
  let context: HookContext | undefined
  // Until the input is read, there is no call to decide about.
  const broken = async () => {
    const verdict = context ? await lastResort(context) : SILENT
    const call = context?.call ?? callAtAll(namedClient, options)
    return finish((context?.client ?? namedClient).render(verdict, call))
  }
  process.on('uncaughtException', broken)
  process.on('unhandledRejection', broken)
  try {
    const input = await readInput()
    const client = await callingClient(namedClient, input.value)
    const value = client.withCommands ? await ownCommandsOf(client, input.value) : input.value
    const call = { ...client.parse(value, env, event), ...answeringAs(options) }
    context = openContext(client, readCall(call, input), timing)
    context.strict = options.has('strict')
    context.ownToolsOnly = options.has('own')
    return finish(client.render(await decide(context), context.call))
  } catch {
    return await broken()
  }
}

/** Clients report a command that the hook replaced as it was replaced. */
async function ownCommandsOf(client: HookClient, input: unknown): Promise<unknown> {
  const { withOwnCommands } = await import('../hook/start-in-scope.ts')
  return withOwnCommands(input, client, stateFolder(wholeEnvironment()))
}

/** If the client blocks when the hook says nothing, consent must be explicit. */
function answeringAs(options: HookOptions): Pick<HookCall, 'explicitAllow'> {
  return options.has('fail-closed') ? { explicitAllow: true } : {}
}

function callAtAll(client: HookClient, options: HookOptions): HookCall {
  return { ...client.parse(undefined, {}), event: 'before_tool', ...answeringAs(options) }
}

/** Input that cannot be read may be a call that changes something, so it is treated as one. */
function readCall(call: HookCall, { value, cut }: Input): Pick<HookContext, 'call' | 'cut'> {
  const isReadable = value !== null && typeof value === 'object' && !Array.isArray(value)
  if (call.event !== 'unknown' || (isReadable && (!cut || call.rawEvent !== '')))
    return { call, cut }
  return { call: { ...call, event: 'before_tool' }, cut: true }
}

/** The hook itself failed: a scope in force still holds, and everything else is left alone. */
async function lastResort(context: HookContext): Promise<Verdict> {
  try {
    return await (await import('../hook/gate.ts')).withoutGate(context)
  } catch {
    return SILENT
  }
}

async function runInBackground(
  client: HookClient,
  options: HookOptions,
  timing: Timing,
): Promise<number> {
  const { backgroundCall, workInBackground } = await import('../hook/background.ts')
  const call = backgroundCall(client, options)
  const context = openContext(client, { call, cut: false }, { ...timing, ms: BACKGROUND_MS })
  const done = await workInBackground(context, options).catch(() => false)
  tell(done ? 'Done.' : 'The server did not answer; see beckon doctor.')
  return finish(NOTHING)
}

/**
 * A hook whose entry names no client that is known: a tool call is refused in the words of the
 * client that could have sent it, as nothing would check it.
 */
async function unknown(name: string | undefined): Promise<number> {
  const problem =
    name === undefined ? 'That is not the name of a client' : `"${name}" is not a client`
  tell(`${problem} with hooks; those are ${HOOK_CLIENTS.join(', ')}. See: beckon hook --help`)
  const { value } = isTerminal(0) ? { value: undefined } : await readInput()
  for (const entry of HOOK_CLIENTS) {
    const client = await loadHookClient(entry)
    const call = client?.parse(value, wholeEnvironment())
    if (!client || call?.event !== 'before_tool') continue
    const { unknownClient } = await import('../session/reasons.ts')
    return finish(client.render({ is: 'deny', reason: unknownClient(name ?? '') }, call))
  }
  return finish(NOTHING)
}

/** Only for a person at a terminal: some clients read standard error as a reason. */
function tell(line: string): void {
  if (isTerminal(2)) writeSync(2, `${visibleText(line)}\n`)
}

function readOptions(args: string[]): HookOptions {
  const options = new Map<string, string[]>()
  for (const arg of args.filter((one) => one.startsWith('--'))) {
    const [name = '', ...value] = arg.slice(2).split('=')
    options.set(name, [...(options.get(name) ?? []), value.join('=')])
  }
  return options
}

function finish({ stdout, stderr, exit }: Rendered): never {
  if (stdout) writeSync(1, visibleText(stdout))
  if (stderr) writeSync(2, `${visibleText(stderr)}\n`)
  process.exit(exit)
}
