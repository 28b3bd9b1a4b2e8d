/** A tool that the stand-in wants to use; `namespace` where its wire has one. */
export type ToolUse = { tool: string; namespace?: string; input: object | string }
/** One turn of the model: fixed, or made from the request it answers. */
export type Step = ToolUse | ((body: string) => ToolUse)

/** A model on loopback that does as it is told, and keeps what it was shown. */
export type Model = Disposable & {
  url: string
  /** The bodies of its requests, in order. */
  seen: string[]
  /** What it does next; then it says that it is done. */
  plan(steps: Step[]): void
}

export type Wire = {
  /** Whether this request is a turn of the agent, and no title or probe. */
  isTurn(body: Record<string, unknown>): boolean
  reply(use: ToolUse | undefined, path: string): Response
}

export function startModel(wire: Wire): Model {
  const seen: string[] = []
  let steps: Step[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (request.method !== 'POST') return Response.json({ data: [], models: [] })
      const body = await request.text()
      seen.push(body)
      const isTurn = wire.isTurn(JSON.parse(body || '{}'))
      const step = isTurn ? steps.shift() : undefined
      return wire.reply(typeof step === 'function' ? step(body) : step, pathname)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    plan(next) {
      steps = [...next]
      seen.length = 0
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** A stream of events as the wires have it: with a name each, or with data alone. */
export function events(messages: object[], end = ''): Response {
  const text = messages.map((message) => {
    const { type } = message as { type?: unknown }
    const name = typeof type === 'string' ? `event: ${type}\n` : ''
    return `${name}data: ${JSON.stringify(message)}\n\n`
  })
  return new Response(text.join('') + end, { headers: { 'content-type': 'text/event-stream' } })
}

let made = 0
export function newCallId(prefix: string): string {
  return `${prefix}${(++made).toString(36).padStart(4, '0')}${Date.now().toString(36)}`
}
