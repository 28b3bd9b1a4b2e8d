/**
 * A load generator: `connections` keep-alive connections that send one request after the other for
 * `seconds`. Run as a process of its own, so that it does not share the server's event loop.
 * usage: bun load.ts '{"url", "body", "headers", "connections", "seconds"}' → one line of JSON.
 */
export type LoadPlan = {
  url: string
  method?: string
  /** Its first number of ten digits is another one in each request. */
  body?: string
  headers?: Record<string, string>
  /** Each request sends the next of them as `Authorization`. */
  tokens?: string[]
  connections: number
  seconds: number
  /** What counts as answered; 200 unless it says otherwise. */
  status?: number
}

export type LoadReport = { perSecond: number; p50: number; p99: number; failed: number }

const NUMBER = /\d{10}/

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}'))))

async function run(plan: LoadPlan): Promise<LoadReport> {
  const url = new URL(plan.url)
  const requests = (plan.tokens ?? [undefined]).map((token) => requestBytes(plan, url, token))
  let nextRequest = 0
  const place = plan.body?.search(NUMBER) ?? -1
  const fromEnd = plan.body && place >= 0 ? Buffer.byteLength(plan.body.slice(place)) : 0
  // Another run has other numbers.
  const first = Number.parseInt(crypto.randomUUID().slice(0, 6), 16) * 500
  const until = performance.now() + plan.seconds * 1000
  const times: number[] = []
  let failed = 0
  const wanted = plan.status ?? 200

  async function connection() {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    let sentAt = 0
    let received = createReply()
    const send = (socket: { write(data: Uint8Array): number }) => {
      sentAt = performance.now()
      received = createReply()
      const request = requests[nextRequest++ % requests.length] as Buffer
      const number = String(first + nextRequest).padStart(10, '0')
      if (fromEnd > 0) request.write(number, request.length - fromEnd)
      socket.write(request)
    }
    const socket = await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: {
        open: send,
        data(socket, chunk) {
          received.add(chunk)
          if (!received.isWhole()) return
          times.push(performance.now() - sentAt)
          if (received.status() !== wanted) failed++
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

function requestBytes(plan: LoadPlan, url: URL, token: string | undefined): Buffer {
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

/** The one response that is due; the bytes of a body whose length is known are only counted. */
function createReply() {
  let text = ''
  let size = 0
  let due: number | undefined
  return {
    add(chunk: Buffer) {
      size += chunk.length
      if (due !== undefined) return
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = text.slice(0, end)
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      if (length !== undefined) due = end + 4 + Number(length)
      if (head.startsWith('HTTP/1.1 304')) due = end + 4
    },
    status: () => Number(text.slice(9, 12)),
    /** By its length, or by its last chunk. */
    isWhole: () => (due === undefined ? text.endsWith('0\r\n\r\n') : size >= due),
  }
}
