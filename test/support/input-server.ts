import { createRequestStateCodec, inputRequired, Server } from '@modelcontextprotocol/server'

type Json = Record<string, unknown>
type State = { round: number; got: Json[] }

const SEAT = {
  message: 'Which seat?',
  requestedSchema: {
    type: 'object',
    properties: { seat: { type: 'string', title: 'Seat', enum: ['window', 'aisle'] } },
    required: ['seat'],
  },
} as const
const MEAL = {
  message: 'Which meal?',
  requestedSchema: {
    type: 'object',
    properties: { meal: { type: 'string', title: 'Meal' } },
    required: ['meal'],
  },
} as const

const KINDS = {
  seat: () => inputRequired.elicit(SEAT as never),
  meal: () => inputRequired.elicit(MEAL as never),
  roots: () => inputRequired.listRoots(),
}

/**
 * A server of the official SDK for the newer era. Its tool `ask` wants `requests` for so many `rounds`, with a
 * signed state of at least `size` characters, and returns all that it got. `note` is told of each request.
 */
export function inputServer(note: (args: Json, state: State | undefined) => void): Server {
  const key = 'a key of this test that is long enough'
  const codec = createRequestStateCodec({
    key,
    bind: ({ mcpReq }) => mcpReq.method,
  })
  const server = new Server(
    { name: 'asks', version: '1' },
    { capabilities: { tools: {} }, requestState: { verify: codec.verify } },
  )
  const inputSchema = { type: 'object', properties: {} } as const
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'ask', inputSchema }] }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const args = (params.arguments ?? {}) as Json
    const { rounds = 1, requests = ['seat'], size = 0, steps = 0 } = args
    const { mcpReq } = context
    const state = mcpReq.requestState<State>()
    note(args, state)
    const { progressToken } = params._meta ?? {}
    for (let progress = 1; progress <= Number(steps) && progressToken !== undefined; progress++)
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } })
    const { round, got } = state ?? { round: 0, got: [] }
    const all = state ? [...got, (mcpReq.inputResponses ?? {}) as Json] : []
    if (round >= Number(rounds)) return { content: [{ type: 'text', text: JSON.stringify(all) }] }
    const pad = 'x'.repeat(Number(size))
    const next = { round: round + 1, got: all, pad }
    const names = requests as Array<keyof typeof KINDS>
    return inputRequired({
      inputRequests: Object.fromEntries(names.map((name) => [name, KINDS[name]()])),
      requestState: await codec.mint(next, context as never),
    })
  })
  return server
}
