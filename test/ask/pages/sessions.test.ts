import { describe, expect, test } from 'bun:test'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import { countUnanswered, findSession } from '../../../src/ask/sessions/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const MINUTE = 60_000
const S1 = { machineId: 'm1', sessionId: 's1' }
const text = async (world: PageWorld, path: string) => (await world.get(path)).text()

async function pause({ db, workspaceId }: PageWorld) {
  for (let i = 0; i < 3; i++) {
    await db.write((tx) => countUnanswered(tx, { workspaceId, ...S1 }, 'unanswered'))
  }
}

test('the blocked come first, each with a word for how it stands', async () => {
  await using world = await pageWorld()
  const work = (sessionId: string, agentName: string, ageMs: number, errored = false) =>
    world.work({ sessionId, agentName, errored }, ageMs)
  await work('gone', 'Gone - a', 20 * MINUTE)
  await work('idle', 'Resting - a', 5 * MINUTE)
  await work('busy', 'Busy - a', 1_000)
  await work('broken', 'Broken - a', 3 * MINUTE, true)
  await work('asks', 'Asking - a', 4 * MINUTE)
  await world.ask({ machineId: 'm1', sessionId: 'asks', question: 'Asked by Asking?' })
  const page = await text(world, '/sessions')
  const order = ['Asking · a', 'Broken · a', 'Busy · a', 'Resting · a', 'Gone · a']
  const places = order.map((name) => page.indexOf(name))
  expect(places.every((place) => place > 0)).toBe(true)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  for (const word of ['Waits for you', 'Error', 'At work', 'Idle', 'Offline']) {
    expect(page).toContain(`>${word}</b>`)
  }
  expect(page).toContain('1 waits for you, 1 stopped at an error, 1 at work, 1 idle')

  const home = await text(world, '/')
  expect(home).toContain('Asked by Asking?')
  expect(home).toContain('Broken · a')
  expect(home).not.toContain('Busy · a')
})

test('a row that waits says what for, not what was done last, and how many questions there are', async () => {
  await using world = await pageWorld()
  await world.work({ intent: 'Ship the checkout', lastAction: 'Already answered?' })
  const row = async () =>
    /<li class="row session".*?<\/li>/s.exec(await text(world, '/sessions'))?.[0]
  expect(await row()).toContain('Ship the checkout')
  await world.ask({ ...S1, question: 'Push it?' }, MINUTE)
  expect(await row()).toContain('>Push it?<')
  expect(await row()).not.toMatch(/Ship the checkout|Already answered/)
  await world.ask({ ...S1, question: 'Merge it?' })
  expect(await row()).toContain('2 questions: Push it?')
})

test('sessions of other workspaces are neither listed nor reachable', async () => {
  await using world = await pageWorld()
  const id = await world.work({ workspaceId: 'ws_other', agentName: 'Stranger' })
  expect(await text(world, '/sessions')).not.toContain('Stranger')
  expect((await world.get(`/live/${id}`)).status).toBe(404)
  expect((await world.post(`/live/${id}/resume`, {})).status).toBe(404)
})

test('the sessions say what will appear when there are none', async () => {
  await using world = await pageWorld()
  expect(await text(world, '/sessions')).toContain('No agent has been at work this week')
})

test('a paused one says so until it is resumed', async () => {
  await using world = await pageWorld()
  const id = await world.work()
  await pause(world)
  expect(await text(world, '/sessions')).toContain('Its last 3 approvals went unanswered')
  const response = await world.post(`/live/${id}/resume`, { back: '//evil.example' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  expect((await findSession(world.db.read, world.workspaceId, id))?.unanswered).toBe(0)
  expect(await text(world, '/sessions')).not.toContain('approvals went unanswered')
})

test('the live page has the open question, the feed of its own session, and what it may do', async () => {
  await using world = await pageWorld()
  const id = await world.work()
  await world.work({ sessionId: 's2' })
  const contract = { allowedPaths: ['src/tax/**'], offLimitsPaths: [], doneWhen: 'Green' }
  const ratified = { ...S1, origin: 'scope', status: 'answered', value: 'yes' } as const
  const ended = { endedAt: Date.now() - MINUTE, detail: { contract } }
  await world.ask({ ...ratified, ...ended }, 2 * MINUTE)
  await world.ask({ ...S1, question: 'Push it?' })
  await world.tell({ ...S1, title: 'Half done' }, MINUTE)
  await world.ask({ sessionId: 's2', machineId: 'm1', question: 'Not mine?' })
  await world.tell({ title: 'Nor this' })
  const page = await text(world, `/live/${id}`)
  for (const part of ['Push it?', 'Half done', 'src/tax/**', 'holds until', 'Waits for you']) {
    expect(page).toContain(part)
  }
  expect(page).toContain('name="from" value="live_page"')
  expect(page).not.toContain('Not mine?')
  expect(page).not.toContain('Nor this')
})

test('a contract of yesterday, or one that was declined, is not in force', async () => {
  await using world = await pageWorld()
  const id = await world.work()
  const contract = { allowedPaths: ['src/old/**'], offLimitsPaths: [], doneWhen: 'Green' }
  const scope = { ...S1, origin: 'scope', status: 'answered', detail: { contract } } as const
  const old = Date.now() - 12 * 60 * MINUTE - 1
  await world.ask({ ...scope, value: 'yes', endedAt: old }, 13 * 60 * MINUTE)
  await world.ask({ ...scope, value: 'no', endedAt: Date.now() })
  expect(await text(world, `/live/${id}`)).not.toContain('holds until')
})

test('an answer there says where it came from and leads back there', async () => {
  await using world = await pageWorld()
  const id = await world.work()
  const question = await world.ask(S1)
  const response = await world.post(`/d/${question}/answer`, { value: 'yes', from: 'live_page' })
  const back = `/live/${id}?showing=${question}#card-${question}`
  expect(response.headers.get('location')).toBe(back)
  const stored = await findQuestion(world.db.read, world.workspaceId, question)
  expect(stored).toMatchObject({ value: 'yes', answerSource: 'live_page' })
  expect(await text(world, back)).toContain(`id="card-${question}" class="card ended"`)

  const other = await world.ask(S1)
  const stopped = await world.post(`/d/${other}/stop`, { from: 'live_page' })
  expect(stopped.headers.get('location')).toContain(`/live/${id}?showing=${other}`)
  const after = await findQuestion(world.db.read, world.workspaceId, other)
  expect(after?.status).toBe('stopped')
})

test('pages back through a long feed', async () => {
  await using world = await pageWorld()
  const id = await world.work()
  for (let i = 0; i < 33; i++) await world.tell({ ...S1, title: `Step ${i}.` }, i * MINUTE)
  const first = await text(world, `/live/${id}`)
  expect(first).toContain('Step 0.')
  expect(first).not.toContain('Step 32.')
  const older = /href="(\/live\/[^"]+\?from=[^"]+)"/.exec(first)?.[1] ?? ''
  expect(await text(world, older)).toContain('Step 32.')
})

// Long after any of these tests.
const LATER = Date.UTC(2100, 0, 1)
const MARKS = {
  paused: 'Not sent: paused',
  suppressed: 'Phones stayed silent',
  held: 'Phones ring later',
  unattributed: 'Held: no tool or session was named',
  test: '</svg>Test</span>',
  quiet: 'Quiet hours',
  terminal: 'In the terminal',
  notified: 'Notified',
}

describe('what was not sent is said', () => {
  const cases = {
    paused: [{ detail: { paused: true } }, 'the last approvals of this session went unanswered'],
    suppressed: [{ detail: { suppressed: true } }, 'a terminal on the same machine was in use'],
    held: [{ detail: { phonesHeldUntil: LATER } }, 'Phones ring a little later'],
    unattributed: [{ held: 'unattributed' }, 'named neither a tool nor a session'],
    test: [{ held: 'test_traffic', test: true }, 'Test traffic: recorded, sent to nobody.'],
    quiet: [{ status: 'terminal', endedAt: 1, detail: { quiet: true } }, 'quiet hours'],
    terminal: [{ status: 'terminal', endedAt: 1 }, 'Nothing was sent: your policy'],
    notified: [{ status: 'notified', endedAt: 1 }, 'the agent asks in the terminal'],
  } as const
  for (const [name, [changes, sentence]] of Object.entries(cases)) {
    test(`${name}: on the decide page, and in the activity`, async () => {
      await using world = await pageWorld()
      const id = await world.ask(changes)
      expect(await text(world, `/d/${id}`)).toContain(sentence)
      expect(await text(world, '/activity')).toContain(MARKS[name as keyof typeof MARKS])
    })
  }

  test('a message that rang after it was held, or was open when it did, is not called silent', async () => {
    await using world = await pageWorld()
    const now = systemClock.now()
    await world.ask({ detail: { phonesHeldUntil: now - 1 } })
    await world.ask({ detail: { phonesHeldUntil: now - 2 }, status: 'expired', endedAt: now - 1 })
    expect(await text(world, '/activity')).not.toMatch(/Phones (ring later|stayed silent)/)
    await world.ask({ detail: { phonesHeldUntil: now }, status: 'cancelled', endedAt: now - 1 })
    expect(await text(world, '/activity')).toContain('Phones stayed silent')
  })

  test('held test traffic is answered from the activity, and marked as sandbox', async () => {
    await using world = await pageWorld()
    const id = await world.ask({ held: 'test_traffic', test: true })
    expect(await text(world, '/activity')).toContain(`href="/d/${id}"`)
    await world.post(`/d/${id}/answer`, { value: 'yes', from: 'decide_page' })
    const stored = await findQuestion(world.db.read, world.workspaceId, id)
    expect(stored).toMatchObject({ status: 'answered', answerSource: 'sandbox' })
    expect(stored?.endedAt ?? 0).toBeLessThanOrEqual(systemClock.now())
  })
})

async function agent({ url, db, workspaceId }: PageWorld) {
  const { token } = await createToken({ db, clock: systemClock }, { workspaceId, name: 'a' })
  return async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Record<string, unknown>
  }
}
const session = { agentName: 'Codex - shop', sessionId: 'one', machineId: 'mac' }

test('what an agent does over REST stands on the sessions page and on the page of its session', async () => {
  await using world = await pageWorld()
  const call = await agent(world)
  await call('/notifications', { ...session, title: 'Tests are green', body: 'All 214.' })
  const question = await call('/questions', { ...session, question: 'Merge it?', wait: false })
  const list = await text(world, '/sessions')
  expect(list).toContain('Codex · shop')
  expect(list).toContain('Merge it?')
  const live = /href="(\/live\/ses_[^"]+)"/.exec(list)?.[1] ?? ''
  const page = await text(world, live)
  for (const part of ['Merge it?', 'Tests are green', 'All 214.', 'mac']) {
    expect(page).toContain(part)
  }
  await world.post(`/d/${question.correlationId}/answer`, { value: 'yes', from: 'live_page' })
  expect(await text(world, live)).toContain('At work')
})

test('what an agent does over REST is planned by what the pages saved', async () => {
  await using world = await pageWorld()
  const call = await agent(world)
  const rule = { toolName: 'Bash', toolTarget: 'git push*', mode: 'terminal_only' }
  await world.post('/settings/rules/new', rule)
  const ask = { ...session, question: 'Push it?', toolName: 'Bash', toolTarget: 'git push origin' }
  const question = await call('/questions', ask)
  expect(question).toMatchObject({ status: 'terminal', mode: 'terminal_only' })
  const decide = await text(world, `/d/${question.correlationId}`)
  expect(decide).toContain('Nothing was sent: your policy')
  const foretold = await text(
    world,
    '/settings/rules?asks=permission&toolName=Bash&toolTarget=git+push+x',
  )
  expect(foretold).toContain('Nothing is sent.')
  const changes = { deliveryMode: 'notify_only' } as const
  await setPolicy({ db: world.db, clock: systemClock }, world.workspaceId, changes)
  expect(await call('/questions', { ...ask, toolTarget: 'ls' })).toMatchObject({
    status: 'notified',
  })
})

test('the page of a session lists what is allowed in it for now, and how to take that back', async () => {
  await using world = await pageWorld()
  const live = await world.work({ ...S1 })
  const other = await world.work({ sessionId: 's2' })
  const action = 'npm run check'
  const exact = {
    argumentsHash: 'a'.repeat(64),
    arguments: 'command',
    cwd: '/home/u/shop',
  } as const
  const detail = { toolName: 'Bash', toolTarget: action, action, exact }
  const id = await world.ask({ ...S1, repoKey: 'acme/shop', detail })
  expect(await text(world, `/d/${id}`)).toContain(
    '<dt>Repository</dt><dd dir="auto">acme/shop</dd>',
  )
  await world.post(`/d/${id}/answer`, { grant: '15_minutes', from: 'decide_page' })
  const part = (page: string) => /<section class="part" id="allowed"[^>]*>/.exec(page)?.[0] ?? ''
  const page = await text(world, `/live/${live}`)
  expect(part(page)).not.toContain('hidden')
  expect(page).toMatch(/action="\/settings\/allowed\/grant_\w+\/revoke"/)
  expect(part(await text(world, `/live/${other}`))).toContain('hidden')
})
