import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { addPerson } from '../../../src/ask/people/people.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { DEFAULT_POLICY } from '../../../src/ask/policy/model/policy.ts'
import { readPolicy } from '../../../src/ask/policy/model/store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'

const PATH = '/settings/policy'
const BO = { email: 'bo@example.org', name: 'Bo' }

let world: PageWorld
let bo: string
beforeAll(async () => {
  world = await pageWorld()
  bo = (await addPerson({ db: world.db, clock }, { ...BO, password: PASSWORD })).person.id
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => setPolicy({ db: world.db, clock }, world.workspaceId, DEFAULT_POLICY))

const inEffect = () => readPolicy(world.db.read, world.workspaceId)
const choose = (fields: Record<string, string>, cookie = world.cookie) =>
  world.post(`${PATH}/preset`, fields, { cookie })
const nowOf = async (path = PATH) => {
  const page = await (await world.get(path)).text()
  return /id="in-force".*?<\/section>/s.exec(page)?.[0].replace(/<[^>]*>/g, ' ') ?? ''
}

test('a preset sets the mode and every time, and leaves quiet hours, devices and fail-over', async () => {
  const quietHours = { from: '22:00', to: '07:00', zone: 'UTC' }
  const times = { longLifeMs: 3_600_000, holdMs: 0, remindMs: 0, turnMs: 0 }
  const programs = [{ name: 'lex', kind: 'project' as const }]
  const chatAnswers = 'linked_only' as const
  const people = { failoverMs: 60_000, failoverTo: [bo], programs, chatAnswers, ...times }
  const base = { quietHours, targeting: { tags: ['work'] }, ...people }
  const own = { deliveryMode: 'push_first', waitMs: 12_000, graceMs: 5_000 } as const
  await setPolicy({ db: world.db, clock }, world.workspaceId, { ...base, ...own })
  const response = await choose({ preset: 'devices_only' })
  expect([response.status, response.headers.get('location')]).toEqual([303, `${PATH}?saved`])
  expect(await inEffect()).toEqual({
    ...{ ...base, deliveryMode: 'push_only', waitMs: 45_000, graceMs: 0 },
    ...{ presenceMs: 0, pauseAfterUnanswered: 0 },
  })
  const before = cookieOf(response.headers)
  expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/)
  const undone = await choose({ undo: 'yes' }, `${world.cookie}; ${before}`)
  expect(undone.status).toBe(303)
  expect(await inEffect()).toEqual({ ...DEFAULT_POLICY, ...base, ...own })
})

test('what cannot have been a policy is not put back, and an unknown preset changes nothing', async () => {
  for (const cookie of ['', 'policy-before=x', 'policy-before=push_only.1.0.0.0']) {
    const refused = await choose({ undo: 'yes' }, `${world.cookie}; ${cookie}`)
    expect([cookie, refused.status]).toEqual([cookie, 410])
  }
  const unknown = await choose({ preset: 'loud' })
  expect(unknown.status).toBe(422)
  expect(await inEffect()).toEqual(DEFAULT_POLICY)
})

test('a member sees the presets and cannot choose one', async () => {
  const signedIn = await world.post(
    '/sign-in',
    { email: BO.email, password: PASSWORD },
    { cookie: '' },
  )
  const cookie = cookieOf(signedIn.headers)
  const page = await (await world.get(PATH, cookie)).text()
  expect(page).toMatch(/<fieldset class="choices" disabled/)
  expect(page).toContain('What an owner can choose')
  expect(page).not.toContain('A tap sets')
  expect((await choose({ preset: 'quiet' }, cookie)).status).toBe(403)
  expect(await inEffect()).toEqual(DEFAULT_POLICY)
})

test('one sentence says what is in force now', async () => {
  const set = (changes: Parameters<typeof setPolicy>[2]) =>
    setPolicy({ db: world.db, clock }, world.workspaceId, changes)
  expect(await nowOf()).toContain(
    'Agents ask on every device and wait up to 45 s; without an answer they ask in the terminal.',
  )
  await set({ waitMs: 30_000, graceMs: 10_000, targeting: { tags: ['work'] } })
  expect(await nowOf()).toContain('on devices tagged work (phones 10 s later) and wait up to 30 s')
  await set({ failoverMs: 120_000, failoverTo: [bo, 'somebody who left'].slice(0, 1) })
  expect(await nowOf()).toContain('After 2 min unanswered: Bo.')
  await set({ quietHours: { from: '00:00', to: '23:59', zone: 'UTC' } })
  const lastMinute = new Date().toISOString().slice(11, 16) === '23:59'
  if (!lastMinute)
    expect(await nowOf()).toContain('Quiet hours until 23:59: approvals ring nowhere')
})

const FORM = {
  ...{ mode: 'push_first', wait: '45 s', grace: '0 s', presence: '1 min', pause: '3' },
  ...{ from: '22:00', to: '07:00', zone: 'UTC', tags: '' },
}

test('the fail-over is set on the page: after which time, and who in which order', async () => {
  const page = await (await world.get(PATH)).text()
  expect(page).toContain('>Who is told next</legend>')
  const mara = /<option value="(\w+)">Mara Lindqvist/.exec(page)?.[1] ?? ''
  const fields = [...Object.entries(FORM), ['failover', '5 min'], ['next', bo], ['next', mara]]
  expect((await world.post(PATH, fields)).status).toBe(303)
  const { failoverMs, failoverTo } = await inEffect()
  expect([failoverMs, failoverTo]).toEqual([300_000, [bo, mara]])
  const again = await (await world.get(PATH)).text()
  expect(again).toContain('value="5 min"')
  expect(again.indexOf(`<option value="${bo}" selected`)).toBeGreaterThan(0)
})

test.each([
  ['failover', '2 h', 'Must be a time like 45 s or 1 min, 0 s to 1 h.'],
  ['next', 'nobody', 'Choose people of this workspace.'],
])('a wrong %s is named and nothing is saved', async (name, value, sentence) => {
  const response = await world.post(PATH, { ...FORM, failover: '0', [name]: value })
  expect(response.status).toBe(422)
  const page = await response.text()
  expect(page).toContain(sentence)
  expect(page).toContain(`href="#${name}"`)
  expect(page).toContain(`id="${name}"`)
  expect(await inEffect()).toEqual(DEFAULT_POLICY)
})

test('somebody is named once', async () => {
  const fields = [...Object.entries(FORM), ['failover', '5 min'], ['next', bo], ['next', bo]]
  const response = await world.post(PATH, fields)
  expect([response.status, (await response.text()).includes('Name each person once.')]).toEqual([
    422,
    true,
  ])
})
