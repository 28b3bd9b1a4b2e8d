/**
 * One POST over a socket of its own: `fetch` holds back what is over 256 at a time. Resolves to
 * the whole response as text once the server has closed the connection.
 */
export function rawPost(
  url: string,
  body: unknown,
  headers: Record<string, string>,
): { response: Promise<string>; hangUp(): void } {
  const { hostname, port, pathname } = new URL(url)
  const text = JSON.stringify(body)
  const all = { host: `${hostname}:${port}`, 'content-type': 'application/json', ...headers }
  const head = Object.entries({ ...all, 'content-length': `${Buffer.byteLength(text)}` })
  const lines = [`POST ${pathname} HTTP/1.1`, 'connection: close', ...head.map((h) => h.join(': '))]
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  const socket = Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (open) => void open.write(`${lines.join('\r\n')}\r\n\r\n${text}`),
      data(_, data) {
        received += data.toString()
      },
      close: () => resolve(received),
      error: (_, error) => reject(error),
    },
  })
  socket.catch(reject)
  return { response: promise, hangUp: () => void socket.then((open) => open.terminate()) }
}
