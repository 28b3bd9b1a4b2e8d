import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { addToken } from '../../../src/ask/accounts/model/token-store.ts'
import { insertNotification } from '../../../src/ask/notifications/model/store.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { sightSession } from '../../../src/ask/sessions/model/store.ts'
import { saveSubscriber } from '../../../src/ask/subscribers/model/store.ts'
import { WINDOW_MS } from '../../../src/ask/wire/limits.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aDevice } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { aNotification, aQuestion } from '../../support/question.ts'

// A page with everything, compressed; scripts and style need 30 of it.
// With up to 255 random characters.
const PAGE_MAX_BYTES = 41 * 1024
const OPEN = 412

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
  await fill(world)
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

/** A team after a busy quarter. */
async function fill({ db, workspaceId }: PageWorld) {
  const now = Date.now()
  await db.write(async (tx) => {
    for (let i = 0; i < 10_000; i++) {
      const at = now - i * 1_000
      const words = `Deploy build ${(i * 2654435761) % 2 ** 32} of the shop to production?`
      const times = { createdAt: at, expiresAt: at + WINDOW_MS, waitEndsAt: at + 45_000 }
      const state =
        i < OPEN ? {} : ({ status: 'answered', value: 'yes', endedAt: at + 9_000 } as const)
      const about = { workspaceId, agentName: `Agent ${i % 50}`, machineId: `m${i % 7}` }
      const session = { sessionId: `s${i % 500}`, question: words }
      const id = newId('q', at)
      await insertQuestion(tx, aQuestion('', { ...about, ...session, ...times, ...state, id }))
      const notification = {
        workspaceId,
        createdAt: at,
        title: `Step ${(i * 7919) % 10007} is done`,
      }
      await insertNotification(tx, aNotification('', { ...notification, id: newId('n', at) }))
    }
    for (let i = 0; i < 2_000; i++) {
      const label = `Firefox on Linux ${(i * 7919) % 2003}`
      const endpoint = `https://push.example/${i}`
      await saveSubscriber(tx, aDevice({ workspaceId, endpoint, label, createdAt: now - i }))
    }
    for (let i = 0; i < 500; i++) {
      const at = now - i * 600_000
      await sightSession(tx, {
        workspaceId,
        id: newId('ses', at),
        tokenId: 'key_1',
        at,
        machineId: `m${i % 7}`,
        sessionId: `s${i}`,
        agentName: `Agent ${i % 50}`,
        client: undefined,
        repoKey: `repo-${i}`,
        lastAction: `npm run build ${i ** 3}`,
        errored: false,
      })
      await addToken(tx, {
        id: newId('key', at),
        workspaceId,
        name: `Laptop ${(i * 7919) % 503}`,
        hash: `hash ${i}`,
        tail: 'abcd',
        test: false,
        createdAt: at,
        createdBy: null,
      })
    }
  })
}

const text = async (path: string) => (await world.get(path)).text()

function filesOf(page: string): string[] {
  const matches = page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css|svg))"/g)
  return [...matches].map(([, file]) => file ?? '')
}

/** What is sent of it to a browser that can unpack everything. */
async function packed(path: string): Promise<number> {
  const headers = {
    ...{ cookie: world.cookie, 'accept-encoding': 'br, gzip' },
    'sec-fetch-site': 'same-origin',
  }
  const response = await fetch(world.url + path, { headers, decompress: false } as RequestInit)
  const bytes = new Uint8Array(await response.arrayBuffer())
  // A proxy packs what is made for one person.
  return response.headers.has('content-encoding') ? bytes.length : Bun.gzipSync(bytes).length
}

test.each([
  ...['/', '/inbox', '/activity', '/activity?q=deploy', '/audit', '/sessions'],
  ...[
    '/sessions?page=9',
    '/settings',
    '/settings/devices',
    '/settings/devices?page=84',
    '/settings/tokens',
  ],
  ...['/settings/policy', '/settings/rules/new'],
])('%s stays under 41 KB compressed with everything it loads', async (path) => {
  const files = filesOf(await text(path))
  const sizes = await Promise.all([path, ...files].map(packed))
  const sum = sizes.reduce((a, b) => a + b, 0)
  expect([sum, sum <= PAGE_MAX_BYTES]).toEqual([sum, true])
})

test('the inbox says how many there are beside those it shows', async () => {
  const page = await text('/inbox')
  expect(page).toContain(`${OPEN} questions are waiting`)
  expect(page).toContain(`${OPEN - 30} more follow`)
  expect(page.match(/data-answers/g)?.length).toBe(30)
  expect(page).toContain(`<title>(${OPEN}) Inbox`)
})

test('over REST the whole inbox is read page by page, the nearest deadline first', async () => {
  const seen: Array<{ correlationId: string; expiresAt: string }> = []
  let next: string | undefined
  do {
    const query = next === undefined ? '' : `&cursor=${next}`
    const page = (await (await world.get(`/api/v1/inbox?limit=150${query}`)).json()) as {
      questions: typeof seen
      total: number
      next?: string
    }
    expect(page.total).toBe(OPEN)
    seen.push(...page.questions)
    next = page.next
  } while (next !== undefined)
  expect(new Set(seen.map(({ correlationId }) => correlationId)).size).toBe(OPEN)
  expect(seen.map(({ expiresAt }) => expiresAt)).toEqual(seen.map((q) => q.expiresAt).sort())
  const wrong = await world.get('/api/v1/inbox?cursor=x')
  expect(wrong.status).toBe(400)
})

test('every list is walked to its end', async () => {
  const lists = [
    ['/settings/devices', /id="device-(\w+)"/g, 2_000],
    ['/settings/tokens', /tokens\/(key_\w+)\/revoke/g, 500],
    ['/sessions', /href="\/live\/(\w+)"/g, 500],
  ] as const
  for (const [path, pattern, wanted] of lists) {
    const seen = new Set<string>()
    let at: string | undefined = path
    while (at !== undefined) {
      const page = await text(at)
      for (const [, id = ''] of page.matchAll(pattern)) seen.add(id)
      at = /href="([^"]+)" rel="next"/.exec(page)?.[1]
    }
    expect([path, seen.size]).toEqual([path, wanted])
  }
})

test('the page of one device is found, and one beyond the ends of the list is at its end', async () => {
  const pageOf = async (query: string) => {
    const page = await text(`/settings/devices?${query}`)
    const ids = [...page.matchAll(/id="device-(\w+)"/g)].map(([, id]) => id)
    return { ids, said: /Page \d+ of \d+/.exec(page)?.[0] }
  }
  const third = await pageOf('page=3')
  expect([third.ids.length, third.said]).toEqual([20, 'Page 3 of 100'])
  expect(await pageOf(`at=${third.ids.at(-1)}`)).toEqual(third)
  expect(await pageOf(`at=${third.ids[0]}&page=9`)).toEqual(third)
  const first = await pageOf('')
  for (const query of ['page=1', 'page=0', 'page=-4', 'page=x', 'at=sub_none', "at='%00"]) {
    expect([query, await pageOf(query)]).toEqual([query, first])
  }
  const last = await pageOf('page=100')
  expect([last.ids.length, last.said]).toEqual([20, 'Page 100 of 100'])
  for (const page of ['101', '99999999999999999999']) {
    expect(await pageOf(`page=${page}`)).toEqual(last)
  }
})

// Tables that grow with every call, person or device. What waits to be sealed has indexes of its own,
// which have nothing else in them.
const GROWING =
  /^SCAN (questions|notifications|deliveries|audit|agent_sessions|agent_tokens|subscribers|subscriber_tags|late_answers|callbacks)\b(?!.*_unsealed$)/

test('no page and no list looks through a whole table', async () => {
  const statements = new Set<string>()
  const prepare = Database.prototype.prepare
  const listen = function (this: Database, sql: string) {
    statements.add(sql)
    return prepare.call(this, sql)
  }
  const spy = spyOn(Database.prototype, 'prepare').mockImplementation(listen as typeof prepare)
  // A server that has prepared nothing yet.
  await using fresh = await pageWorld()
  const id = await fresh.ask({ machineId: 'm1', sessionId: 's1' })
  const session = await fresh.work()
  for (const path of [
    ...['/', '/inbox', '/activity', '/audit', '/sessions', `/live/${session}`],
    ...[`/d/${id}`, '/settings', '/settings/devices', '/settings/tokens', '/settings/callbacks'],
    ...['inbox', 'activity', 'audit', 'sessions', 'subscribers', 'keys', 'callbacks'].map(
      (list) => `/api/v1/${list}`,
    ),
  ]) {
    expect([path, (await fresh.get(path)).status]).toEqual([path, 200])
  }
  spy.mockRestore()
  const selects = [...statements].filter((sql) => /^select/i.test(sql))
  expect(selects.length).toBeGreaterThan(20)
  using large = new Database(world.db.place, { readonly: true })
  const planOf = (sql: string) =>
    large.query(`explain query plan ${sql}`).all() as Array<{ detail: string }>
  const scansOf = (sql: string) =>
    planOf(sql)
      .filter(({ detail }) => GROWING.test(detail))
      .map(({ detail }) => [detail, sql])
  expect(scansOf("select id from questions where note = 'x'")).toHaveLength(1)
  expect(selects.flatMap(scansOf)).toEqual([])
  // The entries about the questions of a page are found by their ids.
  const ofSome = selects.filter((sql) => sql.includes("|| '' = ?"))
  expect(ofSome.length).toBeGreaterThan(3)
  for (const { detail } of ofSome.flatMap(planOf)) expect(detail).not.toMatch(/\bat>/)
})
