import { afterAll, beforeAll, expect, test } from 'bun:test'
import { topicAddress, topicOf } from '../../../src/ask/channels/ntfy/topic.ts'
import { listSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createLog } from '../../../src/platform/log.ts'
import { type NtfyServer, ntfyServer } from '../../support/ntfy-server.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { until } from '../../support/until.ts'

const SECRET = 'tk_v3ry5ecretv4lue'
const TOPIC = 'nobody-guesses-this-7f3a'

let world: PageWorld
let ntfy: NtfyServer
let agent: string
const lines: string[] = []
beforeAll(async () => {
  ntfy = await ntfyServer()
  const log = createLog({ format: 'json', level: 'debug', write: (line) => lines.push(line) })
  world = await pageWorld({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }, log })
  const { db, workspaceId } = world
  agent = (await createToken({ db, clock: systemClock }, { workspaceId, name: 'agent' })).token
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await ntfy[Symbol.asyncDispose]()
})

const devices = () => listSubscribers(world.db.read, world.workspaceId)
const add = (fields: Record<string, string>) => world.post('/settings/devices/topics', fields)

/** Asks as an agent; resolves with the result of the call. */
async function ask(body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json() as Promise<Record<string, unknown>>
}

const findPublished = (text: string) =>
  ntfy.published.find(({ message }) => message?.includes(text))
const buttonOf = (text: string, label: string) => {
  const { url = '' } = findPublished(text)?.actions?.find((action) => action.label === label) ?? {}
  return world.url + new URL(url).pathname
}

test('a topic is added on the page, with a token that is never shown again, and tested', async () => {
  ntfy.protect(TOPIC, `Bearer ${SECRET}`)
  const address = `${ntfy.origin}/${TOPIC}`
  const added = await add({ address, accessToken: SECRET, label: '', username: '', password: '' })
  const [device] = await devices()
  expect(added.status).toBe(303)
  expect(added.headers.get('location')).toBe(
    `/settings/devices?at=${device?.id}#device-${device?.id}`,
  )
  expect(device).toMatchObject({ kind: 'phone', transport: 'ntfy', endpoint: address })

  const tested = await world.post(`/settings/devices/${device?.id}/test`, {})
  const page = await tested.text()
  expect(page).toContain('The ntfy server at 127.0.0.1 took the message (200)')
  expect(ntfy.published).toMatchObject([{ title: 'This device is connected', topic: TOPIC }])

  const list = await (await world.get('/api/v1/subscribers')).text()
  for (const html of [page, list]) {
    expect(html).not.toContain(SECRET)
    expect(html).not.toContain(TOPIC)
  }
})

test('a name that nobody guesses is offered, another one each time, and is a topic', async () => {
  const offered = async () => {
    const page = await (await world.get('/settings/devices/add')).text()
    return /<code>(beckon-[^<]+)<\/code>/.exec(page)?.[1] ?? ''
  }
  const [first, second] = [await offered(), await offered()]
  expect(first).toMatch(/^beckon-[0-9a-z]{20}$/)
  expect(second).not.toBe(first)
  expect(topicOf(topicAddress(first))).toEqual({ server: 'https://ntfy.sh', topic: first })
})

test('a button on the phone answers the question once, and previews answer nothing', async () => {
  const text = 'Run the tests again?'
  const result = ask({ question: text, type: 'confirm' })
  await until(() => findPublished(text) !== undefined)
  for (const label of ['Yes', 'No', 'Look']) {
    for (const method of ['GET', 'HEAD']) await fetch(buttonOf(text, label), { method })
  }
  const tapped = await fetch(buttonOf(text, 'Yes'), { method: 'POST' })
  expect(tapped.status).toBe(200)
  expect(await result).toMatchObject({
    answered: true,
    value: 'yes',
    answerSource: 'mobile_background',
    delivery: { mobile: 1 },
  })
  expect((await fetch(buttonOf(text, 'Yes'), { method: 'POST' })).status).toBe(410)
  expect((await fetch(buttonOf(text, 'No'), { method: 'POST' })).status).toBe(410)
  const sequence = findPublished(text)?.sequence_id
  await until(() => ntfy.published.at(-1)?.title === 'Answered: yes')
  expect(ntfy.published.at(-1)).toMatchObject({ sequence_id: sequence as string, priority: 2 })
})

test('what looks hard to undo has no button that says yes', async () => {
  const text = 'Push over main?'
  const action = 'git push --force origin main'
  const result = ask({ question: text, type: 'confirm', action })
  await until(() => findPublished(text) !== undefined)
  expect(findPublished(text)?.actions?.map(({ label }) => label)).toEqual(['Look'])
  const link = buttonOf(text, 'Look')
  const once = await fetch(link, { method: 'POST', body: new URLSearchParams({ value: 'yes' }) })
  expect(await once.text()).toContain('Approve anyway')
  await fetch(link, { method: 'POST', body: new URLSearchParams({ value: 'no', note: 'never' }) })
  expect(await result).toMatchObject({ answered: true, value: 'no', note: 'never' })
})

test('a topic that refuses reaches nobody, and says why', async () => {
  ntfy.protect(TOPIC, 'Bearer another')
  const [device] = await devices()
  const tested = await world.post(`/settings/devices/${device?.id}/test`, {})
  expect(await tested.text()).toContain('does not let this server publish to the topic (403)')
  const result = await ask({ question: 'Anybody?', type: 'confirm' })
  expect(result).toMatchObject({ answered: false, noDevices: true })
  ntfy.protect(TOPIC, `Bearer ${SECRET}`)
})

test('what is wrong with the form is said beside it, and secrets are not given back', async () => {
  const good = `${ntfy.origin}/fine`
  const cases: Array<[Record<string, string>, string]> = [
    [{ address: '' }, 'The address'],
    [{ address: 'http://ntfy.example/topic' }, 'The address cannot be used'],
    [{ address: 'https://10.0.0.1/topic' }, 'The address cannot be used'],
    [{ address: 'https://ntfy.sh/' }, 'must be a server and a topic'],
    [{ address: 'https://ntfy.sh/a/b' }, 'must be a server and a topic'],
    [{ address: 'https://ntfy.sh/topic?auth=x' }, 'must be a server and a topic'],
    [{ address: 'https://me:pw@ntfy.sh/topic' }, 'The address'],
    [{ address: 'javascript:alert(1)' }, 'The address'],
    [{ address: good, accessToken: 'two words' }, 'The access token must be'],
    [{ address: good, accessToken: 'tk_x', username: 'me', password: 'hunter22' }, 'together'],
    [{ address: good, username: 'me' }, 'The password is required'],
    [{ address: good, password: 'hunter22' }, 'The user name is required'],
    [{ address: good, username: 'a:b', password: 'hunter22' }, 'colon'],
    [{ address: '"><script>x</script>' }, 'The address'],
  ]
  const before = (await devices()).length
  for (const [fields, words] of cases) {
    const response = await add(fields)
    const page = await response.text()
    expect([fields, response.status, page.includes(words)]).toEqual([fields, 422, true])
    for (const secret of ['hunter22', 'two words', '<script>x']) expect(page).not.toContain(secret)
  }
  expect(await devices()).toHaveLength(before)
})

test('a password goes as Basic, and adding a topic again keeps what is not said anew', async () => {
  const address = `${ntfy.origin}/with-password`
  await add({ address, username: 'mé', password: 'hunter22', label: 'Kitchen' })
  await add({ address })
  const device = (await devices()).find(({ endpoint }) => endpoint === address)
  const authorization = `Basic ${Buffer.from('mé:hunter22').toString('base64')}`
  expect(device).toMatchObject({ label: 'Kitchen', authorization })
  await world.post(`/settings/devices/${device?.id}/remove`, {})
})

test('over REST a topic is a phone without keys, and its address cannot be moved', async () => {
  const post = (path: string, body: object) =>
    fetch(world.url + path, {
      method: 'POST',
      headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const topic = { kind: 'phone', transport: 'ntfy', endpoint: `${ntfy.origin}/rest` }
  const response = await post('/api/v1/subscribers', { ...topic, accessToken: SECRET })
  const body = (await response.json()) as { id: string; deviceKey: string }
  expect(response.status).toBe(201)
  expect(JSON.stringify(body)).not.toContain(SECRET)
  const keys = { p256dh: 'x', auth: 'x' }
  const moved = { key: body.deviceKey, endpoint: 'https://evil.example/', keys }
  expect((await post(`/api/v1/subscribers/${body.id}/renew`, moved)).status).toBe(403)
  const browser = await post('/api/v1/subscribers', { ...topic, kind: 'browser' })
  expect([browser.status, (await browser.text()).includes('kind must be phone')]).toEqual([
    422,
    true,
  ])
  const bare = await post('/api/v1/subscribers', { ...topic, transport: 'webpush' })
  expect(await bare.text()).toContain('keys is required')
})

test('neither a secret nor a topic nor a link is ever in the log', async () => {
  await world.get('/a/some.thing.pAAAAAAAAAAAAAAAAAAAAAA')
  const log = lines.join('\n')
  expect(log).not.toBe('')
  for (const secret of [SECRET, TOPIC, 'hunter22', 'AAAAAAAAAAAA'])
    expect(log).not.toContain(secret)
  for (const { click } of ntfy.published) {
    const token = click?.split('/a/')[1]
    if (token) expect(log).not.toContain(token)
  }
})
