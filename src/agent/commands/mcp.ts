import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import { WINDOW_MS } from '../../ask/wire/limits.ts'
import { EXIT } from '../../platform/command.ts'
import { findClientServer } from '../../platform/config/client-file.ts'
import type { ReadClientConfig } from '../../platform/config/config-reader.ts'
import { type Environment, wholeEnvironment } from '../../platform/config/env.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { note } from '../../platform/terminal/terminal.ts'
import { type AnswerWithoutServer, createBridge, LINE_MAX } from '../bridge/bridge.ts'
import type { Upstream } from '../bridge/deliver.ts'
import type { BridgePlace } from '../bridge/enrich.ts'
import { BRIDGE_LIMITS } from '../bridge/patience.ts'
import { openOutput, readInputLines } from '../bridge/stdio.ts'
import { lineOf } from '../clients/mcp-client.ts'
import { repoKeyOf } from '../paths/repository.ts'

// Clients close our input and kill us two seconds later.
const GRACE_MS = 1_000
// How long to wait for a client that no longer reads.
const LAST_MS = 300

/** `beckon mcp`: MCP over standard input and output, for the client that started this process. */
export async function mcp(
  args: string[],
  readClientConfig: ReadClientConfig,
  answerWithoutServer: AnswerWithoutServer,
  limits = BRIDGE_LIMITS,
): Promise<number> {
  const { hold } = readArguments(args, { hold: { type: 'string' } })
  const holdMs = holdOf(hold)
  const env = wholeEnvironment()
  const over = new AbortController()
  const stop = () => over.abort()
  const output = openOutput(stop)
  const server = upstream(readClientConfig(env), env)
  const bridge = createBridge({
    server,
    limits: holdMs === undefined ? limits : { ...limits, holdMs },
    place: placeOf(env),
    answerWithoutServer,
    write: output.write,
    note,
  })
  process.on('SIGINT', stop).on('SIGTERM', stop)
  for await (const line of readInputLines(over.signal, LINE_MAX)) bridge.take(line)
  await bridge.close(over.signal.aborted ? 0 : GRACE_MS)
  // A pipe that nobody empties would hold the process.
  setTimeout(() => process.exit(EXIT.done), LAST_MS).unref()
  return EXIT.done
}

// A question is open for ten minutes, so nobody holds a call longer.
const HOLD_MAX_S = WINDOW_MS / 1000

/** `--hold` in milliseconds. Throws `WrongUsage`. */
function holdOf(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined
  const isRight = /^\d{1,3}$/.test(seconds) && Number(seconds) <= HOLD_MAX_S
  if (!isRight) throw new WrongUsage(`--hold must be seconds, 0 to ${HOLD_MAX_S}.`)
  return Number(seconds) * 1000
}

const DEFAULT_URL = 'http://localhost:8484'

/** Throws `WrongUsage` for wrong variables; a missing one is reported by each call. */
function upstream(
  { url = DEFAULT_URL, token }: ReturnType<ReadClientConfig>,
  env: Environment,
): Upstream {
  const isGiven = env.BECKON_TOKEN || env.BECKON_TOKEN_FILE
  return { url, token, tokenFrom: isGiven ? 'BECKON_TOKEN' : 'client.json' }
}

function placeOf(env: Environment): BridgePlace {
  const folder = resolve(env.CLAUDE_PROJECT_DIR || process.cwd())
  return {
    sessionId: env.CLAUDE_CODE_SESSION_ID || undefined,
    machineId: findClientServer(env)?.machineId,
    repoKey: repoKeyOf(folder),
    project: folder === homedir() ? undefined : lineOf(basename(folder)),
  }
}
