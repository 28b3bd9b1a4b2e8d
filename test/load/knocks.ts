import type { Storm, Weather } from './storms.ts'
import { requestText, Wire } from './wire.ts'

/** As many connections at once as there are, each for one reply. */
export const knocking: Storm = {
  name: 'connections that all come in one moment',
  async rage({ sizes, server, wrong }) {
    const knock = async () => {
      const wire = new Wire(server.url)
      const reply = await wire.send({ method: 'GET', path: '/healthz' })
      if (reply.status !== 200) wrong(`a knock was answered ${reply.status}`)
      wire.close()
    }
    const knocks = Array.from({ length: sizes.connects }, () =>
      knock().catch((error) => wrong(`a knock: ${error.message}`)),
    )
    await Promise.all(knocks)
    return sizes.connects
  },
}

const CALL = { 'content-type': 'application/json', accept: 'application/json' }

/** What each sort of slow client sends at first, and what it sends every second after that. */
function slowSorts({ server, cookies }: Weather) {
  const { host } = new URL(server.url)
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
    {
      name: 'never reads its events',
      first: get('/api/v1/events', { cookie: cookies[0] ?? '' }),
      drip: '',
    },
  ]
}

/** How many sorts of slow clients there are. */
export const SLOW_SORTS = 6
// Sends several times, while others are served.
const DRIPS = 4
const DRIP_MS = 500

/** Clients of every slow sort at once; they are gone at the end without a word. */
export const crawling: Storm = {
  name: 'slow clients: headers, bodies and readers that never come to an end',
  async rage(weather) {
    const { sizes, server, wrong } = weather
    const sockets: Array<{ socket: Bun.Socket<undefined>; drip: string }> = []
    const open = async (first: string, drip: string) => {
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port: server.port,
        socket: {
          open(opened) {
            if (first) opened.write(first)
          },
          data(opened) {
            opened.pause()
          },
          error() {},
        },
      })
      sockets.push({ socket, drip })
    }
    const sorts = slowSorts(weather).flatMap((sort) =>
      Array.from({ length: sizes.slow }, () => sort),
    )
    const opening = sorts.map(({ first, drip, name }) =>
      open(first, drip).catch((error) => wrong(`a client that ${name}: ${error.message}`)),
    )
    await Promise.all(opening)
    for (let n = 0; n < DRIPS; n++) {
      await Bun.sleep(DRIP_MS)
      for (const { socket, drip } of sockets) if (drip) socket.write(drip)
    }
    for (const { socket } of sockets) socket.terminate()
    return sockets.length
  },
}
