import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Ask, type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const call = (ask: Ask) => world.call(ask)

type Scenario = Ask & { says: number; must?: string[]; mustNot?: string[] }

function scenario(name: string, row: Scenario) {
  test(name, async () => {
    const { status, text } = await call(row)
    expect([status, text.slice(0, 300)]).toEqual([row.says, expect.any(String)])
    for (const part of row.must ?? []) expect(text).toContain(part)
    for (const part of row.mustNot ?? []) expect(text).not.toContain(part)
  })
}

const NOTE = { title: 'Built', body: 'All green.' }
const notify = { method: 'POST', path: '/api/v1/notifications', body: NOTE } as const

scenario('a notification reaches the browser', {
  ...notify,
  as: 'agent',
  says: 200,
  must: ['"sent":1'],
})
scenario('without a token there is no notification', {
  ...notify,
  says: 401,
  must: ['"code":"unauthenticated"'],
})
scenario('with a wrong token neither', { ...notify, as: 'wrong', says: 401, mustNot: ['bk_'] })
scenario('a signed-in person is not an agent', { ...notify, as: 'member', says: 401 })
scenario('wrong fields are each named', {
  ...notify,
  as: 'agent',
  body: { title: '', bdy: 'x', tags: 'a' },
  says: 422,
  must: [
    '"code":"invalid_input"',
    '{"field":"title","must":"must not be empty"}',
    '{"field":"body","must":"is required"}',
    '{"field":"bdy","must":"is not a known field"}',
    '{"field":"tags","must":"must be an array"}',
  ],
})
scenario('a test token reaches nobody', {
  ...notify,
  as: 'tester',
  says: 200,
  must: ['"env":"test"', '"sent":0'],
})
scenario('an agent learns whose token it has, and whether anybody can be reached', {
  as: 'agent',
  path: '/api/v1/agent',
  says: 200,
  must: ['"test":false', '"devices":1'],
  mustNot: ['bk_'],
})
scenario('nobody else does', { as: 'wrong', path: '/api/v1/agent', says: 401, mustNot: ['bk_'] })
scenario('an unknown question is a result, not an error', {
  as: 'agent',
  path: '/api/v1/questions/q_nothing?timeoutMs=1000',
  says: 200,
  must: ['"status":"missing"'],
})
scenario('a wrong timeout is named', {
  as: 'agent',
  path: '/api/v1/questions/q_nothing?timeoutMs=999999&x=1',
  says: 422,
  must: ['"field":"timeoutMs"', '"field":"x"'],
})
scenario('a timeout that is no number is named', {
  as: 'agent',
  path: '/api/v1/questions/q_nothing?timeoutMs=soon',
  says: 422,
  must: ['must be a whole number'],
})
scenario('an id that cannot be decoded does no harm', {
  as: 'agent',
  path: '/api/v1/questions/%E0%A4%A',
  says: 422,
})
for (const path of ['/inbox', '/activity', '/keys', '/members', '/events']) {
  scenario(`nobody reads ${path}`, { path: `/api/v1${path}`, says: 401 })
  scenario(`an agent does not read ${path}`, { as: 'agent', path: `/api/v1${path}`, says: 401 })
}
scenario('a cursor of somebody’s own making is refused', {
  as: 'member',
  path: '/api/v1/activity?cursor=zz',
  says: 400,
  must: ['"code":"malformed"'],
})
scenario('an unknown path is a JSON 404', { path: '/api/v1/nothing', says: 404 })
scenario('a wrong method is 405', { method: 'PUT', path: '/api/v1/inbox', says: 405 })
scenario('the members are those of the own workspace', {
  as: 'member',
  path: '/api/v1/members',
  says: 200,
  must: ['ann@example.com', '"role":"owner"'],
  mustNot: ['bob@example.com', 'password'],
})
scenario('a connection that says test is test traffic', {
  ...notify,
  as: 'agent',
  headers: { 'x-service-env': 'test' },
  says: 200,
  must: ['"env":"test"', '"sent":0'],
})

test('many wrong tokens from one address are slowed down, right ones are not', async () => {
  const headers = world.headersOf('wrong')
  const post = () => fetch(world.url + notify.path, { method: 'POST', headers })
  const responses = await Promise.all(Array.from({ length: 60 }, post))
  const statuses = responses.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect((await call({ ...notify, as: 'agent' })).status).toBe(200)
})

scenario('what the spec ignores is ignored, malformed or not', {
  as: 'agent',
  method: 'POST',
  path: '/api/v1/questions',
  body: {
    question: 'Deploy?',
    wait: false,
    options: 'none',
    localSurfaceAvailable: 'no',
    pausedAware: 1,
    permissionMode: 'x'.repeat(65),
  },
  says: 200,
  must: ['"type":"confirm"'],
})
scenario('what is no object is still named as such', {
  as: 'agent',
  method: 'POST',
  path: '/api/v1/questions',
  body: ['Deploy?'],
  says: 422,
  must: ['must be an object'],
})
