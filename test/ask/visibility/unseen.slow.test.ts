import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Row } from '../http/who/row.ts'
import { bodyOf, methodAndPath, ROWS } from '../http/who/rows.ts'
import { type As, type WhoWorld, whoWorld } from '../http/who/world.ts'

// What somebody does not see answers as what is missing: on every route that there is.

let world: WhoWorld
beforeAll(async () => {
  world = await whoWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function call(as: As, row: Row, id = '') {
  const { method, path } = methodAndPath(row)
  const body = bodyOf(row)
  const headers = { origin: world.app.url, ...body.headers, ...world.headersOf(as) }
  const response = await world.send(method, path.replace(/:\w+/, id), {
    headers,
    ...(body.text === undefined ? {} : { body: body.text }),
  })
  // A stream has no end.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  return { status: response.status, to: response.headers.get('location'), text }
}

/** The same words for every id and instant. */
function plain({ status, to, text }: Awaited<ReturnType<typeof call>>, id: string) {
  const without = (words: string | null) =>
    words?.replaceAll(id, 'ID').replace(/ data-now="\d+"/, '')
  return { status, to: without(to), text: without(text) }
}

const KINDS = /^(q|n|ses|grant)_/
// The link of a message works for whoever has it, signed in or not.
const OPEN_TO_ALL = 'GET /n/:id/go'

test('whatever is asked about it, an unseen thing answers as a missing one', async () => {
  const different: string[] = []
  let tried = 0
  for (const row of ROWS.filter(({ thing, statuses }) => thing && statuses.owner !== 'in')) {
    const id = (await row.thing?.(world)) ?? ''
    if (!KINDS.test(id) || row.route === OPEN_TO_ALL) continue
    tried++
    const missing = `${id.slice(0, -6)}zzzzzz`
    const [unseen, nothing] = [
      await call('outsider', row, id),
      await call('outsider', row, missing),
    ]
    if (!Bun.deepEquals(plain(unseen, id), plain(nothing, missing))) different.push(row.route)
  }
  expect(different).toEqual([])
  expect(tried).toBeGreaterThan(30)
})

test('no page, list or export mentions what a member does not see', async () => {
  const ids = [
    await world.question(),
    await world.endedQuestion(),
    await world.notification(),
    await world.session(),
    await world.turn(),
    await world.grant(),
  ]
  const lists = ROWS.filter(({ route, thing }) => route.startsWith('GET ') && !thing)
  const more = ['/audit?format=csv', '/activity?limit=5'].map((path) => `GET /api/v1${path}`)
  const pages = ['/repositories', '/activity?outcome=waiting', '/audit', '/inbox', '/sessions']
  const routes = [
    ...lists.map(({ route }) => route),
    ...more,
    ...pages.map((path) => `GET ${path}`),
  ]
  const leaks: string[] = []
  const sightings: string[] = []
  for (const route of new Set(routes)) {
    const row = { route, statuses: {} } as unknown as Row
    const { text } = await call('outsider', row)
    leaks.push(...ids.filter((id) => text.includes(id)).map((id) => `${route} ${id}`))
    const { text: all } = await call('member', row)
    sightings.push(...ids.filter((id) => all.includes(id)))
  }
  expect(leaks).toEqual([])
  // The member who is in a group with the owner of the token sees each of them somewhere.
  expect(ids.filter((id) => !sightings.includes(id))).toEqual([])
})
