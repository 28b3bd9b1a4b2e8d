import { expect, setDefaultTimeout, test } from 'bun:test'
import { hashPassword } from '../../src/ask/accounts/model/person-rules.ts'
import { insertPerson, putPassword } from '../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { PASSWORD } from '../support/auth-server.ts'
import { CADDY, caddyBefore, type Fronted, nginxBefore } from '../support/proxies.ts'
import { cookieOf } from '../support/sign-in.ts'
import { type StartedApp, startedApp } from '../support/started-app.ts'
import { tempFolder } from '../support/temp-folder.ts'

setDefaultTimeout(60_000)

/** An owner and an agent of a server that believes its proxy. */
async function household({ app: { db } }: StartedApp) {
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  const ann = {
    id: 'ann',
    name: 'Ann',
    email: 'ann@example.org',
    workspaceId,
    role: 'owner',
  } as const
  const hash = await hashPassword(PASSWORD)
  await db.write(async (tx) => {
    await insertPerson(tx, ann, now)
    await putPassword(tx, { id: ann.id, personId: ann.id, hash }, now)
  })
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'a', test: false })
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

const FORM = {
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/x-www-form-urlencoded',
}
const SIGN_IN = new URLSearchParams({ email: 'ann@example.org', password: PASSWORD }).toString()

async function tryOut(before: (target: string, work: string) => Promise<Fronted>) {
  // The caller below is at another loopback address, and no proxy.
  await using house = await startedApp({ env: { BECKON_TRUST_PROXY: '127.0.0.1' } })
  using work = tempFolder()
  await using proxy = await before(house.app.url, work.path)
  const headers = await household(house)
  const questions = `${proxy.url}/api/v1/questions`
  const ask = async (question: string) => {
    const body = JSON.stringify({ question, wait: false })
    const response = await fetch(questions, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    return String((await response.json()).correlationId)
  }

  // From another address of this machine, with a forged one: the proxy's word is the last.
  const signedIn = Bun.spawn(
    [
      ...['curl', '-sS', '--interface', '127.0.0.2', '-D', '-', '-o', '/dev/null'],
      ...Object.entries({ ...FORM, 'x-forwarded-for': '203.0.113.7' }).flatMap(([name, value]) => [
        '-H',
        `${name}: ${value}`,
      ]),
      ...['-d', SIGN_IN, `${proxy.url}/sign-in`],
    ],
    { stderr: 'inherit' },
  )
  const head = await new Response(signedIn.stdout).text()
  await signedIn.exited
  expect(head).toMatch(/^HTTP\/1.1 303 /)
  const cookies = head.split('\r\n').flatMap((line) => /^set-cookie: (.*)/i.exec(line)?.[1] ?? [])
  const cookie = cookieOf(new Headers(cookies.map((one) => ['set-cookie', one])))
  const audit = await (await fetch(`${proxy.url}/api/v1/audit`, { headers: { cookie } })).text()
  expect(audit).toContain('127.0.0.2')
  expect(audit).not.toContain('203.0.113.7')

  // Events arrive while the stream stays open.
  const leaving = new AbortController()
  const events = await fetch(`${proxy.url}/api/v1/events`, {
    headers: { cookie },
    signal: leaving.signal,
  })
  const reader = (events.body as ReadableStream<Uint8Array>).getReader()
  const id = await ask('Through the proxy?')
  let heard = ''
  while (!heard.includes(id)) heard += new TextDecoder().decode((await reader.read()).value)
  expect(heard).toContain('question.opened')
  leaving.abort()

  // A held call comes back by itself, as pending.
  const held = await fetch(`${questions}/${id}?timeoutMs=1500`, { headers })
  expect([held.status, (await held.json()).timedOut]).toEqual([200, true])
  const metrics = await fetch(`${proxy.url}/metrics`, { headers })
  expect(metrics.status).toBe(403)
}

test('nginx as in docs/ops passes on events, waits and addresses', () => tryOut(nginxBefore))

// Continuous integration may be without it; what is installed is tried.
test.skipIf(!CADDY)('Caddy as in docs/ops passes on events, waits and addresses', () =>
  tryOut(caddyBefore),
)
