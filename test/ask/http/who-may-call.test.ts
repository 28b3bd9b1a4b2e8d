import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readAllRows } from '../../support/all-rows.ts'
import { JSON_BODY } from './who/rows.ts'
import { type As, CALLERS, type WhoWorld, whoWorld } from './who/world.ts'

let world: WhoWorld
beforeAll(async () => {
  world = await whoWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const AGENTS = '/api/mcp/mcp'
const CATALOG = '/api/mcp/catalog'
const HOLDERS: readonly As[] = ['agent', 'test', 'elsewhere']

type Fields = Record<string, unknown>

async function rpc(as: As, path: string, method: string, params: object, more = {}) {
  const response = await world.send('POST', path, {
    headers: { ...JSON_BODY, ...world.headersOf(as), ...more },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  const event = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1]
  return { status: response.status, body: JSON.parse(event ?? text) as Fields }
}

async function call(as: As, tool: string, args: object, path = AGENTS) {
  const { status, body } = await rpc(as, path, 'tools/call', { name: tool, arguments: args })
  const { structuredContent, isError } = (body.result ?? {}) as Fields
  return { status, isError, result: (structuredContent ?? {}) as Fields }
}

type Case = {
  args(world: WhoWorld): Promise<object>
  /** What decides, of what each holder of a token is told; nobody else is told anything. */
  read(result: Fields): unknown
  expected: Record<'agent' | 'test' | 'elsewhere', unknown>
}

/** Every tool for agents, about a thing of the home workspace. */
const TOOLS: Record<string, Case> = {
  ask_user: {
    args: async () => ({ question: 'Deploy?', wait: false }),
    read: ({ status, env, held }) => [status, env, held],
    expected: {
      agent: ['pending', undefined, undefined],
      test: ['pending', 'test', 'test_traffic'],
      elsewhere: ['pending', undefined, undefined],
    },
  },
  wait_for_answer: {
    args: async () => ({ correlationId: await world.endedQuestion(), timeoutMs: 1_000 }),
    read: ({ status, question }) => [status, question],
    expected: {
      agent: ['cancelled', 'Deploy?'],
      test: ['cancelled', 'Deploy?'],
      elsewhere: ['missing', undefined],
    },
  },
  cancel_question: {
    args: async () => ({ correlationId: await world.question() }),
    read: ({ status, cancelled }) => [status, cancelled],
    expected: {
      agent: ['cancelled', true],
      test: 'refused',
      elsewhere: ['missing', false],
    },
  },
  send_notification: {
    args: async () => ({ title: 'Hello', body: 'There.', subscriberIds: [await world.device()] }),
    read: ({ env }) => env,
    expected: { agent: undefined, test: 'test', elsewhere: undefined },
  },
  propose_scope: {
    args: async () => ({ doneWhen: 'Green.', sessionId: 's', timeoutMs: 1_000 }),
    read: ({ answered }) => answered,
    expected: { agent: false, test: false, elsewhere: false },
  },
}
const SEARCHES = {
  search_tools: { query: 'x' },
  get_tool: { slug: 'nothing' },
  list_changes: {},
}

const listed = async (path: string) => {
  const { body } = await rpc('nobody', path, 'tools/list', {})
  return ((body.result as Fields).tools as { name: string }[]).map(({ name }) => name).sort()
}

test(`every tool of both addresses has a row: ${Object.keys(TOOLS).length} + ${Object.keys(SEARCHES).length} tools × ${CALLERS.length} callers`, async () => {
  expect(await listed(AGENTS)).toEqual(Object.keys(TOOLS).sort())
  expect(await listed(CATALOG)).toEqual(Object.keys(SEARCHES).sort())
})

test.each(Object.entries(TOOLS))(
  '%s is for tokens alone, and tells another workspace nothing',
  async (tool, { args, read, expected }) => {
    const holders: Fields = {}
    for (const as of CALLERS) {
      const input = await args(world)
      const before = readAllRows(world.dataFolder)
      const answer = await call(as, tool, input)
      if (HOLDERS.includes(as)) {
        expect([as, answer.status]).toEqual([as, 200])
        holders[as] = answer.isError ? 'refused' : read(answer.result)
      } else {
        expect([as, answer.status]).toEqual([as, 401])
        expect([as, readAllRows(world.dataFolder)]).toEqual([as, before])
      }
    }
    expect(holders).toEqual(expected)
  },
)

test('what another workspace is told of a thing is what it is told of nothing', async () => {
  for (const tool of ['wait_for_answer', 'cancel_question']) {
    const id = await world.question()
    const nothing = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const [theirs, none] = [
      await call('elsewhere', tool, { correlationId: id }),
      await call('elsewhere', tool, { correlationId: nothing }),
    ]
    const plain = (result: Fields) =>
      JSON.stringify(result).replace(id, 'ID').replace(nothing, 'ID')
    expect([tool, plain(theirs.result)]).toEqual([tool, plain(none.result)])
  }
})

test('a test token withdraws what is test traffic alone, and says of no machine that somebody is there', async () => {
  const real = await world.question()
  const { body } = await rpc('test', AGENTS, 'tools/call', {
    name: 'cancel_question',
    arguments: { correlationId: real },
  })
  expect(JSON.stringify(body)).toContain('can only withdraw test questions')
  const answer = await call('test', 'ask_user', { question: 'Trial?', wait: false })
  const { correlationId } = answer.result
  const withdrawn = await call('test', 'cancel_question', { correlationId })
  expect(withdrawn.result.cancelled).toBe(true)
  const before = readAllRows(world.dataFolder).presence
  for (const [path, body] of [
    ['/api/v1/sessions/presence', { machineId: 'm-test' }],
    [
      '/api/v1/hooks/claude',
      { event: 'heartbeat', sessionId: 's', machineId: 'm-test', interactive: true },
    ],
  ] as const) {
    const headers = { ...JSON_BODY, ...world.headersOf('test') }
    const tried = { ...world.headersOf('agent'), 'x-service-env': 'test' }
    for (const as of [headers, { ...JSON_BODY, ...tried }]) {
      const response = await world.send('POST', path, { headers: as, body: JSON.stringify(body) })
      await response.body?.cancel()
      expect(response.status).toBeLessThan(300)
    }
  }
  expect(readAllRows(world.dataFolder).presence).toEqual(before ?? [])
})

test('a device of another workspace is reached by nobody else, whatever a call names', async () => {
  const device = await world.device()
  const targets = { title: 'Hello', body: 'There.', subscriberIds: [device] }
  await call('elsewhere', 'send_notification', targets)
  await call('elsewhere', 'ask_user', { question: 'Deploy?', wait: false, subscriberIds: [device] })
  expect(readAllRows(world.dataFolder).deliveries?.filter((row) => row.includes(device))).toEqual(
    [],
  )
})

test('the catalog answers everybody alike, and a cookie or a token adds nothing', async () => {
  for (const [tool, args] of Object.entries(SEARCHES)) {
    const answers = new Set<string>()
    for (const as of CALLERS) {
      const { status, body } = await rpc(as, CATALOG, 'tools/call', { name: tool, arguments: args })
      answers.add(JSON.stringify([status, body]))
    }
    expect([tool, answers.size]).toEqual([tool, 1])
  }
})

test('no header, argument or batch lends a call another caller', async () => {
  const { authorization = '' } = world.headersOf('agent')
  const tries: object[] = [
    { authorization: undefined, cookie: `authorization=${authorization}` },
    { 'x-authorization': authorization },
    { 'proxy-authorization': authorization },
    { authorization: authorization.replace('Bearer ', 'Basic ') },
    { authorization: `${authorization}, ${authorization}` },
    { authorization: authorization.toUpperCase() },
  ]
  const params = { name: 'send_notification', arguments: { title: 'Hello', body: 'There.' } }
  for (const more of tries) {
    const { status } = await rpc('nobody', AGENTS, 'tools/call', params, more)
    expect([more, status]).toEqual([more, 401])
  }
  // Of a key that stands twice, the last one counts, for what is checked and for what is done.
  const twice = `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":${JSON.stringify(params)}}`
  for (const body of [twice, `[${twice}]`]) {
    const response = await world.send('POST', AGENTS, { headers: JSON_BODY, body })
    await response.body?.cancel()
    expect([body[0], [400, 401].includes(response.status)]).toEqual([body[0], true])
  }
  for (const wrong of ['live', 'tests']) {
    const env = await rpc('test', AGENTS, 'tools/call', params, { 'x-service-env': wrong })
    expect(env.body.result as Fields).toMatchObject({ isError: true })
  }
})
