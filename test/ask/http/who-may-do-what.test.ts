import { afterAll, beforeAll, expect, test } from 'bun:test'
import { GET_PATHS, POST_PATHS } from '../../../src/ask/sign-in/auth-routes.ts'
import { type CallerStatus, page, people, type Row, row } from './who/row.ts'
import { bodyOf, JSON_BODY, methodAndPath, ROWS } from './who/rows.ts'
import { type As, CALLERS, FORM, type WhoWorld, whoWorld } from './who/world.ts'

let world: WhoWorld
beforeAll(async () => {
  world = await whoWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** What the callers are told on a page that has no row of its own. */
const SIGNED_IN = page(people(200))

/** After these nobody is signed in any more. */
const ENDS_SESSIONS = /sign-out|revoke-(other-)?sessions|POST \/pair\/:code/

async function callAs(as: As, row: Row, headers: Record<string, string> = {}): Promise<Response> {
  const { method, path } = methodAndPath(row)
  const thing = row.thing ? encodeURIComponent(await row.thing(world)) : ''
  const body = bodyOf(row)
  return world.send(method, path.replace(/:\w+/, thing), {
    headers: { origin: world.app.url, ...body.headers, ...world.headersOf(as), ...headers },
    ...(body.text === undefined ? {} : { body: body.text }),
  })
}

async function statusOf(response: Response): Promise<CallerStatus> {
  await response.body?.cancel()
  const to = response.headers.get('location') ?? ''
  const isSignIn = response.status === 303 && /^\/sign-in\?next=|^\/sign-in$/.test(to)
  return isSignIn ? 'in' : response.status
}

async function mountedRoutes(): Promise<string[]> {
  return (await world.app.routes()).flatMap(({ method, path }) => {
    if (path !== '/api/auth/*') return [`${method} ${path}`]
    const open = method === 'GET' ? GET_PATHS : POST_PATHS
    return [...open].map((rest) => `${method} /api/auth${rest}`)
  })
}

test(`every row has a route: ${ROWS.length} × ${CALLERS.length} callers`, async () => {
  const mounted = new Set(await mountedRoutes())
  expect(ROWS.map(({ route }) => route).filter((route) => !mounted.has(route))).toEqual([])
})

test('a route without a row is a page without a parameter, for everybody who is signed in', async () => {
  const listed = new Set(ROWS.map(({ route }) => route))
  for (const route of (await mountedRoutes()).filter((one) => !listed.has(one))) {
    const advice = `${route} has no row in test/ask/http/who/rows.ts: add one with what each caller is told.`
    if (!/^GET \/(?!api\/)[^:*]*$/.test(route)) throw new Error(advice)
    for (const as of CALLERS) {
      const expected = row(route, SIGNED_IN)
      const status = await statusOf(await callAs(as, expected))
      if (status !== expected.statuses[as]) throw new Error(`${as} is told ${status}. ${advice}`)
    }
  }
})

for (const row of ROWS) {
  test(`${row.route}: ${summaryOf(row)}`, async () => {
    const statuses: Partial<Record<As, CallerStatus>> = {}
    for (const as of CALLERS) statuses[as] = await statusOf(await callAs(as, row))
    if (ENDS_SESSIONS.test(row.route)) await world.signIn()
    expect(statuses).toEqual(row.statuses)
  })
}

/** "agent, test 200; else 401", for whoever reads the list. */
function summaryOf({ statuses }: Row): string {
  const by = Map.groupBy(CALLERS, (as) => statuses[as])
  return [...by].map(([answer, who]) => `${who.join(' ')} → ${answer}`).join(' · ')
}

const CHANGES = ROWS.filter(({ route }) => !/^(GET|HEAD) /.test(route))

test('a form that the browser sends from another site does nothing, whoever is signed in', async () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const row of CHANGES) {
    const { owner } = row.statuses
    // Where nobody's cookie counts there is nothing to borrow.
    // Nor where a provider calls, which has no cookie.
    if (row.statuses.nobody === owner && !/sign-(in|out)(?!\/out)/.test(row.route)) continue
    if (owner === 401 && !/sign-in/.test(row.route)) continue
    for (const headers of foreign) {
      const response = await callAs('owner', row, headers)
      await response.body?.cancel()
      expect([row.route, headers, response.status]).toEqual([row.route, headers, 403])
    }
  }
})

test('what is refused says who can', async () => {
  for (const row of ROWS.filter(
    ({ statuses }) => statuses.member === 403 && statuses.owner !== 403,
  )) {
    const response = await callAs('member', row)
    expect([row.route, await response.text()]).toEqual([
      row.route,
      expect.stringContaining('Only an owner of this workspace may'),
    ])
  }
})

test('what an auditor is refused says that auditors read', async () => {
  const refused = ROWS.filter(
    ({ statuses: { auditor, nobody } }) => auditor === 403 && nobody !== 403,
  )
  expect(refused.length).toBeGreaterThan(80)
  for (const row of refused) {
    const response = await callAs('auditor', row)
    expect([row.route, await response.text()]).toEqual([
      row.route,
      expect.stringContaining('An auditor reads, and answers and changes nothing'),
    ])
  }
})

test('a member ends their own tokens, and sees no others', async () => {
  const theirs = await world.token()
  const headers = { ...world.headersOf('member'), origin: world.app.url, ...JSON_BODY }
  const response = await world.send('POST', '/api/v1/keys', { headers, body: '{"name":"mine"}' })
  const { id } = (await response.json()) as { id: string }
  const listed = await (await world.send('GET', '/api/v1/keys', { headers })).text()
  expect([listed.includes(id), listed.includes(theirs)]).toEqual([true, false])
  const ended = await world.send('DELETE', `/api/v1/keys/${id}`, { headers })
  expect(ended.status).toBe(204)
  const asOwner = { headers: world.headersOf('owner') }
  const all = await (await world.send('GET', '/api/v1/keys', asOwner)).text()
  expect([all.includes(id), all.includes(theirs)]).toEqual([true, true])
})

test('a topic is nobody’s because they know its name; a browser is whose sign-in it has', async () => {
  const as = (who: As) => ({ ...world.headersOf(who), origin: world.app.url, ...JSON_BODY })
  const connect = async (who: As, device: object) => {
    const request = { headers: as(who), body: JSON.stringify(device) }
    const response = await world.send('POST', '/api/v1/subscribers', request)
    return { status: response.status, said: (await response.json()) as Record<string, unknown> }
  }
  const topic = { kind: 'phone', transport: 'ntfy', endpoint: 'https://ntfy.sh/of-the-owner' }
  const owned = await connect('owner', { ...topic, accessToken: 'tk_of_the_owner_alone_0001' })
  const taken = await connect('member', topic)
  expect([owned.status, taken.status]).toEqual([201, 422])
  expect(JSON.stringify(taken.said)).toContain('somebody else')
  expect((await connect('stranger', topic)).said.id).not.toBe(owned.said.id)
  expect((await connect('owner', topic)).said.id).toBe(owned.said.id)

  const row = ROWS.find(({ route }) => route === 'POST /api/v1/subscribers')
  const browser = { ...(row?.json as object), endpoint: 'https://push.example/shared' }
  const first = await connect('owner', browser)
  const second = await connect('member', browser)
  expect([second.said.id, second.said.personId]).toEqual([first.said.id, 'member'])
  const trail = await world.send('GET', '/api/v1/audit', { headers: as('owner') })
  const { entries } = (await trail.json()) as { entries: Record<string, string>[] }
  const connected = entries.filter(
    (entry) => entry.kind === 'device.connected' && entry.subjectId === first.said.id,
  )
  expect(connected.map(({ personId }) => personId).sort()).toEqual(['member', 'owner'])
})

const PAGES = ROWS.filter(
  ({ route, statuses }) => /^GET \/(?!api|sw)/.test(route) && statuses.owner === 200,
)

test.each(['member', 'auditor'] as const)(
  'no page offers a %s what they may not do',
  async (as) => {
    for (const thing of ['rule', 'token', 'device', 'question', 'session', 'callback'] as const) {
      await world[thing]()
    }
    const headers = { ...world.headersOf(as), origin: world.app.url }
    const dead: string[] = []
    let tried = 0
    for (const page of PAGES.filter(
      ({ statuses }) => statuses[as] === 200 && !statuses.nobody.toString().startsWith('2'),
    )) {
      const text = await (await callAs(as, page)).text()
      const links = [...text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)].map(([, to = '']) => to)
      const forms = [...text.matchAll(/<form [^>]*method="post"[^>]*action="(\/[^"]*)"/g)].map(
        ([, to = '']) => to,
      )
      for (const [method, paths] of [
        ['GET', links],
        ['POST', forms],
      ] as const) {
        for (const path of new Set(paths)) {
          if (path === '/sign-out') continue
          tried++
          const body = method === 'POST' ? { body: '' } : {}
          const response = await world.send(method, path, {
            headers: { ...headers, ...FORM },
            ...body,
          })
          await response.body?.cancel()
          if (response.status === 403 || response.status === 404)
            dead.push(`${page.route}: ${path}`)
        }
      }
    }
    expect(dead).toEqual([])
    expect(tried).toBeGreaterThan(50)
  },
)
