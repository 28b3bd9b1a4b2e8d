import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import type { Subscriber } from '../../../src/ask/subscribers/model/subscriber.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { connect } from '../../support/devices.ts'
import { filledFrom } from '../../support/filled-from.ts'
import { hostileWords } from '../../support/hostile-corpus.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { REST_ROUTES } from '../../support/rest-routes.ts'
import { OTHERS } from '../../support/stored-words.ts'

setDefaultTimeout(120_000)

// Each call has as many texts as it has fields, each the next of the corpus.
const CALLS = 60

const FILE = { text: 'beckon: policy/1' }

/** Groups and people are named by ids that exist: test/ask/votes. */
const RULE = { set: { failoverTo: undefined }, match: { owner: undefined }, approve: undefined }

/** Turns name people by ids that exist: test/ask/rota. */
const ROTA = {
  ...{ zone: 'UTC', url: 'https://calendar.example.com/a.ics' },
  ...{ from: undefined, at: undefined, everyDays: undefined, people: undefined },
}

/** What of a call has to mean something, so that the rest is looked at; undefined leaves out. */
const MEANT: Record<string, object> = {
  'POST /notifications': { env: undefined },
  'POST /questions': {
    ...ask(),
    ...{ questions: undefined, schema: undefined, edit: undefined, type: 'select' },
  },
  'POST /scopes': { timeoutMs: 1_000 },
  'POST /hooks/:client': { event: 'heartbeat' },
  'POST /gates/:name/calls': { timeoutMs: 1_000, reading: undefined },
  'POST /questions/:id/answer': {
    contract: undefined,
    key: undefined,
    subscriberId: undefined,
    forSession: undefined,
    grant: undefined,
    arguments: undefined,
  },
  'POST /subscribers': {
    kind: 'browser',
    transport: 'webpush',
    accessToken: undefined,
    username: undefined,
    password: undefined,
    keys: {
      p256dh:
        'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
      auth: 'tBHItJI5svbpez7KI4CCXg',
    },
  },
  'PATCH /policy': {
    quietHours: null,
    deliveryMode: 'push_first',
    failoverTo: undefined,
    programs: undefined,
  },
  'POST /policy/file/diff': FILE,
  'POST /policy/file/try': FILE,
  'PATCH /groups/:id': { people: undefined },
  'POST /rotas': ROTA,
  'PATCH /rotas/:id': { ...ROTA, url: undefined },
  'POST /rules': RULE,
  'PATCH /rules/:id': RULE,
  ask_user: { ...ask(), questions: undefined, type: 'select' },
  send_notification: { env: undefined },
  propose_scope: { timeoutMs: 1_000 },
}

/** They take nothing without a secret that only one device has, or take no text at all. */
const CLOSED = [
  ...['POST /subscribers/:id/shown', 'POST /subscribers/:id/opened'],
  ...['POST /subscribers/:id/look', 'POST /subscribers/:id/renew'],
  ...['PATCH /members/:id', 'wait_for_answer'],
  // It needs the id of somebody who is here: test/ask/tokens.
  ...['PATCH /keys/:id', 'POST /rotas/:id/overrides'],
  // They need a client and a session that Beckon knows: test/ask/turns.
  ...['POST /turns/:client', 'POST /sessions/:id/instructions'],
  // It needs to name the state that it replaces: test/ask/policy-file.
  'POST /policy/file/apply',
  // It needs a catalog: test/ask/watches.
  'POST /watches',
  // It needs a server that answers: test/ask/gates/register-upstream.test.ts.
  'POST /gates/:name/server',
  // They need a yes, and a permit that was used: test/ask/permits.
  ...['POST /questions/:id/permit', 'POST /permits/:id/consume', 'POST /permits/:id/outcome'],
]

/** Field by field, so that the texts beside those that have to mean something stay. */
function withMeaning(filled: object, meanings: object): object {
  const input = filled as Record<string, unknown>
  const fields = Object.entries(meanings).map(([name, value]) => {
    const old = input[name]
    const isInner = value && old && typeof value === 'object' && typeof old === 'object'
    return [name, isInner ? withMeaning(old, value) : value]
  })
  return { ...filled, ...Object.fromEntries(fields) }
}

function ask() {
  return { wait: false, env: undefined, waitEndsAt: undefined, requestId: undefined }
}

type Endpoint = { name: string; input: TSchema; call(body: object): Promise<Response> }

let world: PageWorld
let doors: Endpoint[]

beforeAll(async () => {
  world = await pageWorld()
  const { db, workspaceId, url } = world
  // An owner's: it may withdraw what others asked.
  const [owner] = await listPeople(db.read, workspaceId)
  const options = { workspaceId, name: 'agent', by: owner?.id ?? '' }
  const { token } = await createToken({ db, clock }, options)
  const as = {
    agent: { authorization: `Bearer ${token}` },
    person: { cookie: world.cookie, origin: url },
    anyone: { cookie: world.cookie, origin: url },
  }
  const post = (path: string, method: string, headers: object, body: object) =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const aDevice = async () => {
    const devices = await connect(db, { workspaceId, personId: owner?.id })
    return devices[0] as Subscriber
  }
  const rest = REST_ROUTES.flatMap(({ who, spec }): Endpoint[] => {
    const { method, path, input } = spec
    if (!input || method === 'GET') return []
    const name = `${method} ${path}`
    const thing = async () => {
      if (path.includes('/rules/')) return await aRule(as.person)
      const list = /^\/(rotas|groups)\/:id/.exec(path)?.[1]
      if (list) return await firstOf(list, as.person)
      if (/^(PATCH|DELETE) \/subscribers\/:id$/.test(name)) return (await aDevice()).id
      if (path.includes('/hooks/')) return 'claude'
      if (path.includes('/gates/')) return 'fs'
      return await world.ask({ type: 'input' })
    }
    const call = async (body: object) => {
      const own = path.replace(/:\w+/, await (path.includes(':') ? thing() : ''))
      return await post(`/api/v1${own}`, method, as[who], body)
    }
    return [{ name, input, call }]
  })
  async function aRule(headers: object): Promise<string> {
    const rule = { match: { toolName: 'Bash' }, set: { waitMs: 2_000 } }
    return (await (await post('/api/v1/rules', 'POST', headers, rule)).json()).id
  }
  async function firstOf(list: string, headers: object): Promise<string> {
    const reply = await fetch(`${url}/api/v1/${list}`, { headers: { ...headers } })
    return (await reply.json())[list][0].id
  }
  const rpc = (method: string, params: object) =>
    post(MCP_PATH, 'POST', as.agent, { jsonrpc: '2.0', id: 1, method, params })
  const listed = await (await rpc('tools/list', {})).json()
  const tools = listed.result.tools as Array<{ name: string; inputSchema: TSchema }>
  const mcp = tools.map(({ name, inputSchema: input }): Endpoint => {
    const id = () => (name === 'cancel_question' ? world.ask() : undefined)
    const call = async (body: object) =>
      rpc('tools/call', { name, arguments: { ...body, correlationId: await id() } })
    return { name, input, call }
  })
  doors = [...rest, ...mcp]
})
afterAll(() => world[Symbol.asyncDispose]())

/** Compared, byte by byte, and never shown. */
const OPAQUE = 'questions.key'
const STEERS = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\ufeff]/u

test('every door takes every text, or says shortly and calmly why not', async () => {
  const wrong: string[] = []
  const taken = new Map(doors.map(({ name }) => [name, 0]))
  for (const [at, { name, input, call }] of doors.entries()) {
    let n = at * 31
    const texts = hostileWords(1)
    const next = () => texts(n++, 'text')
    const bodies = Array.from({ length: CALLS }, (_, i) => {
      const filled = filledFrom(input, next, `https://ci.example/${i}`, i) as object
      return withMeaning(filled, MEANT[name] ?? {})
    })
    await Promise.all(
      bodies.map(async (body) => {
        const response = await call(body)
        const text = await response.text()
        if (response.status >= 500) wrong.push(`${name}: ${response.status} ${text}`)
        const json = text === '' ? {} : JSON.parse(text)
        const rpcError = json.jsonrpc && (json.error || json.result?.isError)
        const refused = !response.ok || rpcError
        if (!refused) taken.set(name, (taken.get(name) ?? 0) + 1)
        const why = json.detail ?? json.error?.message ?? json.result?.content?.[0]?.text ?? json
        if (refused && (typeof why !== 'string' || STEERS.test(why) || why.length > 4_000)) {
          wrong.push(`${name} refuses with ${JSON.stringify(why).slice(0, 300)}`)
        }
      }),
    )
  }
  expect(wrong).toEqual([])
  const shut = [...taken].filter(([, count]) => count === 0).map(([name]) => name)
  expect(shut.toSorted()).toEqual(CLOSED.toSorted())
})

test('nothing that came in through a door is stored with what hides or steers', () => {
  using db = new Database(world.file, { readonly: true })
  const wrong = Object.entries(OTHERS).flatMap(([table, columns]) =>
    columns.split(' ').flatMap((spec) => {
      const column = spec.replace(/\W+$/, '')
      const rows = db.query(`select "${column}" as text from ${table}`).all()
      const texts = (rows as Array<{ text: string | null }>).map(({ text }) => text ?? '')
      const read = spec.endsWith('{}')
        ? texts.map((text) => allText(JSON.parse(text || 'null')))
        : texts
      const evil = read.find((text) => STEERS.test(text))
      if (evil === undefined || `${table}.${column}` === OPAQUE) return []
      return [`${table}.${column}: ${JSON.stringify(evil).slice(0, 200)}`]
    }),
  )
  expect(wrong).toEqual([])
})

function allText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return ''
  return Object.values(value).map(allText).join('')
}
