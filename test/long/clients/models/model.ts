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
  /** From here on every turn gets this status, or no answer at all; undefined: as planned again. */
  fail(how: number | 'hang' | undefined): void
}

export type Wire = {
  /** Whether this request is a turn of the agent, and no title or probe. */
  isTurn(body: Record<string, unknown>): boolean
  reply(use: ToolUse | undefined, path: string): Response
}

export function startModel(wire: Wire): Model {
  const seen: string[] = []
  let steps: Step[] = []
  let trouble: number | 'hang' | undefined
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
      if (isTurn && trouble === 'hang') await new Promise(() => {})
      if (isTurn && trouble !== undefined) return refusal(Number(trouble))
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
    fail(how) {
      trouble = how
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

function refusal(status: number): Response {
  const error = { type: 'invalid_request_error', code: status, message: 'The stand-in refuses.' }
  return Response.json({ type: 'error', error }, { status })
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

let count = 0
export function newCallId(prefix: string): string {
  return `${prefix}${(++count).toString(36).padStart(4, '0')}${Date.now().toString(36)}`
}
