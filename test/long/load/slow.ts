import { requestText } from './wire.ts'

const CALL = { 'content-type': 'application/json', accept: 'application/json' }

/** What each sort of slow client sends at first, and again and again after that. */
function slowSorts(host: string, cookie: string) {
  const call = (length: number) => ({ ...CALL, 'content-length': String(length) })
  const post = (length: number) =>
    requestText(host, { method: 'POST', path: '/api/mcp/mcp', headers: call(length) })
  const get = (path: string, headers = {}) => requestText(host, { method: 'GET', path, headers })
  return [
    { name: 'says nothing', first: '', drip: '' },
    { name: 'drips its headers', first: 'POST /api/mcp/mcp HTTP/1.1\r\n', drip: 'x-a: b\r\n' },
    { name: 'drips its body', first: `${post(20_000)}{"jsonrpc":`, drip: ' ' },
    { name: 'drips a large body', first: post(1_000_000) + ' '.repeat(900_000), drip: ' ' },
    { name: 'never reads what it asked for', first: get('/openapi.json').repeat(3), drip: '' },
    { name: 'never reads its events', first: get('/api/v1/events', { cookie }), drip: '' },
  ]
}

/** How many sorts of slow clients there are. */
export const SLOW_SORTS = 6

export type SlowClients = {
  count: number
  /** Sends the next bit of what never comes to an end. */
  drip(): void
  /** Gone without a word. */
  vanish(): void
}

/** `each` clients of every slow sort; `failed` hears of those that cannot connect. */
export async function openSlow(
  { url, cookie, each }: { url: string; cookie: string; each: number },
  failed: (why: string) => void,
): Promise<SlowClients> {
  const { host, hostname, port } = new URL(url)
  const open: Array<{ socket: Bun.Socket<undefined>; drip: string }> = []

  async function connect({ name, first, drip }: ReturnType<typeof slowSorts>[number]) {
    const handlers = {
      open: (opened: Bun.Socket<undefined>) => void (first && opened.write(first)),
      data: (opened: Bun.Socket<undefined>) => void opened.pause(),
      error() {},
    }
    try {
      const socket = await Bun.connect({ hostname, port: Number(port), socket: handlers })
      open.push({ socket, drip })
    } catch (error) {
      failed(`a client that ${name}: ${(error as Error).message}`)
    }
  }

  const sorts = slowSorts(host, cookie)
  await Promise.all(sorts.flatMap((sort) => Array.from({ length: each }, () => connect(sort))))
  return {
    count: open.length,
    drip() {
      for (const { socket, drip } of open) if (drip) socket.write(drip)
    },
    vanish() {
      for (const { socket } of open) socket.terminate()
    },
  }
}
