/** One HTTP reply as it came over the wire. */
export type Reply = { status: number; head: string; body: string }

/** What a request is, apart from the host. */
export type Send = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** The connection ended before the reply did. */
export class Broken extends Error {
  /** What had come of the reply. */
  readonly said: string

  constructor(why: string, text: string) {
    super(`${why}${text ? ` after ${JSON.stringify(text.slice(0, 200))}` : ''}`)
    this.said = text
  }
}

type Due = {
  resolve(reply: Reply): void
  reject(error: Error): void
  onStart: (() => void) | undefined
}
type Socket = Bun.Socket<undefined>

/**
 * A keep-alive connection, one request after the other. Thousands fit into one process, which a
 * `fetch` each does not. It connects when it is first used, and again when it has been closed.
 */
export class Wire {
  private readonly host: string
  private readonly hostname: string
  private readonly port: number
  private socket: Socket | undefined
  private said = ''
  private due: Due | undefined
  private left = 0

  constructor(url: string) {
    const { host, hostname, port } = new URL(url)
    this.host = host
    this.hostname = hostname
    this.port = Number(port)
  }

  /** Resolves with the whole reply; `begun` is called with its first bytes. Throws `Broken`. */
  async send(what: Send, onStart?: () => void): Promise<Reply> {
    const { left } = this
    const socket = this.socket ?? (await this.connect())
    // Whoever leaves while it connects has left.
    if (left !== this.left) {
      this.close()
      throw new Broken('the caller left', '')
    }
    this.said = ''
    return await new Promise((resolve, reject) => {
      this.due = { resolve, reject, onStart }
      socket.write(requestText(this.host, what))
    })
  }

  close(): void {
    this.left++
    this.socket?.end()
    this.socket = undefined
  }

  /** Ends the connection by a reset, as a machine does that loses its network. */
  reset(): void {
    this.left++
    this.socket?.terminate()
    this.socket = undefined
  }

  private async connect(): Promise<Socket> {
    const lost = (why: string) => {
      this.socket = undefined
      this.settle()?.reject(new Broken(why, this.said))
    }
    const socket = await Bun.connect({
      hostname: this.hostname,
      port: this.port,
      socket: {
        data: (_, chunk) => this.take(chunk.toString('latin1')),
        close: () => lost('the connection was closed'),
        error: (_, error) => lost(error.message),
      },
    }).catch((cause) => {
      throw new Broken(`no connection: ${(cause as Error).message}`, '')
    })
    this.socket = socket
    return socket
  }

  private take(text: string): void {
    this.said += text
    this.due?.onStart?.()
    if (this.due) this.due.onStart = undefined
    const reply = wholeReply(this.said)
    if (reply) this.settle()?.resolve(reply)
  }

  private settle(): Due | undefined {
    const { due } = this
    this.due = undefined
    return due
  }
}

export function requestText(host: string, { method, path, headers, body }: Send): string {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host, ...length, ...headers }).map(([k, v]) => `${k}: ${v}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** By its length, or by its last chunk; undefined while something is missing. */
function wholeReply(text: string): Reply | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const body = text.slice(end + 4)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    return body.length < Number(length) ? undefined : { status, head, body }
  }
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return { status, head, body: '' }
  return body.endsWith('0\r\n\r\n') ? { status, head, body: withoutChunks(body) } : undefined
}

function withoutChunks(body: string): string {
  let text = ''
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, line), 16)
    if (!size) break
    text += body.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
  return text
}

/** The JSON of a reply: its body, or the last event of its stream. */
export function jsonOf({ body }: Reply): Record<string, unknown> {
  const last = body.startsWith('{') ? body : [...body.matchAll(/^data: (.*)$/gm)].at(-1)?.[1]
  return JSON.parse(last ?? '{}')
}
