import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import type { QuestionDetail } from '../../../src/ask/questions/model/question.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const APPROVAL: QuestionDetail = {
  action: 'npm test',
  toolName: 'Bash',
  toolTarget: 'npm test',
  sessionToolAware: true,
  sessionAllows: ['Bash(npm test:*)', 'Read and change files in /home/u/proj'],
}

const askApproval = (detail: QuestionDetail = APPROVAL) =>
  world.ask({ question: 'Run this command?', detail })

async function stored(id: QuestionId) {
  const question = await readQuestion(
    { db: world.db, clock: systemClock },
    { workspaceId: world.workspaceId },
    id,
  )
  if (!question) throw new Error('no such question')
  return question
}

function answerOverRest(id: QuestionId, body: object) {
  return fetch(`${world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

test('an approval that may be given for the session says to the letter what that would allow, beside a third button', async () => {
  const page = await (await world.get(`/d/${await askApproval()}`)).text()
  expect(page).toContain('Approve for this session')
  expect(page).toContain('Bash(npm test:*)')
  expect(page).toContain('Read and change files in /home/u/proj')
})

test('an approval that may be given for the session is a yes with a mark that the agent and the pages read', async () => {
  const id = await askApproval()
  const response = await world.post(`/d/${id}/answer`, { session: 'yes', from: 'decide_page' })
  expect(response.status).toBe(303)
  // The next question takes its place.
  expect(response.headers.get('location')).toMatch(new RegExp(`^/d/(${id}|q_\\w+\\?after=${id})$`))
  const { status, value, detail } = await stored(id)
  expect({ status, value, detail }).toEqual({
    status: 'answered',
    value: 'yes',
    detail: { ...APPROVAL, forSession: true },
  })
  const page = await (await world.get(`/d/${id}`)).text()
  expect(page).toContain('Approved for this session')
  expect(page).toContain('Bash(npm test:*)')
})

test('an approval that may be given for the session stays a plain yes when the plain button is pressed', async () => {
  const id = await askApproval()
  await world.post(`/d/${id}/answer`, { value: 'yes', from: 'decide_page' })
  expect((await stored(id)).detail).toEqual(APPROVAL)
})

test('an approval that may be given for the session is offered on the decide page alone: a card does not say what it allows', async () => {
  await askApproval()
  expect(await (await world.get('/inbox')).text()).not.toContain('Approve for this session')
})

test('an approval that may be given for the session is given over REST by who is signed in', async () => {
  const id = await askApproval()
  const response = await answerOverRest(id, { value: 'yes', forSession: true })
  expect(await response.json()).toMatchObject({ answered: true, value: 'yes', forSession: true })
})

test.each<[string, QuestionDetail]>([
  ['that the client cannot keep to', { action: 'npm test' }],
  ['that looks hard to undo', { ...APPROVAL, action: 'rm -rf build' }],
])(
  'an approval that may be given for the session is neither offered nor taken for something %s',
  async (_, detail) => {
    const id = await askApproval(detail)
    expect(await (await world.get(`/d/${id}`)).text()).not.toContain('name="session"')
    const refused = await answerOverRest(id, { value: 'yes', forSession: true })
    expect([refused.status, (await stored(id)).status]).toEqual([422, 'pending'])
  },
)

test('an approval that may be given for the session is not taken with a no', async () => {
  const id = await askApproval()
  expect((await answerOverRest(id, { value: 'no', forSession: true })).status).toBe(422)
})

test('a tap that comes after the question was answered at the terminal says so', async () => {
  const id = await world.ask({
    status: 'cancelled',
    endedAt: Date.now(),
    endReason: 'Answered at the terminal.',
  })
  const response = await world.post(`/d/${id}/answer`, { value: 'yes', from: 'decide_page' })
  expect(response.headers.get('location')).toBe(`/d/${id}?late`)
  const page = await (await world.get(`/d/${id}?late`)).text()
  expect(page).toContain('Too late: answered at the terminal')
})
