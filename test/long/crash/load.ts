import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { type ClientAsk, type Ending, emptyLedger, type Ledger } from './oracle.ts'
import type { Random } from './random.ts'

export type LoadOn = {
  url: string
  agent: Record<string, string>
  owner: Record<string, string>
  random: Random
  /** A new address that callbacks are received at. */
  callbackUrl(path: string): string
  /** Makes keys and titles of this load differ from those of others. */
  name: string
}

/** The connection is gone: nothing is known of what became of the call. */
class Gone extends Error {}
type Reply = { ok: boolean; status: number; body: Record<string, unknown> }

/** One call; throws `Gone` when no whole reply came. */
async function reach(url: string, headers: Record<string, string>, body: object): Promise<Reply> {
  const base = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  let response: Response
  let text: string
  try {
    const init = { headers: { ...base, ...headers }, body: JSON.stringify(body) }
    response = await fetch(url, { method: 'POST', ...init })
    text = await response.text()
  } catch (cause) {
    throw new Gone('the server is gone', { cause })
  }
  const json = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  return { ok: response.ok, status: response.status, body: json }
}

const rest = (on: LoadOn, path: string, body: object, as = on.agent) =>
  reach(`${on.url}/api/v1${path}`, as, body)

async function tool(on: LoadOn, name: string, args: object): Promise<Reply> {
  const params = { name, arguments: args }
  const reply = await reach(on.url + MCP_PATH, on.agent, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params,
  })
  const result = reply.body.result as { structuredContent?: never; isError?: boolean } | undefined
  const ok = reply.ok && result?.structuredContent !== undefined && result.isError !== true
  return { ...reply, ok, body: result?.structuredContent ?? reply.body }
}

/** Asks under `asked.key`, over REST or MCP; resolves to the id that it was told. */
export async function ask(on: LoadOn, clientAsk: ClientAsk, overMcp: boolean): Promise<string> {
  const { question, key: requestId, callback: callbackUrl } = clientAsk
  const args = { question, requestId, wait: false, ...(callbackUrl ? { callbackUrl } : {}) }
  const reply = overMcp ? await tool(on, 'ask_user', args) : await rest(on, '/questions', args)
  if (!reply.ok) throw new Error(`ask: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.correlationId as string
}

/**
 * Mixed calls from several connections until the server is gone or `over` says so. `told` fills up
 * meanwhile, for a test that waits for something to have been told.
 */
export async function load(
  on: LoadOn,
  connections: number,
  over = () => false,
  ledger = emptyLedger(),
): Promise<Ledger> {
  let count = 0

  async function askOne() {
    const n = ++count
    const key = `${on.name}-${n}`
    const callback = on.random.chance(0.4) ? on.callbackUrl(`/${key}`) : undefined
    const question = `Deploy ${key}?`
    const entry: ClientAsk = { key, question, callback, id: undefined, ended: undefined, tried: [] }
    ledger.asks.push(entry)
    entry.id = await ask(on, entry, on.random.chance(0.5))
  }

  async function notifyOne() {
    const title = `Built ${on.name}-${++count}`
    const args = { title, body: 'All green.' }
    const overMcp = on.random.chance(0.5)
    const reply = overMcp
      ? await tool(on, 'send_notification', args)
      : await rest(on, '/notifications', args)
    if (!reply.ok) throw new Error(`notify: ${reply.status} ${JSON.stringify(reply.body)}`)
    ledger.notified.push(title)
  }

  async function endOne() {
    const entry = on.random.pick(ledger.asks.filter(({ id }) => id !== undefined).slice(-24))
    if (!entry?.id) return await askOne()
    const move = on.random.pick(['yes', 'no', 'cancel', 'stop'] as const) ?? 'yes'
    const wanted: Ending =
      move === 'cancel' || move === 'stop'
        ? { status: move === 'stop' ? 'stopped' : 'cancelled' }
        : { status: 'answered', value: move }
    entry.tried.push(wanted)
    const reply = await end(on, entry.id, move)
    if (!reply.ok && reply.status !== 409) {
      throw new Error(`${move}: ${reply.status} ${JSON.stringify(reply.body)}`)
    }
    const outcome = (reply.status === 409 ? reply.body.outcome : reply.body) as Ending
    const { status, value } = outcome
    const is = { status, ...(value === undefined ? {} : { value }) }
    entry.ended ??= is
    if (!Bun.deepEquals(entry.ended, is)) {
      ledger.refused.push(`${entry.id} told two ends: ${JSON.stringify([entry.ended, is])}`)
    }
  }

  async function connection() {
    while (!over()) {
      const dice = on.random.next()
      ledger.operations++
      try {
        await (dice < 0.4 ? askOne() : dice < 0.6 ? notifyOne() : endOne())
        ledger.acknowledged++
      } catch (error) {
        if (error instanceof Gone) return
        const sentence = error instanceof Error ? error.message : String(error)
        // On a fast machine one token calls more often than it may: its client slows down.
        if (sentence.includes('rate_limited')) await Bun.sleep(50)
        else ledger.refused.push(sentence)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return ledger
}

function end(on: LoadOn, id: string, move: 'yes' | 'no' | 'cancel' | 'stop'): Promise<Reply> {
  if (move === 'stop') return rest(on, `/questions/${id}/stop`, {}, on.owner)
  if (move === 'yes' || move === 'no') {
    return rest(on, `/questions/${id}/answer`, { value: move }, on.owner)
  }
  return on.random.chance(0.5)
    ? rest(on, `/questions/${id}/cancel`, {})
    : tool(on, 'cancel_question', { correlationId: id })
}
