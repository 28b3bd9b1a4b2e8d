import { readJsonObject } from '../../platform/json.ts'
import { cleanLine } from '../../platform/text.ts'
import { readLines } from '../bridge/stdio.ts'
import type { Place } from '../client-files/client-setup.ts'
import type { GateStart } from '../client-files/gated-servers.ts'
import type { HttpAddress } from '../client-files/http-gates.ts'

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

// Longer than a server needs for a handshake.
const ANSWER_MS = 15_000

/** Reaches a server behind its gate over HTTP, as the client does. Resolves to a sentence if it does not answer. */
export async function tryHttpGate(
  name: string,
  { url, headers }: HttpAddress,
): Promise<string | undefined> {
  const fault = (why: string) =>
    `The MCP server "${cleanLine(name)}" does not answer through its gate: ${why.replace(/\.$/, '')}.`
  const all = { ...headers, 'content-type': 'application/json', accept: ACCEPT }
  const signal = AbortSignal.timeout(ANSWER_MS)
  try {
    const body = JSON.stringify(INITIALIZE)
    const response = await fetch(url, { method: 'POST', headers: all, body, signal })
    const session = response.headers.get('mcp-session-id')
    if (session !== null) {
      await response.body?.cancel()
      const own = { ...all, 'mcp-session-id': session }
      await fetch(url, { method: 'DELETE', headers: own, signal }).then((end) => end.body?.cancel())
      return undefined
    }
    // A server of the newer era alone refuses the handshake with 400.
    if (response.ok || response.status === 400) return void (await response.body?.cancel())
    const reply = readJsonObject(await response.text()) as { error?: { message?: string } }
    return fault(cleanLine(reply?.error?.message ?? '') || `HTTP ${response.status}`)
  } catch (error) {
    const { name: kind } = error as Error
    return fault(kind === 'TimeoutError' ? 'it does not answer' : `${url} cannot be reached`)
  }
}

const ACCEPT = 'application/json, text/event-stream'

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
