import { homedir } from 'node:os'
import { basename } from 'node:path'
import type { Call } from '../../ask/gate-calls/call.ts'
import { WINDOW_MS } from '../../ask/wire/limits.ts'
import { systemClock } from '../../platform/clock.ts'
import { findSetupFault } from '../../platform/config/client-file.ts'
import { type Environment, wholeEnvironment } from '../../platform/config/env.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { note, noteError } from '../../platform/terminal/terminal.ts'
import { inputChunks, openOutput, readByteLines } from '../bridge/stdio.ts'
import { agentNameOf, clientTitle, lineOf } from '../clients/mcp-client.ts'
import { BeckonServer } from '../gate/beckon-server.ts'
import { Gate } from '../gate/gate.ts'
import { repoKeyOf } from '../paths/repository.ts'
import { type ServerExit, startServer } from '../server-jail/server-process.ts'
import { findService } from '../session/context.ts'

// How long what is held may be withdrawn when the client has gone.
const LAST_MS = 1_500
const LOOK_MS = 1_000
const CODES: Readonly<Record<string, number>> = { ENOENT: 127, EACCES: 126 }
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** `beckon gate`: an MCP server whose tool calls a rule or a person allows. Ends as the server does. */
export async function gate(args: string[]): Promise<number> {
  const { name, holdMs, words } = readGate(args)
  const env = wholeEnvironment()
  const over = new AbortController()
  const output = openOutput(() => void server.closeInput())
  const place = placeIn(env)
  const identity = JSON.stringify(words)
  const fault = findSetupFault(env)
  const beckon = new BeckonServer({
    ...{ name, server: identity, holdMs, fault, clock: systemClock },
    service: findService(env),
    placeOf: place.of,
  })
  const server = new Gate({
    ...{ name, server: identity, holdMs, beckon, note, clock: systemClock },
    start: (onLine) => startServer(words, onLine, withoutToken(env)),
    write: output.writeAsIs,
    onClient: place.noteClient,
  })
  try {
    server.run()
  } catch (error) {
    return notStarted(words[0] ?? '', error)
  }
  for (const signal of SIGNALS) process.on(signal, () => server.signal(signal))
  using _ = watchParent(() => server.abort())
  void (async () => {
    for await (const line of readByteLines(inputChunks(over.signal))) if (line) server.take(line)
    await server.closeInput()
  })()
  const exit = await server.exited
  over.abort()
  await Promise.race([Promise.all([server.toldAll(), output.flushed()]), Bun.sleep(LAST_MS)])
  return endAs(exit)
}

// Codex ends a call after 300 s; the other clients go on for as long as there is progress.
const HOLD_S = 280
const HOLD_MAX_S = WINDOW_MS / 1000
// As the server reads it (src/ask/wire/gate-fields.ts).
const NAME = /^[A-Za-z0-9][\w.@: -]{0,63}$/
// Names of subcommands, which are no names of gates.
const RESERVED = new Set(['add', 'remove'])

function readGate(args: string[]) {
  const dashes = args.indexOf('--')
  const words = dashes < 0 ? [] : args.slice(dashes + 1)
  const own = dashes < 0 ? args : args.slice(0, dashes)
  const { hold, NAME: name } = readArguments(own, { hold: { type: 'string' } }, ['NAME'])
  if (!NAME.test(name) || RESERVED.has(name))
    throw new WrongUsage(
      `"${name}" is no name of a gate: take letters, digits, spaces and _ . @ : -, at most 64, and neither add nor remove.`,
    )
  if (words.length === 0)
    throw new WrongUsage('The command of the server is missing: put it after "--".')
  return { name, words, holdMs: holdOf(hold) }
}

/** `--hold` in milliseconds. Throws `WrongUsage`. */
function holdOf(seconds = String(HOLD_S)): number {
  const isRight = /^\d{1,3}$/.test(seconds) && Number(seconds) <= HOLD_MAX_S
  if (!isRight) throw new WrongUsage(`--hold must be seconds, 0 to ${HOLD_MAX_S}.`)
  return Number(seconds) * 1000
}

/** The server must not be able to answer for the person. */
function withoutToken({ BECKON_TOKEN, BECKON_TOKEN_FILE, ...env }: Environment): Environment {
  return env
}

function placeIn(env: Environment) {
  const cwd = process.cwd()
  const project = cwd === homedir() ? undefined : lineOf(basename(cwd))
  const sessionId = env.CLAUDE_CODE_SESSION_ID || env.COPILOT_AGENT_SESSION_ID || undefined
  const repoKey = repoKeyOf(cwd)
  let client: string | undefined
  return {
    noteClient(clientInfo: unknown): void {
      client = clientTitle(clientInfo)
    },
    of: (call: Pick<Call, 'sessionId'>) => ({
      sessionId: call.sessionId ?? sessionId,
      ...{ repoKey, cwd, agentName: agentNameOf(client, project) },
    }),
  }
}

/** Calls `onGone` once the client has ended, even if something else holds our input open. */
function watchParent(onGone: () => void): Disposable {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, LOOK_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function notStarted(command: string, error: unknown): number {
  const { code = '' } = error as NodeJS.ErrnoException
  const why = code === 'ENOENT' ? 'there is no such command' : `it cannot be started (${code})`
  noteError(`beckon gate: "${command}" is the command of the server, and ${why}.`)
  return CODES[code] ?? 126
}

/** Ends this process as the server ended: by the same signal, or resolves to its exit code. */
async function endAs({ code, signal }: ServerExit): Promise<number> {
  if (signal === undefined) return code
  for (const one of SIGNALS) process.removeAllListeners(one)
  process.kill(process.pid, signal)
  await Bun.sleep(LAST_MS)
  return code
}
