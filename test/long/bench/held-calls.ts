/** Calls that wait: each on a connection of its own, raw, so that ten thousand fit in one process. */
export type HeldCall = {
  /** Resolves with everything the server said once its result has arrived. */
  result: Promise<string>
  close(): void
}

/** Sends `body` on a new connection and leaves it open. */
export async function hold(
  url: URL,
  headers: Record<string, string>,
  body: string,
): Promise<HeldCall> {
  const { promise: result, resolve, reject } = Promise.withResolvers<string>()
  const { promise: started, resolve: begin } = Promise.withResolvers<void>()
  let text = ''
  const all = { host: url.host, 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const start = `POST ${url.pathname} HTTP/1.1`
  const socket = await Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      open: (open) => void open.write(`${[start, ...lines].join('\r\n')}\r\n\r\n${body}`),
      data(_, chunk) {
        text += chunk.toString('latin1')
        begin()
        if (text.includes('"jsonrpc"')) resolve(text)
      },
      close: () => reject(new Error(`closed before a result: ${text.slice(0, 200)}`)),
      error: (_, error) => reject(error),
    },
  })
  // Whoever only holds never looks at the result.
  result.catch(() => {})
  await started
  return { result, close: () => void socket.end() }
}
