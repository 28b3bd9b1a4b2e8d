import { expect, test } from 'bun:test'
import { addPerson } from '../../../../src/ask/people/people.ts'
import { findQuestion } from '../../../../src/ask/questions/model/store.ts'
import { createToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { PASSWORD } from '../../../support/auth-server.ts'
import { connect } from '../../../support/devices.ts'
import { pageWorld } from '../../../support/page-world.ts'
import { smtpServer } from '../../../support/smtp-server.ts'
import { until } from '../../../support/until.ts'

const MARA = 'mara@example.org'
const FORM = '/settings/devices/mailboxes'

/** The whole server with a mail server on this machine, which its owner allowed. */
async function mailWorld() {
  const mail = await smtpServer({ starttls: false })
  const world = await pageWorld({
    env: {
      BECKON_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      BECKON_SMTP_FROM: 'beckon@example.com',
      BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      // No other alarm stands.
      BECKON_VAPID_SUBJECT: 'mailto:ops@example.org',
    },
  })
  const { db, workspaceId, url } = world
  const { token } = await createToken({ db, clock: systemClock }, { workspaceId, name: 'agent' })
  const api = (path: string, headers: Record<string, string>, body: object) =>
    fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    ...world,
    mail,
    subscribe: (body: object) => api('/subscribers', { cookie: world.cookie, origin: url }, body),
    async ask(more: object = {}) {
      const question = { question: 'May I deploy?', type: 'confirm', wait: false, ...more }
      const response = await api('/questions', { authorization: `Bearer ${token}` }, question)
      return (await response.json()) as Record<string, unknown> & { correlationId: string }
    },
    read: (id: string) => findQuestion(db.read, workspaceId, id as QuestionId),
    answer: (id: string, value: string) =>
      api(`/questions/${id}/answer`, { cookie: world.cookie, origin: url }, { value }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await mail[Symbol.asyncDispose]()
    },
  }
}

/** The answer link of a mail, as a mail program shows it. */
function linkIn(raw = ''): string {
  return new URL(/\/a\/[\w.-]+/.exec(raw.replace(/=\r\n/g, ''))?.[0] ?? '', 'http://x').pathname
}

test('a mailbox is connected on the page, gets a question, and its link answers it', async () => {
  await using world = await mailWorld()
  const page = await (await world.get('/settings/devices/add')).text()
  expect(page).toContain(MARA)
  expect((await world.post(FORM, { address: MARA })).status).toBe(303)
  const { correlationId, ...result } = await world.ask()
  await until(() => world.mail.mails.length === 1)
  const [mail] = world.mail.mails
  expect(mail).toMatchObject({ from: 'beckon@example.com', to: MARA })
  // Neither a browser nor a phone, and yet somebody was told.
  expect(result).not.toHaveProperty('noDevices')
  expect(result.delivery).toMatchObject({ web: 0, mobile: 0 })

  const link = linkIn(mail?.raw)
  // What mail scanners and previews do.
  for (const method of ['GET', 'HEAD', 'GET', 'GET']) {
    const seen = await fetch(world.url + link, { method, headers: { 'user-agent': 'scanner' } })
    expect(seen.status).toBe(200)
  }
  expect(await world.read(correlationId)).toMatchObject({ status: 'pending' })
  const answered = await world.post(link, { value: 'yes' }, { cookie: '' })
  expect(answered.status).toBeLessThan(400)
  expect(await world.read(correlationId)).toMatchObject({
    status: 'answered',
    value: 'yes',
    answerSource: 'answer_link',
  })
})

test('how a question ended is told in the same thread', async () => {
  await using world = await mailWorld()
  await world.post(FORM, { address: MARA })
  const { correlationId } = await world.ask()
  await until(() => world.mail.mails.length === 1)
  expect((await world.answer(correlationId, 'no')).status).toBe(200)
  await until(() => world.mail.mails.length === 2)
  const idOf = (raw = '') => /^Message-ID:\s+(\S+)/im.exec(raw)?.[1]
  const [first, ended] = world.mail.mails
  expect(/^References:\s+(\S+)/im.exec(ended?.raw ?? '')?.[1]).toBe(idOf(first?.raw) as string)
  expect(ended?.raw).toContain('Answered: no')
})

test.each([
  ['answered', { value: 'yes' }],
  ['stopped', { stop: 'yes' }],
])(
  'a mailbox gets no second mail about a question that was %s through its link',
  async (status, form) => {
    await using world = await mailWorld()
    await world.post(FORM, { address: MARA })
    const { correlationId } = await world.ask()
    await until(() => world.mail.mails.length === 1)
    await world.post(linkIn(world.mail.mails[0]?.raw), form, { cookie: '' })
    expect(await world.read(correlationId)).toMatchObject({ status })
    await world.ask({ question: 'And the next one?' })
    await until(() => world.mail.mails.length > 1)
    // The outcome would have gone out before the next question.
    expect(world.mail.mails.map(({ raw }) => /^Subject: (.*)/m.exec(raw)?.[1])).toEqual([
      expect.stringContaining('asks'),
      expect.stringContaining('asks'),
    ])
  },
)

test('nobody connects the mailbox of somebody else, whatever the form or the call says', async () => {
  await using world = await mailWorld()
  const { db } = world
  await addPerson(
    { db, clock: systemClock },
    { email: 'ada@example.org', name: 'Ada', password: PASSWORD },
  )
  const base = { kind: 'chat', transport: 'email' }
  const wrong = [
    { ...base, endpoint: 'mailto:ada@example.org' },
    { ...base, endpoint: `mailto:${MARA},ada@example.org` },
    { ...base, endpoint: `mailto:${MARA}?bcc=ada@example.org` },
    { ...base, endpoint: `https://${MARA}/` },
    { ...base, kind: 'phone', endpoint: `mailto:${MARA}` },
  ]
  for (const input of wrong) {
    const refused = await world.subscribe(input)
    expect([input, refused.status]).toEqual([input, 422])
  }
  const page = await world.post(FORM, { address: 'ada@example.org' })
  expect(page.status).toBe(422)
  expect(await page.text()).toContain('must be the e-mail address of your own account')
  expect(
    (await world.subscribe({ ...base, endpoint: `MAILTO:${MARA.toUpperCase()}` })).status,
  ).toBe(201)
  expect((await world.subscribe({ ...base, endpoint: `mailto:${MARA}` })).status).toBe(201)
  const list = await (await world.get('/api/v1/subscribers')).json()
  expect((list as { subscribers: object[] }).subscribers).toMatchObject([
    { label: 'E-mail', ...base },
  ])
  expect(JSON.stringify(list)).not.toContain(MARA)
})

test('a refused sender raises an alarm, which ends with the next mail', async () => {
  await using world = await mailWorld()
  await world.post(FORM, { address: MARA })
  world.mail.behave({ MAIL: '553 5.7.1 not yours' })
  const tested = async () => {
    const list = (await (await world.get('/api/v1/subscribers')).json()) as {
      subscribers: Array<{ id: string }>
    }
    return (await world.post(`/settings/devices/${list.subscribers[0]?.id}/test`, {})).text()
  }
  expect(await tested()).toContain('BECKON_SMTP_FROM')
  expect(await (await world.get('/settings/devices')).text()).toContain('role="alert"')
  world.mail.behave({})
  expect(await tested()).toContain('The mail server took')
  expect(await (await world.get('/settings/devices')).text()).not.toContain('role="alert"')
})

test('without a mail server nothing is offered, and what was connected says why', async () => {
  await using world = await pageWorld()
  expect(await (await world.get('/settings/devices/add')).text()).not.toContain('Add e-mail')
  expect((await world.post(FORM, { address: MARA })).status).toBe(404)
  expect(await (await world.get('/openapi.json')).text()).not.toContain('mailto:ADDRESS')
  const { db, workspaceId } = world
  const mailbox = { transport: 'email', kind: 'chat', endpoint: `mailto:${MARA}` } as const
  const [device] = await connect(db, { workspaceId, ...mailbox, label: 'E-mail' })
  const page = await world.post(`/settings/devices/${device?.id}/test`, {})
  expect(await page.text()).toContain('BECKON_SMTP_URL')
  // A mailbox is no push service to look at.
  const health = JSON.stringify(await (await world.get('/api/v1/health')).json())
  expect(health).toContain('No device, so no service to reach.')
})
