/**
 * A load generator: `connections` keep-alive connections that send one request after the other for
 * `seconds`. Run as a process of its own, so that it does not share the server's event loop.
 * usage: bun load.ts '{"url", "body", "headers", "connections", "seconds"}' → one line of JSON.
 */
export type LoadPlan = {
  url: string
  method?: string
  body?: string
  headers?: Record<string, string>
  /** Each request sends the next of them as `Authorization`. */
  tokens?: string[]
  connections: number
  seconds: number
}

export type LoadReport = { perSecond: number; p50: number; p99: number; failed: number }

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}'))))

async function run(plan: LoadPlan): Promise<LoadReport> {
  const url = new URL(plan.url)
  const requests = (plan.tokens ?? [undefined]).map((token) => requestBytes(plan, url, token))
  let nextRequest = 0
  const until = performance.now() + plan.seconds * 1000
  const times: number[] = []
  let failed = 0

  async function connection() {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    let sentAt = 0
    let received = ''
    const send = (socket: { write(data: Uint8Array): number }) => {
      sentAt = performance.now()
      received = ''
      socket.write(requests[nextRequest++ % requests.length] as Uint8Array)
    }
    const socket = await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: {
        open: send,
        data(socket, chunk) {
          received += chunk.toString('latin1')
          if (!isWhole(received)) return
          times.push(performance.now() - sentAt)
          if (!received.startsWith('HTTP/1.1 200')) failed++
          if (performance.now() < until) return send(socket)
          socket.end()
          end()
        },
        close: () => end(),
        error: () => end(),
      },
    })
    await over
    socket.end()
  }

  const startedAt = performance.now()
  await Promise.all(Array.from({ length: plan.connections }, connection))
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), failed }
}

function requestBytes(plan: LoadPlan, url: URL, token: string | undefined): Uint8Array {
  const body = Buffer.from(plan.body ?? '')
  const headers = {
    host: url.host,
    'content-length': String(body.length),
    ...plan.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const start = `${plan.method ?? 'POST'} ${url.pathname}${url.search} HTTP/1.1`
  return Buffer.concat([Buffer.from(`${[start, ...lines].join('\r\n')}\r\n\r\n`), body])
}

/** Whether the one response that is due has arrived: by its length, or by its last chunk. */
function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1]
  if (length !== undefined) return received.length >= end + 4 + Number(length)
  return received.endsWith('0\r\n\r\n')
}
