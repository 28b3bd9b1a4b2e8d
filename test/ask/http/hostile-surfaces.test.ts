import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { eventText } from '../../support/event-text.ts'
import { readExposition } from '../../support/exposition.ts'
import { fullHouse } from '../../support/full-house.ts'
import { hostileWords } from '../../support/hostile-corpus.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { REST_ROUTES } from '../../support/rest-routes.ts'
import { howOften } from '../../support/share.ts'
import { spoiler } from '../../support/stored-words.ts'
import { describedBy } from './described.ts'

const ROUNDS = howOften(2, 230, 2)
setDefaultTimeout(60_000 + ROUNDS * 10_000)

let world: PageWorld
let respoil: ReturnType<typeof spoiler>
let agent: Record<string, string>
let ids: Record<string, string>

beforeAll(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'agent' })
  agent = { authorization: `Bearer ${token}` }
  const paths = await fullHouse(world, 'Plain words')
  const ended = await world.ask({
    status: 'answered',
    value: 'yes',
    note: 'Go',
    endedAt: Date.now(),
  })
  respoil = spoiler(world.file)
  const firstMatch = (pattern: RegExp) => pattern.exec(paths.join(' '))?.[1] ?? ''
  ids = { questions: ended, deliveries: firstMatch(/\/n\/(n_\w+)/), scopes: 's' }
})
afterAll(() => world[Symbol.asyncDispose]())

/** Every address of REST that is read, with an id of ours in it. */
function readAddresses() {
  return REST_ROUTES.flatMap(({ spec, who }) => {
    if (spec.method !== 'GET' || spec.stream) return []
    const [, room = ''] = spec.path.split('/')
    const path = `/api/v1${spec.path.replace(/:\w+/, ids[room] ?? '')}`
    return [{ path, headers: who === 'agent' ? agent : { cookie: world.cookie } }]
  })
}

test('whatever is stored, what programs read is what the description says', async () => {
  const check = describedBy(await (await world.get('/openapi.json')).json())
  const wrong: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // As long as every field may be.
    respoil((n, kind) => hostileWords(round)(n, kind).slice(0, kind === 'text' ? 60 : 200) || '-')
    for (const { path, headers } of readAddresses()) {
      // It looks at the network, which takes a while.
      if (path.endsWith('/health') && round > 0) continue
      const response = await fetch(world.url + path, { headers })
      const text = await response.text()
      if (response.status >= 500) wrong.push(`${path}: ${text}`)
      check('GET', path, response, JSON.parse(text))
      for (const [name, value] of response.headers) {
        if (!/^[\x20-\x7e]*$/.test(value)) wrong.push(`${path}: ${name} is ${value}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

/** The cells of a CSV text, read as RFC 4180 says; throws for what is none. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [, quoted, plain, end] = cell.exec(text) ?? []
    if (end === undefined) throw new Error(`no cell: ${JSON.stringify(text.slice(at, at + 60))}`)
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

test('an exported trail has as many rows as it has entries, and no formula', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    respoil(hostileWords(round))
    const get = (accept: string) =>
      fetch(`${world.url}/api/v1/audit?limit=200`, { headers: { cookie: world.cookie, accept } })
    const response = await get('text/csv')
    expect(response.headers.get('content-type')).toStartWith('text/csv')
    expect(response.headers.get('content-disposition') ?? '').toMatch(
      /^attachment; filename="[\w.-]+"$/,
    )
    const [heading = [], ...rows] = cellsOf(await response.text())
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      expect(row).toHaveLength(heading.length)
      for (const text of row) expect(text).not.toMatch(/^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/)
    }
  }
})

test('an event is one event, whatever it tells of', async () => {
  respoil(hostileWords(0))
  const leaves = new AbortController()
  const headers = { cookie: world.cookie }
  const { signal } = leaves
  const stream = eventText(await fetch(`${world.url}/api/v1/events`, { headers, signal }))
  await world.db.write(async (tx) => {
    tx.emit('question', ids.questions ?? '')
    tx.emit('notification', ids.deliveries ?? '')
  })
  const text = await stream.until((so) => so.includes('notification.sent') && so.endsWith('\n\n'))
  await stream.cancel()
  leaves.abort()
  const frames = text.split('\n\n').filter((frame) => /^event:/m.test(frame))
  expect(frames).toHaveLength(2)
  for (const frame of frames) {
    const lines = frame.split(/\r\n|\r|\n/).filter((line) => !/^(retry: \d+|:)$/.test(line))
    expect(lines.map((line) => line.split(':')[0])).toEqual(['event', 'data'])
    expect(JSON.parse(lines[1]?.slice('data: '.length) ?? '')).toBeObject()
  }
})

test('figures have names and labels of ours alone', async () => {
  respoil(hostileWords(0))
  const response = await fetch(`${world.url}/metrics`, { headers: agent })
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(readExposition(text).size).toBeGreaterThan(5)
  expect(text).not.toMatch(/evil|broken|[^\n\x20-\x7e]/)
})
