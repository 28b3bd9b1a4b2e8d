import { afterAll, beforeAll, expect, test } from 'bun:test'
import { entry } from '../../../src/ask/audit/model/audit-entry.ts'
import { csvLine } from '../../../src/ask/trail/rest.ts'
import { type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
  const ask = (question: string) =>
    world.call({
      as: 'agent',
      method: 'POST',
      path: '/api/v1/questions',
      body: { question, wait: false, sessionId: 's1', agentName: '=cmd()' },
    })
  await ask('Deploy, "now"?\nOr later?')
  await ask('=HYPERLINK("http://a.example")')
})
afterAll(() => world[Symbol.asyncDispose]())

type Page = { entries: Array<{ kind: string; at: string; subject: string }>; next?: string }

async function page(query: string): Promise<Page> {
  const { status, body } = await world.call({ as: 'member', path: `/api/v1/audit?${query}` })
  expect(status).toBe(200)
  return body as Page
}

const download = (query: string, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/api/v1/audit?${query}`, {
    headers: { ...world.headersOf('member'), ...headers },
  })

test('a page at a time, narrowed by kind, session and time', async () => {
  const first = await page('kind=question.opened&limit=1')
  expect(first.entries).toMatchObject([{ kind: 'question.opened' }])
  const second = await page(`kind=question.opened&limit=1&cursor=${first.next}`)
  expect(second.entries[0]?.subject).toStartWith('Deploy')
  expect(second.next).toBeUndefined()
  expect((await page('session=s1&kind=question.opened')).entries).toHaveLength(2)
  expect((await page('session=s2')).entries).toEqual([])
  expect((await page('to=2020-01-01T00:00:00Z')).entries).toEqual([])
  expect((await page('kind=token.created')).entries.length).toBeGreaterThan(0)
})

test('all of it as CSV, by the query or the Accept header, safe for a spreadsheet', async () => {
  for (const response of [
    await download('format=csv&kind=question.opened'),
    await download('kind=question.opened', { accept: 'text/csv' }),
  ]) {
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toContain('.csv"')
    const text = await response.text()
    expect(text).toStartWith('at,kind,agent,')
    expect(text).toContain(`"'=HYPERLINK(""http://a.example"")"`)
    expect(text).toContain(`"'=cmd()"`)
    expect(text).toContain('"Deploy, ""now""?\nOr later?"')
    expect(text.endsWith('\r\n')).toBe(true)
  }
})

test('no cell begins like a formula', () => {
  for (const subject of ['=1', '+1', '-1', '@a', '\t=1', ' =1', '|a', '\r=1', '＝1', '\n-1']) {
    const line = csvLine(entry({ id: 'a', at: 0, kind: 'notification.sent', subject }))
    expect(line).toContain(`"'${subject}"`)
  }
})

test('all of it as JSON lines', async () => {
  const response = await download('format=ndjson&kind=question.opened')
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = (await response.text()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['question.opened', 'question.opened'])
})

test('only the signed-in read it, each their own workspace, and wrong filters are named', async () => {
  for (const as of ['nobody', 'wrong', 'agent'] as const) {
    expect((await world.call({ as, path: '/api/v1/audit' })).status).toBe(401)
  }
  const other = await world.call({ as: 'otherMember', path: '/api/v1/audit' })
  expect(other.text).not.toContain('Deploy')
  const wrong = ['kind=x', 'from=yesterday', 'limit=0', 'format=xml', 'colour=red']
  for (const query of wrong) {
    const { status } = await world.call({ as: 'member', path: `/api/v1/audit?${query}` })
    expect([query, status]).toEqual([query, 422])
  }
  const { status } = await world.call({ as: 'member', path: '/api/v1/audit?cursor=zz' })
  expect(status).toBe(400)
})
