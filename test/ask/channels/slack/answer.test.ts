import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { aDevice, connect } from '../../../support/devices.ts'
import { ADA, buttonIn, buttonsOf } from '../../../support/slack-server.ts'
import { type SlackWorld, slackWorld } from '../../../support/slack-world.ts'
import { until } from '../../../support/until.ts'

type Json = Record<string, unknown>

let it: SlackWorld
beforeAll(async () => {
  it = await slackWorld()
  await it.connect()
})
afterAll(() => it[Symbol.asyncDispose]())
afterEach(() => {
  it.slack.whispers.length = 0
})

const lastMessage = () => [...it.slack.messages.values()].at(-1)
const text = () => JSON.stringify(lastMessage()?.blocks)

test('an agent asks over MCP, a button is pressed in Slack, the agent has the answer', async () => {
  const { world, slack } = it
  const asking = it.call('ask_user', {
    question: 'Deploy the shop?',
    context: 'All tests are green.',
    action: 'npm run build',
    agentName: 'Claude Code - shop',
  })
  await until(() => text()?.includes('Deploy the shop?') ?? false)
  expect(buttonsOf(lastMessage()?.blocks ?? [])).toEqual([
    'Yes',
    'No',
    'Answer with a note…',
    'Look',
  ])
  for (const part of ['Claude Code - shop asks', 'All tests are green.', 'npm run build']) {
    expect(text()).toContain(part)
  }
  expect(buttonIn(lastMessage()?.blocks ?? [], 'Look')?.url).toStartWith(
    `${world.url.replace('127.0.0.1', 'localhost')}/d/q_`,
  )
  const pressed = await slack.press(world.url, 'Yes')
  expect([pressed.status, await pressed.text()]).toEqual([200, ''])
  const result = await asking
  expect(result).toMatchObject({
    status: 'answered',
    answered: true,
    value: 'yes',
    answerSource: 'slack',
    delivery: { web: 0, mobile: 0 },
  })
  expect(result).not.toHaveProperty('noDevices')
  await until(() => text().includes('Answered'))
  expect(text()).toContain('Answered “yes” by ada (U0ADA), from Slack.')
  expect(buttonsOf(lastMessage()?.blocks ?? [])).toEqual([])
  expect(slack.of('chat.update')).toHaveLength(1)
})

test('the audit trail and the decide page name who answered in Slack', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'Name me' })
  await slack.press(world.url, 'No')
  expect(await it.question(id)).toMatchObject({
    value: 'no',
    answerSource: 'slack',
    answeredBy: undefined,
    answeredAs: 'ada (U0ADA)',
  })
  expect(await (await world.get(`/d/${id}`)).text()).toContain('by ada (U0ADA)')
  const trail = await (await world.get('/api/v1/audit?kind=question.answered')).json()
  const { entries } = trail as { entries: Array<Record<string, string>> }
  const entry = entries.find(({ subjectId }) => subjectId === id)
  expect(entry).toMatchObject({ person: 'ada (U0ADA)', deviceId: expect.stringMatching(/^sub_/) })
  const receipt = (await (await world.get(`/api/v1/receipts/${id}`)).json()) as { payload: string }
  expect(JSON.parse(receipt.payload).decision.by).toEqual({
    ...{ kind: 'chat', name: 'ada (U0ADA)', id: entry?.deviceId, label: entry?.device },
  })
})

test('a chat channel alone keeps noDevices away, and the warning says who was told', async () => {
  const result = await it.call('ask_user', { question: 'Reached?', wait: false })
  expect(result).not.toHaveProperty('noDevices')
  const notification = await it.call('send_notification', {
    title: 'Build is red',
    body: 'Two tests fail.',
    context: { type: 'error', summary: 's' },
  })
  expect(notification).toMatchObject({
    sent: 0,
    delivery: { web: { recipients: 0 }, mobile: { recipients: 0 } },
  })
  expect(notification.warning).toBe('No phone or browser; only a chat or mailbox was told')
  expect(notification.hint).toContain('one chat or mailbox')
  expect(text()).toContain('Two tests fail.')
  expect(text()).toContain('Error')
  expect(buttonsOf(lastMessage()?.blocks ?? [])).toEqual(['Open'])
})

test('a notification has its picture and its link, and posts without the picture that Slack refuses', async () => {
  const { slack } = it
  const link = 'https://ci.example/1'
  const note = { title: 'Chart', body: 'b', url: link, imageUrl: 'https://x.example/i.png' }
  await it.call('send_notification', note)
  expect(text()).toContain('https://x.example/i.png')
  expect(buttonIn(lastMessage()?.blocks ?? [], 'Open')?.url).toMatch(/\/n\/n_\w+\/go$/)
  slack.behave('chat.postMessage', { error: 'invalid_blocks' }, { status: 500 })
  slack.calls.length = 0
  await it.call('send_notification', { ...note, title: 'Bare' })
  slack.behave('chat.postMessage')
  const [rich, bare] = slack.of('chat.postMessage').map(({ input }) => JSON.stringify(input))
  expect([rich?.includes('i.png'), bare?.includes('i.png')]).toEqual([true, false])
})

test('a question inside a notification is answered in Slack', async () => {
  const { world, slack } = it
  const result = await it.call('send_notification', {
    title: 'Done',
    body: 'The branch is ready.',
    context: {
      type: 'task_complete',
      askQuestion: { question: 'Merge it how?', type: 'select', options: ['Squash', 'Rebase'] },
    },
  })
  expect(text()).toContain('Merge it how?')
  await slack.press(world.url, 'Rebase')
  const waited = await it.call('wait_for_answer', { correlationId: result.linkedCorrelationId })
  expect(waited).toMatchObject({ status: 'answered', value: 'Rebase', answerSource: 'slack' })
})

test('typed text and a note come from a form; what is wrong with them is said in it', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'Which branch?', type: 'input', placeholder: 'main' })
  expect(buttonsOf(lastMessage()?.blocks ?? [])).toEqual(['Answer…', 'Look'])
  const before = slack.views.length
  expect((await slack.press(world.url, 'Answer…')).status).toBe(200)
  await until(() => slack.views.length > before)
  const empty = await slack.submit(world.url, { value: { field: { value: '  ' } } })
  const refused = (await empty.json()) as Json
  expect(refused).toMatchObject({ response_action: 'errors' })
  expect((refused.errors as Json).value).toContain('The answer is empty.')
  const note = { note: { field: { value: 'and hurry' } } }
  const response = await slack.submit(world.url, {
    value: { field: { value: 'release/2' } },
    ...note,
  })
  expect(await response.text()).toBe('')
  expect(await it.question(id)).toMatchObject({ value: 'release/2', note: 'and hurry' })
  await until(() => text().includes('Answered by ada'))
  expect(text()).not.toContain('release/2')
})

test('several options are ticked in a form, and one of them with an own one beside', async () => {
  const { world, slack } = it
  const options = [
    { label: 'Docs', description: 'all of them' },
    { label: 'Tests' },
    { label: 'Lint' },
  ]
  const question = { question: 'What first?', multiSelect: true, options, allowOther: true }
  const id = await it.ask({
    question: 'What first?',
    type: 'select',
    options: ['a', 'b'],
    questions: [question],
  })
  expect(buttonsOf(lastMessage()?.blocks ?? [])).toEqual(['Choose…', 'Look'])
  expect(text()).toContain('Docs: all of them')
  const before = slack.views.length
  await slack.press(world.url, 'Choose…')
  await until(() => slack.views.length > before)
  expect(JSON.stringify(slack.views.at(-1))).toContain('checkboxes')
  await slack.submit(world.url, {
    value: { field: { selected_options: [{ value: '0' }, { value: '2' }] } },
    other: { field: { value: 'Naming' } },
  })
  expect((await it.question(id))?.value).toBe('Docs, Lint, Naming')
})

test('a confirm with a note goes through the form', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'With a note?' })
  const before = slack.views.length
  await slack.press(world.url, 'Answer with a note…')
  await until(() => slack.views.length > before)
  await slack.submit(world.url, {
    value: { field: { selected_option: { value: 'no' } } },
    note: { field: { value: 'after lunch' } },
  })
  expect(await it.question(id)).toMatchObject({ value: 'no', note: 'after lunch' })
})

test('a press that names a device of another kind does nothing', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'From where?' })
  const button = buttonIn(lastMessage()?.blocks ?? [], 'Yes') as Json
  const [phone] = await connect(world.db, aDevice({ workspaceId: world.workspaceId }))
  const value = String(button.value).replace(/sub_[0-9a-z]+/, phone?.id ?? 'sub_none')
  const forged = { type: 'block_actions', user: ADA, actions: [{ ...button, value }] }
  expect((await slack.send(world.url, forged)).status).toBe(200)
  expect((await it.question(id))?.status).toBe('pending')
  await slack.press(world.url, 'Yes')
  expect((await it.question(id))?.value).toBe('yes')
})

test('of two people one wins; the other is told what won, and a second tap is silent', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'Race?' })
  const message = structuredClone(lastMessage())
  const button = buttonIn(message?.blocks ?? [], 'No')
  await slack.press(world.url, 'Yes')
  const late = {
    type: 'block_actions',
    user: { id: 'U0BOB', username: 'bob' },
    response_url: `${slack.apiUrl.replace('/api', '')}/respond/1`,
    actions: [button],
  }
  expect((await slack.send(world.url, late)).status).toBe(200)
  await until(() => slack.whispers.length > 0)
  expect(slack.whispers[0]).toMatchObject({ response_type: 'ephemeral', replace_original: false })
  expect(slack.whispers[0]?.text).toContain('Too late, nothing was changed. Answered “yes” by ada')
  expect((await it.question(id))?.value).toBe('yes')
  slack.whispers.length = 0
  const again = { ...late, user: ADA, actions: [buttonIn(message?.blocks ?? [], 'Yes')] }
  expect((await slack.send(world.url, again)).status).toBe(200)
  await Bun.sleep(50)
  expect(slack.whispers).toEqual([])
})

test('a form that is sent too late shows what won', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'Slow typist?', type: 'input' })
  const before = slack.views.length
  await slack.press(world.url, 'Answer…')
  await until(() => slack.views.length > before)
  await world.post(`/d/${id}/answer`, { value: 'mine', from: 'decide_page' })
  const response = await slack.submit(world.url, { value: { field: { value: 'his' } } })
  expect(JSON.stringify(await response.json())).toContain('Too late')
  expect((await it.question(id))?.value).toBe('mine')
  await until(() => text().includes("Mara Lindqvist, from the question's page"))
})

test('a question that is withdrawn loses its buttons', async () => {
  const id = await it.ask({ question: 'Still needed?' })
  await it.call('cancel_question', { correlationId: id, reason: 'solved' })
  await until(() => text().includes('Withdrawn by the agent: solved'))
  expect(buttonsOf(lastMessage()?.blocks ?? [])).toEqual([])
})

test('a channel that was removed answers no more', async () => {
  const { world, slack } = it
  const other = await it.connect('C0OTHER')
  const id = await it.ask({ question: 'From where?', subscriberIds: [other] })
  await world.post(`/settings/devices/${other}/remove`, {})
  await slack.press(world.url, 'Yes')
  await until(() => slack.whispers.length > 0)
  expect(slack.whispers[0]?.text).toContain('no longer connected')
  expect((await it.question(id))?.status).toBe('pending')
})

test('when the form cannot be opened, the way to the page is said', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'No form?', type: 'input' })
  slack.behave('views.open', { error: 'expired_trigger_id' })
  await slack.press(world.url, 'Answer…')
  await until(() => slack.whispers.length > 0)
  slack.behave('views.open')
  expect(slack.whispers[0]?.text).toContain(`/d/${id}`)
})

test('Slack is answered before its own answer comes, whatever it does with the form', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'Hanging?', type: 'input' })
  slack.behave('views.open', 'hang')
  expect((await slack.press(world.url, 'Answer…')).status).toBe(200)
  slack.behave('views.open')
  expect((await it.question(id))?.status).toBe('pending')
})

test('of twenty presses at once one answers', async () => {
  const { world, slack } = it
  const id = await it.ask({ question: 'Crowd?' })
  const blocks = structuredClone(lastMessage()?.blocks ?? [])
  const presses = Array.from({ length: 20 }, (_, i) => ({
    type: 'block_actions',
    user: { id: `U${i}`, username: `u${i}` },
    response_url: `${slack.apiUrl.replace('/api', '')}/respond/${i}`,
    actions: [buttonIn(blocks, i % 2 === 0 ? 'Yes' : 'No')],
  }))
  const answers = await Promise.all(presses.map((press) => slack.send(world.url, press)))
  expect(answers.map(({ status }) => status)).toEqual(presses.map(() => 200))
  await until(() => slack.whispers.length === 19)
  expect(slack.whispers.every(({ text }) => String(text).includes('Too late'))).toBe(true)
  expect((await it.question(id))?.answeredAs).toMatch(/^u\d+ \(U\d+\)$/)
})
