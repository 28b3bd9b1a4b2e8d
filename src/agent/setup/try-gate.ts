import { cleanLine } from '../../platform/text.ts'
import { readLines } from '../bridge/stdio.ts'
import type { Place } from '../client-files/client-setup.ts'
import type { GateStart } from '../client-files/gated-servers.ts'

// The package of a server may have to be fetched first.
const START_MS = 30_000
const ID = 'beckon-check'
const INITIALIZE = {
  jsonrpc: '2.0',
  id: ID,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'beckon-check', version: '1' },
  },
}

/** Starts a server behind its gate, as the client does. Resolves to a sentence if it does not answer. */
export async function tryGate(
  { name, words, env }: GateStart,
  place: Pick<Place, 'home' | 'env'>,
): Promise<string | undefined> {
  const fault = (why: string) =>
    `The MCP server "${cleanLine(name)}" does not start behind its gate: ${why}.`
  let child: ReturnType<typeof startGate>
  try {
    child = startGate(words, { ...place.env, ...env }, place.home)
  } catch {
    return fault(`${cleanLine(words[0] ?? '')} cannot be started`)
  }
  const errors = new Response(child.stderr).text()
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
  await child.stdin.flush()
  try {
    for await (const line of readLines(child.stdout, Number.POSITIVE_INFINITY)) {
      if ('text' in line && isReply(line.text)) return undefined
    }
  } finally {
    child.kill()
  }
  const code = await child.exited
  if (child.signalCode) return fault(`no answer within ${START_MS / 1000} seconds`)
  const [last = `it ended with ${code}`] = (await errors).trim().split('\n').slice(-1)
  return fault(cleanLine(last).replace(/\.$/, '') || `it ended with ${code}`)
}

function startGate(words: readonly string[], env: Record<string, string | undefined>, cwd: string) {
  return Bun.spawn([...words], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], timeout: START_MS })
}

function isReply(line: string): boolean {
  try {
    return JSON.parse(line).id === ID
  } catch {
    return false
  }
}
