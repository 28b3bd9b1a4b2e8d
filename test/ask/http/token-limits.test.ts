import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { hashToken } from '../../../src/ask/accounts/model/agent.ts'
import type { TokenId } from '../../../src/ask/accounts/model/ids.ts'
import { TOKEN_LIMITS } from '../../../src/ask/accounts/model/token-limits.ts'
import { findTokenByHash } from '../../../src/ask/accounts/model/token-store.ts'
import { addUsage, readUsage } from '../../../src/ask/accounts/model/usage-store.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { recountTokens } from '../../../src/ask/retention/recount-tokens.ts'
import { newId } from '../../../src/platform/ids.ts'
import { modernHeaders, modernMeta } from '../../support/mcp-world.ts'
import { aQuestion } from '../../support/question.ts'
import { type WholeServer, wholeServer } from '../../support/whole-server.ts'

setDefaultTimeout(60_000)

const ASK = { question: 'Deploy?', wait: false }
const NOTE = { title: 'Built', body: 'All green.' }

let house: WholeServer
beforeAll(async () => {
  house = await wholeServer()
})
afterAll(() => house[Symbol.asyncDispose]())

/** A token of its own, with so many open questions, one of them so large, and so much just written. */
async function used(has: { open?: number; storedBytes?: number; recent?: number }) {
  const token = await house.token()
  const { db } = house.app
  const { id } = (await findTokenByHash(db.read, hashToken(token))) as { id: TokenId }
  const { open = 0, storedBytes = 0, recent: bytes = 0 } = has
  const of = { tokenId: id, workspaceId: house.workspaceId }
  const now = Date.now()
  const times = { createdAt: now, expiresAt: now + 3_600_000 }
  const rows = Array.from({ length: open + (storedBytes ? 1 : 0) }, (_, n) => ({
    ...aQuestion('', { ...of, ...times, question: 'Earlier?' }),
    id: newId('q', now + n),
  }))
  await db.write(async (tx) => {
    for (const [n, row] of rows.entries()) await insertQuestion(tx, row, n === 0 ? storedBytes : 0)
    const { bytesAnHour } = TOKEN_LIMITS
    await addUsage(tx, { ...of, openQuestions: rows.length, bytes, bytesAnHour, at: now })
  })
  await recountTokens(db)
  const usage = async () => (await readUsage(db.read, [id])).get(id)
  const rest = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${house.url}/api/v1${path}`, init)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { token, usage, rest }
}

/** The words of a tool that was refused, in each of the two eras of MCP. */
async function refusedOverMcp(token: string, name: string, args: object): Promise<string[]> {
  const authorization = `Bearer ${token}`
  const old = await house.rpc('tools/call', { name, arguments: args }, { authorization })
  const modern = { name, arguments: args, _meta: modernMeta() }
  const headers = { authorization, ...modernHeaders('tools/call', name) }
  const next = await house.rpc('tools/call', modern, headers)
  return [old, next].map(({ status, json }) => {
    const { isError, content } = json.result as { isError: boolean; content: [{ text: string }] }
    expect([status, isError]).toEqual([200, true])
    return content[0].text
  })
}

test('the thousandth question is asked, the next is refused in every face, and a retry is not', async () => {
  const { token, rest, usage } = await used({ open: TOKEN_LIMITS.openQuestions - 1 })
  const last = await rest('/questions', { ...ASK, requestId: 'last' })
  expect(last.status).toBe(200)
  expect((await rest('/questions', ASK)).body.correlationId).toBe(last.body.correlationId)
  const other = { ...ASK, question: 'Another?' }
  const refused = await rest('/questions', other)
  expect([refused.status, refused.body]).toMatchObject([429, { code: 'limit_reached' }])
  expect(refused.headers.get('retry-after')).toBeNull()
  for (const text of await refusedOverMcp(token, 'ask_user', other)) {
    expect(text).toMatch(/1,000 open questions.*cancel_question.*\(limit_reached\)$/)
  }
  const scope = {
    doneWhen: 'Tests pass',
    allowedPaths: ['src/**'],
    sessionId: 's1',
    timeoutMs: 1_000,
  }
  for (const text of await refusedOverMcp(token, 'propose_scope', scope)) {
    expect(text).toContain('(limit_reached)')
  }
  const embedded = { ...NOTE, context: { type: 'info', askQuestion: { question: 'Go?' } } }
  expect((await rest('/notifications', embedded)).status).toBe(429)
  expect((await rest('/notifications', NOTE)).status).toBe(200)
  const again = await rest('/questions', { ...ASK, requestId: 'last' })
  expect(again.body.correlationId).toBe(last.body.correlationId)
  expect((await usage())?.openQuestions).toBe(TOKEN_LIMITS.openQuestions)
  const withdrawn = await rest(`/questions/${last.body.correlationId}/cancel`, {})
  expect(withdrawn.body).toMatchObject({ cancelled: true })
  // Of many at once as many are asked as there is room for.
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, n) => rest('/questions', { ...ASK, requestId: `r${n}` })),
  )
  expect(many.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(429)])
})

test('who wrote too much in an hour is told when to come back, in every face', async () => {
  const { token, rest } = await used({ recent: TOKEN_LIMITS.bytesAnHour })
  const refused = await rest('/notifications', {
    ...NOTE,
    context: { type: 'info', details: ['x'.repeat(90_000)] },
  })
  expect([refused.status, refused.body]).toMatchObject([429, { code: 'rate_limited' }])
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(10)
  expect(seconds).toBeLessThan(30)
  expect(refused.body.detail).toContain('20 MB')
  for (const text of await refusedOverMcp(token, 'send_notification', {
    ...NOTE,
    body: 'x'.repeat(500),
    context: { type: 'info', details: ['x'.repeat(90_000)] },
  })) {
    expect(text).toMatch(/20 MB within an hour.*try again in \d+ seconds\. \(rate_limited\)$/)
  }
})

test('who keeps as much as it may, and has nothing that could go, is told what the person can do', async () => {
  const { token, rest } = await used({ storedBytes: TOKEN_LIMITS.keptBytes })
  const refused = await rest('/questions', ASK)
  expect([refused.status, refused.body]).toMatchObject([429, { code: 'limit_reached' }])
  expect(refused.body.detail).toContain('Settings, Agent tokens')
  for (const text of await refusedOverMcp(token, 'send_notification', NOTE)) {
    expect(text).toContain('200 MB')
  }
})

test('the factor raises what is allowed, and the figures say how much is used', async () => {
  await using raised = await wholeServer({ env: { BECKON_TOKEN_LIMIT_FACTOR: '2' } })
  const token = await raised.token()
  const { id } = (await findTokenByHash(raised.app.db.read, hashToken(token))) as { id: TokenId }
  await raised.call(token, 'ask_user', ASK)
  const { workspaceId } = raised
  const { bytesAnHour } = TOKEN_LIMITS
  const more = { openQuestions: 0, bytes: 1.25 * bytesAnHour, bytesAnHour, at: Date.now() }
  await raised.app.db.write((tx) => addUsage(tx, { tokenId: id, workspaceId, ...more }))
  expect(await raised.call(token, 'ask_user', ASK)).toMatchObject({ status: 'pending' })
  const metrics = await (await fetch(`${raised.url}/metrics`)).text()
  expect(metrics).toMatch(/beckon_token_limit_used_ratio\{limit="bytes_an_hour"\} 0\.62/)
})
