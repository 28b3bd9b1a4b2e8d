import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import { insertPermit } from '../../../src/ask/permits/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function stored(id: QuestionId) {
  const question = await readQuestion(
    { db: world.db, clock: systemClock },
    { workspaceId: world.workspaceId },
    id,
  )
  if (!question) throw new Error('no such question')
  return question
}

const SEVERAL = {
  choices: [{ label: 'a, b' }, { label: 'c' }, { label: 'd' }],
  detail: { multiSelect: true, allowOther: true },
}

const text = async (path: string) => (await world.get(path)).text()

test('an answer has a receipt to save, and nothing else has', async () => {
  const endedAt = Date.now()
  const answered = await world.ask({ status: 'answered', value: 'yes', endedAt })
  const address = `/api/v1/receipts/${answered}`
  expect(await text(`/d/${answered}`)).toContain(`href="${address}" download=`)
  expect((await world.get(address)).status).toBe(200)
  for (const more of [{}, { status: 'cancelled' as const, endedAt }]) {
    const id = await world.ask(more)
    expect(await text(`/d/${id}`)).not.toContain('/api/v1/receipts/')
  }
})

test('a page of a yes says what became of the action, as far as the agent reported it', async () => {
  const endedAt = Date.now()
  const id = await world.ask({ status: 'answered', value: 'yes', endedAt })
  expect(await text(`/d/${id}`)).not.toContain('class="ran"')
  const permit = {
    ...{ id: 'permit_1' as const, workspaceId: world.workspaceId, questionId: id },
    ...{ tokenId: 'key_1' as const, actionHash: 'a'.repeat(64), createdAt: endedAt },
    ...{ expiresAt: endedAt + 60_000, consumedAt: endedAt, outcomeAt: endedAt },
    ...{ outcome: 'not_known' as const, detail: 'files ended during the call.' },
  }
  await world.db.write((tx) => insertPermit(tx, permit))
  const page = await text(`/d/${id}`)
  expect(page).toContain('is not known')
  expect(page).toContain('files ended during the call.')
})

test('the decide page shows who asks, what, and everything a yes depends on', async () => {
  const id = await world.ask({
    agentName: 'Claude Code - shop-api',
    question: 'Apply the change?',
    detail: {
      context: 'All tests pass.',
      intent: 'Add VAT',
      action: 'git apply tax.patch',
      blocker: 'Needs approval',
      actionBody: '-a\n+b',
    },
  })
  const page = await text(`/d/${id}`)
  for (const part of [
    'Claude Code',
    'shop-api',
    'Apply the change?',
    'All tests pass.',
    'Add VAT',
    '<span class="key">git</span> apply tax.patch',
    'Needs approval',
    '<span class="line del">-a',
    'Approve',
    'Decline',
  ]) {
    expect(page).toContain(part)
  }
  expect(page).toContain('<title>')
})

test('the decide page names what the call is given besides its command, in lists and when it asks twice', async () => {
  const toolSettings = [
    { name: 'dangerouslyDisableSandbox', value: 'true' },
    { name: 'run_in_background', value: 'false' },
  ]
  const id = await world.ask({
    detail: { action: 'rm -rf dist', toolName: 'Bash', toolSettings },
  })
  const twice = await world.post(`/d/${id}/answer`, { value: 'yes', from: 'decide_page' })
  for (const page of [
    await text(`/d/${id}`),
    await text(`/inbox?open=${id}`),
    await twice.text(),
  ]) {
    expect(page).toContain('<dt>dangerouslyDisableSandbox</dt>')
    expect(page).toContain('<dt>run_in_background</dt>')
    expect(page.match(/With this the call may do more than usual/g)?.length).toBe(1)
  }
})

/** True if an answer that counts leads to its outcome, or to the question after it. */
const leadsOn = ({ headers }: Response, id: string) =>
  [`/d/${id}`, `?after=${id}`].some((end) => headers.get('location')?.endsWith(end))

test('the decide page takes a yes with its note, and then shows the outcome', async () => {
  const id = await world.ask()
  const response = await world.post(`/d/${id}/answer`, {
    value: 'yes',
    note: 'Go',
    from: 'decide_page',
  })
  expect([response.status, leadsOn(response, id)]).toEqual([303, true])
  expect(await stored(id)).toMatchObject({
    status: 'answered',
    value: 'yes',
    note: 'Go',
    answerSource: 'decide_page',
  })
  const page = await text(`/d/${id}`)
  expect(page).toContain("by you from the question's page")
  expect(page).toContain('The agent was told “yes”, with the note.')
})

test('the decide page answers from the inbox and the home page say so, and lead back there', async () => {
  for (const [from, path] of [
    ['inbox', '/inbox'],
    ['dashboard', '/'],
  ] as const) {
    const id = await world.ask()
    const response = await world.post(`/d/${id}/answer`, { value: 'no', from })
    expect(response.headers.get('location')).toStartWith(`${path}?showing=${id}`)
    expect((await stored(id)).answerSource).toBe(from)
    expect(await text(`${path}?showing=${id}`)).toContain(`id="card-${id}" class="card ended"`)
  }
})

test('a form cannot claim to be a phone or Slack', async () => {
  const id = await world.ask()
  await world.post(`/d/${id}/answer`, { value: 'no', from: 'slack' })
  expect((await stored(id)).answerSource).toBe('decide_page')
})

test('a yes to what looks destructive is asked for twice, a no is not', async () => {
  const detail = { action: 'git push --force origin main' }
  const id = await world.ask({ detail })
  const first = await world.post(`/d/${id}/answer`, { value: 'yes', note: 'careful' })
  const page = await first.text()
  expect(first.status).toBe(200)
  expect(page).toContain('name="sure" value="yes"')
  expect(page).toContain('name="note" value="careful"')
  expect((await stored(id)).status).toBe('pending')

  await world.post(`/d/${id}/answer`, { value: 'yes', note: 'careful', sure: 'yes' })
  expect(await stored(id)).toMatchObject({ status: 'answered', value: 'yes', note: 'careful' })

  const other = await world.ask({ detail })
  await world.post(`/d/${other}/answer`, { value: 'no' })
  expect((await stored(other)).value).toBe('no')
})

test('several choices and one of the own words arrive together', async () => {
  const choices = [{ label: 'Types' }, { label: 'Lint' }, { label: 'Tests' }]
  const detail = { multiSelect: true, allowOther: true }
  const id = await world.ask({ type: 'select', choices, detail })
  await world.post(`/d/${id}/answer`, [
    ['value', 'Types'],
    ['value', 'Tests'],
    ['other', 'Spelling'],
  ])
  expect((await stored(id)).value).toBe('Types, Tests, Spelling')
})

test('an answer that the question does not accept comes back with what was typed', async () => {
  const choices = [{ label: 'A' }, { label: 'B' }]
  const id = await world.ask({ type: 'select', choices })
  const response = await world.post(`/d/${id}/answer`, { value: 'C', note: 'my note' })
  const page = await response.text()
  expect(response.status).toBe(422)
  expect(page).toContain('role="alert"')
  expect(page).toContain('my note')
  expect((await stored(id)).status).toBe('pending')
})

test('who comes too late is told what won, and what is known of the agent', async () => {
  const waited = { detail: { waitsUntil: Date.now() } }
  for (const [changes, summary, sentence] of [
    [{}, 'the agent did not come back', 'had stopped waiting before, and did not come back'],
    [waited, 'the agent moved on', 'was told that nobody answered in time'],
  ] as const) {
    const id = await world.ask(changes, 11 * 60_000)
    const response = await world.post(`/d/${id}/answer`, { value: 'yes' })
    expect(response.headers.get('location')).toBe(`/d/${id}?late`)
    const page = await text(`/d/${id}?late`)
    for (const words of ['Too late: expired', summary, sentence]) expect(page).toContain(words)
  }
  const won = await world.ask()
  await world.post(`/d/${won}/answer`, { value: 'no' })
  await world.post(`/d/${won}/answer`, { value: 'yes' })
  expect(await text(`/d/${won}?late`)).toContain('that answer counts')
  const withdrawn = { status: 'cancelled', endedAt: Date.now() } as const
  expect(await text(`/d/${await world.ask(withdrawn)}?late`)).toContain('the agent moved on')
})

test('an answer that nobody waited for says so, until the agent has asked for it', async () => {
  const gone = 'had stopped waiting, and did not come back so far'
  for (const [changes, sentence] of [
    [{}, gone],
    [{ abandonedAt: Date.now() - 90_000 }, gone],
    [{ detail: { notWaited: true } }, 'has not asked for the answer so far'],
    [{ origin: 'notification' }, 'has not asked for the answer so far'],
    [{ callbackUrl: 'https://a.example/' }, 'is sent to the address that it named'],
    [{ detail: { waitsUntil: Date.now() + 60_000 } }, 'was told “yes”, with the note'],
    [{ detail: { collectedAt: Date.now() } }, 'was told “yes”, with the note'],
  ] as const) {
    const id = await world.ask(changes, 2 * 60_000)
    await world.post(`/d/${id}/answer`, { value: 'yes', note: 'Go' })
    const page = await text(`/d/${id}`)
    expect(page).toContain(sentence)
    if (sentence === gone) expect(page).not.toContain('was told “yes”')
  }
})

test('a second tap on the same answer is not too late', async () => {
  const id = await world.ask()
  await world.post(`/d/${id}/answer`, { value: 'yes' })
  const again = await world.post(`/d/${id}/answer`, { value: 'yes' })
  expect(leadsOn(again, id)).toBe(true)
})

test('a second tap on several answers, or on an answer of several lines, is no second answer', async () => {
  const several = { type: 'select' as const, ...SEVERAL }
  const chosen = [
    ['value', 'a, b'],
    ['value', 'c'],
    ['other', 'own words'],
  ]
  for (const [changes, answer] of [
    [several, chosen],
    [several, [['other', 'own words']]],
    [{ type: 'input' as const }, [['value', 'one\r\ntwo']]],
  ] as const) {
    const id = await world.ask(changes)
    const form = [...answer.map((field) => [...field]), ['from', 'decide_page']]
    for (let tap = 0; tap < 2; tap++) {
      expect(leadsOn(await world.post(`/d/${id}/answer`, form), id)).toBe(true)
    }
  }
})

test('every chosen option is marked afterwards', async () => {
  const id = await world.ask({ type: 'select', ...SEVERAL })
  await world.post(`/d/${id}/answer`, [
    ['value', 'a, b'],
    ['value', 'c'],
    ['from', 'decide_page'],
  ])
  const [, list = ''] = (await text(`/d/${id}`)).split('<ul class="were">')
  expect(list.match(/<li[^>]*>/g)?.slice(0, 3)).toEqual([
    '<li class="won">',
    '<li class="won">',
    '<li>',
  ])
})

test('"Stop the agent" ends the question as stopped', async () => {
  const id = await world.ask()
  await world.post(`/d/${id}/stop`, { from: 'decide_page' })
  expect((await stored(id)).status).toBe('stopped')
  expect(await text(`/d/${id}`)).toContain('The agent was told to stop')
})

test('a form of another site changes nothing', async () => {
  const id = await world.ask()
  const response = await world.post(
    `/d/${id}/answer`,
    { value: 'yes' },
    { origin: 'https://evil.example' },
  )
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('came from another site')
  expect((await stored(id)).status).toBe('pending')
})

test('a stranger is sent to sign in and back, and answers nothing', async () => {
  const id = await world.ask()
  const seen = await world.get(`/d/${id}`, '')
  expect(seen.headers.get('location')).toBe(`/sign-in?next=%2Fd%2F${id}`)
  const response = await world.post(`/d/${id}/answer`, { value: 'yes' }, { cookie: '' })
  expect(response.headers.get('location')).toBe(`/sign-in?next=%2Fd%2F${id}`)
  expect((await stored(id)).status).toBe('pending')
})

test('a question of another workspace looks like one that does not exist', async () => {
  const id = await world.ask({ workspaceId: 'ws_other', question: 'Secret of others' })
  const seen = await world.get(`/d/${id}`)
  expect(seen.status).toBe(404)
  expect(await seen.text()).not.toContain('Secret of others')
})
