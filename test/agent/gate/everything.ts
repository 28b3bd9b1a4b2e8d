/** An MCP server for tests that does everything once, in both eras, and always the same. */
const PREFIX = 'io.modelcontextprotocol/'

type Json = Record<string, unknown>

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

const answers = new Map<unknown, (answer: unknown) => void>()
let requests = 0

/** Ids of the two directions are apart: these are numbers that the client uses as well. */
function request(method: string, params: Json = {}): Promise<unknown> {
  const id = requests++
  send({ id, method, params })
  return new Promise((resolve) => answers.set(id, resolve))
}

// Lists of the newer era say for how long they hold.
const CACHE = { ttlMs: 0, cacheScope: 'private' }

const RESULTS: Record<string, (id: unknown, params: Json) => unknown> = {
  initialize: (_, { protocolVersion }) => ({
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
      experimental: { own: { deep: [1.0, 9007199254740993n.toString()] } },
    },
    serverInfo: { name: 'everything', version: '1' },
    instructions: 'Do everything.',
  }),
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    serverInfo: { name: 'everything', version: '1' },
    instructions: 'Do everything.',
    ...CACHE,
  }),
  ping: () => ({}),
  'tools/list': (_, { cursor }) =>
    cursor === undefined
      ? {
          tools: [
            {
              name: 'one',
              title: 'One',
              inputSchema: { type: 'object' },
              annotations: { readOnlyHint: true },
            },
          ],
          nextCursor: 'p2',
        }
      : {
          tools: [
            { name: 'two', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
            ...['ask', 'slow', 'fail'].map((name) => ({ name, inputSchema: { type: 'object' } })),
          ],
        },
  'tools/call': (id, { name, ...params }) => TOOLS[String(name)]?.(id, params) ?? NO_TOOL,
  'resources/list': () => ({ resources: [{ uri: 'a://1', name: 'Ünïcödé \u2028 end' }] }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'a://{id}', name: 't' }],
  }),
  'resources/read': () => ({ contents: [{ uri: 'a://1', blob: 'AAAA' }] }),
  'resources/subscribe': () => {
    send({ method: 'notifications/resources/updated', params: { uri: 'a://1' } })
    return {}
  },
  'prompts/list': () => ({ prompts: [{ name: 'p', arguments: [{ name: 'one' }] }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] }),
  'completion/complete': () => ({ completion: { values: ['a', 'b'] } }),
  'logging/setLevel': () => {
    send({ method: 'notifications/message', params: { level: 'info', data: { a: null } } })
    return {}
  },
  'own/progress': (_, { _meta }) => {
    const { progressToken } = (_meta ?? {}) as Json
    send({ method: 'notifications/progress', params: { progressToken, progress: 0.5, total: 1 } })
    return { big: 'x'.repeat(100_000) }
  },
  'own/changed': () => {
    for (const of of ['tools', 'resources', 'prompts'])
      send({ method: `notifications/${of}/list_changed` })
    return {}
  },
  'own/raw': () => {
    process.stdout.write(
      '{"id":  9007199254740993, "jsonrpc":"2.0","z":1,"a":1.50, "result":{}}\r\n',
    )
    process.stdout.write(
      '[{"jsonrpc":"2.0","method":"notifications/a"} , {"jsonrpc":"2.0","method":"notifications/b"}]\n',
    )
    process.stdout.write('no JSON at all\n\n')
    process.stdout.write(new Uint8Array([0xff, 0xfe, 0x0a]))
    return {}
  },
  'own/clients': async () => [
    await request('roots/list'),
    await request('sampling/createMessage', { messages: [] }),
    await request('elicitation/create', { message: 'Who?', requestedSchema: { type: 'object' } }),
  ],
  'own/echo': (_, params) => params,
}

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
const NO_TOOL = { ...text('no such tool'), isError: true }
const NAME = { type: 'object', properties: { name: { type: 'string' } } }
const SAMPLE = {
  messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  maxTokens: 9,
}

/** The parts of the client that a tool uses: in the newer era it answers them with its next request. */
const OF_CLIENT: Record<string, Json> = {
  'roots/list': {},
  'sampling/createMessage': SAMPLE,
  'elicitation/create': { mode: 'form', message: 'Who?', requestedSchema: NAME },
}

const TOOLS: Record<string, (id: unknown, params: Json) => unknown> = {
  one: async (_, params) => {
    const { progressToken } = (params._meta ?? {}) as Json
    for (const progress of [1, 2.5])
      send({ method: 'notifications/progress', params: { progressToken, progress, message: 'm' } })
    send({ method: 'notifications/message', params: { level: 'info', logger: 'l', data: [1] } })
    return {
      ...text(JSON.stringify(params.arguments)),
      _meta: { 'own.example/deep': { a: [null] } },
    }
  },
  two: () => ({ ...text('{"n":1}'), structuredContent: { n: 1 } }),
  ask: async (_, params) => {
    if (!isModern(params)) {
      const all = Object.entries(OF_CLIENT).map(([method, of]) => request(method, of))
      return text(JSON.stringify(await Promise.all(all)))
    }
    if (params.inputResponses)
      return text(JSON.stringify([params.inputResponses, params.requestState]))
    const inputRequests = Object.fromEntries(
      Object.entries(OF_CLIENT).map(([method, of]) => [method, { method, params: of }]),
    )
    return { resultType: 'input_required', inputRequests, requestState: 'état 1' }
  },
  slow: () => new Promise(() => {}),
  fail: () => ({ ...text('it failed'), isError: true }),
}

function isModern({ _meta }: Json): boolean {
  return ((_meta ?? {}) as Json)[`${PREFIX}protocolVersion`] !== undefined
}

async function answer(id: unknown, method: string, params: Json): Promise<void> {
  const run = RESULTS[method]
  const meta = (params._meta ?? {}) as Json
  if (meta[`${PREFIX}protocolVersion`] === 'unknown')
    return send({
      id,
      error: { code: -32022, message: 'no such version', data: { supported: [] } },
    })
  if (!run) return send({ id, error: { code: -32601, message: `no method ${method}` } })
  const result = (await run(id, params)) as Json
  const modern = isModern(params) ? { resultType: 'complete', ...CACHE } : {}
  send({ id, result: { ...modern, ...result } })
}

const decoder = new TextDecoder()
let rest = ''
for await (const chunk of Bun.stdin.stream()) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) take(line)
}

function take(line: string): void {
  process.stderr.write(`${line}\n`)
  let messages: Json[]
  try {
    messages = [JSON.parse(line)].flat()
  } catch {
    return
  }
  for (const { id, method, params = {}, result, error } of messages) {
    if (typeof method === 'string') {
      if (id !== undefined) void answer(id, method, params as Json)
    } else answers.get(id)?.(result ?? error)
  }
}

export {}
