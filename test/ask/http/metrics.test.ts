import { afterAll, beforeAll, expect, test } from 'bun:test'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { connect } from '../../support/devices.ts'
import { readExposition } from '../../support/exposition.ts'
import { type StartedApp, startedApp } from '../../support/started-app.ts'

const ROOT = new URL('../../../', import.meta.url)

let house: StartedApp
let authorization: string
beforeAll(async () => {
  house = await startedApp()
  authorization = await tokenIn(house)
})
afterAll(() => house[Symbol.asyncDispose]())

async function tokenIn({ app: { db } }: StartedApp): Promise<string> {
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  const { token } = await createToken(
    { db, clock },
    { workspaceId, name: 'prometheus', test: false },
  )
  return `Bearer ${token}`
}

function get(of: StartedApp, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${of.app.url}/metrics`, { headers })
}

async function scrape() {
  const response = await get(house)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return readExposition(await response.text())
}

async function value(name: string, labels: Record<string, string> = {}) {
  const { samples = [] } = (await scrape()).get(name) ?? {}
  return samples.find((one) => Bun.deepEquals(one.labels, labels))?.value
}

function callTool(name: string, args: object): Promise<Response> {
  return fetch(`${house.app.url}/api/mcp/mcp`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
}

test('docs/metrics.md lists exactly what there is, with its type and labels', async () => {
  await (await callTool('ask_user', { question: 'Deploy?', wait: false })).text()
  await scrape()
  const page = await Bun.file(new URL('docs/metrics.md', ROOT)).text()
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]+) \|/gm)].map(
    ([, name, type, labels = '']) => [
      name,
      type,
      [...labels.matchAll(/`(\w+)`/g)].map((it) => it[1]),
    ],
  )
  const rows = new Map(listed.map(([name, ...row]) => [name, row]))
  for (const { name, type, samples } of (await scrape()).values()) {
    const { le, ...labels } = samples[0]?.labels ?? {}
    expect([name, ...(rows.get(name) ?? [])]).toEqual([name, type, Object.keys(labels)])
  }
  // Those that say nothing before something happened are declared all the same.
  const declared = new Set<string>()
  for (const path of new Bun.Glob('src/**/*.ts').scanSync(ROOT.pathname)) {
    const text = await Bun.file(new URL(path, ROOT)).text()
    for (const [, name = ''] of text.matchAll(/\bname: '((?:beckon|process)_[a-z_]+)'/g)) {
      declared.add(name)
    }
  }
  expect([...rows.keys()].sort()).toEqual([...declared].sort())
})

test('calls are counted by tool and outcome, and a tool that is not there is none', async () => {
  const before = (await value('beckon_questions_opened_total', { origin: 'ask' })) ?? 0
  await (await callTool('ask_user', { question: 'Really?', wait: false })).text()
  await (await callTool('ask_user', { question: 7 })).text()
  await (await callTool('no_such"tool\n', {})).text()
  const calls = (await scrape()).get('beckon_mcp_calls_total')?.samples ?? []
  expect(calls.map(({ labels }) => labels)).toEqual([
    { tool: 'ask_user', outcome: 'ok' },
    { tool: 'ask_user', outcome: 'invalid_input' },
  ])
  expect(await value('beckon_questions_opened_total', { origin: 'ask' })).toBe(before + 1)
})

test('a question that ends counts once, by its outcome', async () => {
  const response = await callTool('ask_user', { question: 'Stay?', wait: false })
  const text = await response.text()
  const id = /"correlationId": ?"([^"]+)"/.exec(text.replaceAll('\\"', '"'))?.[1]
  await (await callTool('cancel_question', { correlationId: id })).text()
  await (await callTool('cancel_question', { correlationId: id })).text()
  expect(await value('beckon_questions_ended_total', { outcome: 'cancelled' })).toBe(1)
})

test('requests are counted by route, never by id, and strangers share one', async () => {
  for (const path of [
    '/d/q_secret',
    '/nobody/here',
    '/wp-admin?x=1',
    '/tools.json',
    '//',
    '/%00',
  ]) {
    await (await fetch(house.app.url + path, { redirect: 'manual' })).text()
  }
  const { samples = [] } = (await scrape()).get('beckon_http_requests_total') ?? {}
  const routes = samples.map(({ labels }) => `${labels.face} ${labels.route} ${labels.status}`)
  expect(routes).toContain('pages /d 303')
  expect(routes).toContain('mcp /api/mcp/mcp 200')
  expect(routes.filter((route) => route.includes('404'))).toEqual(['other other 404'])
  expect(routes.join()).not.toMatch(/secret|nobody|wp-admin/)
})

test('a held call is one of the waits until it ends', async () => {
  const { db } = house.app
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', 0), 0))
  // Nobody waits where there is no device.
  await connect(db, { workspaceId, transport: 'ntfy', endpoint: 'http://127.0.0.1:1/topic' })
  const gone = new AbortController()
  const headers = { authorization, 'content-type': 'application/json' }
  const questions = `${house.app.url}/api/v1/questions`
  const body = JSON.stringify({ question: 'Waiting?', wait: false })
  const response = await fetch(questions, { method: 'POST', headers, body })
  const { correlationId } = await response.json()
  const held = fetch(`${questions}/${correlationId}`, { headers, signal: gone.signal }).catch(
    () => {},
  )
  while ((await value('beckon_waits')) !== 1) await Bun.sleep(5)
  gone.abort()
  await held
  while ((await value('beckon_waits')) !== 0) await Bun.sleep(5)
  const { samples = [] } = (await scrape()).get('beckon_delivery_attempt_seconds') ?? {}
  const counted = samples.filter(({ name }) => name.endsWith('_count'))
  expect(counted.map(({ labels }) => labels.channel)).toEqual(['ntfy'])
})

test('from this machine it is open, and anything that came through a proxy is not', async () => {
  expect((await get(house)).status).toBe(200)
  const { port } = new URL(house.app.url)
  for (const headers of [
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '203.0.113.9' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '203.0.113.9' },
    { via: '1.1 caddy' },
    // A tunnel, or a page whose name was made to lead here.
    { host: 'beckon.example.com' },
    { host: `evil.example:${port}` },
    { host: 'localhost.evil.example' },
  ]) {
    const refused = await get(house, headers)
    expect([headers, refused.status]).toEqual([headers, 401])
    expect(refused.headers.get('www-authenticate')).toStartWith('Bearer')
    expect((await refused.json()).code).toBe('unauthenticated')
    expect((await get(house, { ...headers, authorization })).status).toBe(200)
  }
})

test('behind a trusted proxy its word for the address counts', async () => {
  await using proxied = await startedApp({ env: { BECKON_TRUST_PROXY: 'loopback' } })
  const status = async (headers: Record<string, string>) => (await get(proxied, headers)).status
  expect(await status({ 'x-forwarded-for': '203.0.113.9' })).toBe(401)
  expect(await status({ 'x-forwarded-for': '127.0.0.1, 203.0.113.9' })).toBe(401)
  expect(await status({ 'x-forwarded-for': '203.0.113.9, 127.0.0.1' })).toBe(401)
  expect(await status({ 'x-forwarded-for': '127.0.0.1' })).toBe(200)
  expect(await status({ forwarded: 'for=203.0.113.9' })).toBe(401)
  expect(await status({ authorization: await tokenIn(proxied), via: 'x' })).toBe(200)
  expect(await status({})).toBe(200)
})
