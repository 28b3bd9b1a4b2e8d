import { expect, test } from 'bun:test'
import { makeToken } from '../../../src/ask/accounts/model/agent.ts'
import { makePairingCode } from '../../../src/ask/accounts/model/pairing.ts'
import { deviceKey, quickKey } from '../../../src/ask/delivery/model/links.ts'
import { makeSecrets } from '../../../src/platform/db/secrets.ts'
import { RATES } from '../../../src/platform/http/limits.ts'
import { readAllRows } from '../../support/all-rows.ts'
import { onSqlite } from '../../support/on-sqlite.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const PROXIED = { env: { BECKON_TRUST_PROXY: 'loopback' } }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Ask = (world: PageWorld, n: number, headers: Record<string, string>) => Promise<Response>

const json = (path: string, body: (n: number) => unknown): Ask => {
  return (world, n, headers) =>
    fetch(world.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: world.url, ...headers },
      body: JSON.stringify(body(n)),
    })
}
const form = (path: (n: number) => string, body: (n: number) => Record<string, string>): Ask => {
  return (world, n, headers) =>
    fetch(world.url + path(n), {
      method: 'POST',
      redirect: 'manual',
      headers: { ...FORM, origin: world.url, ...headers },
      body: new URLSearchParams(body(n)).toString(),
    })
}
const get =
  (path: string, more: (n: number) => Record<string, string>): Ask =>
  (world, n, headers) =>
    fetch(world.url + path, { headers: { ...headers, ...more(n) } })

/** Everything that can be tried again and again, and how often from one address. */
const TRIED: Record<string, [often: number, ask: Ask]> = {
  'a password': [
    RATES.signIn.burst,
    form(
      () => '/sign-in',
      (n) => ({ email: `e${n}@x.org`, password: 'wrong' }),
    ),
  ],
  'a password over the API': [
    RATES.signIn.burst,
    json('/api/auth/sign-in/email', (n) => ({ email: `e${n}@x.org`, password: 'wrong' })),
  ],
  'a passkey': [
    RATES.signIn.burst,
    json('/api/auth/passkey/verify-authentication', (n) => ({ response: { id: `k${n}` } })),
  ],
  'a pairing code': [
    RATES.signIn.burst,
    form(
      (n) => `/pair/${String(n).padStart(26, '0')}`,
      () => ({}),
    ),
  ],
  'a set-up code': [
    RATES.signIn.burst,
    async (world, n, headers) => {
      // With a link that is open, since a dead one is refused before anything is counted.
      const fields = { code: world.setUpKey ?? '', name: '', email: `${n}`, password: 'short' }
      return form(
        () => '/setup',
        () => fields,
      )(world, n, headers)
    },
  ],
  'a token': [
    RATES.wrongToken.burst,
    get('/api/v1/agent', (n) => ({ authorization: `Bearer bk_${String(n).padStart(40, '0')}` })),
  ],
  'a challenge of a passkey': [
    RATES.challenge.burst,
    get('/api/auth/passkey/generate-authenticate-options', () => ({})),
  ],
}

/** The statuses; each refusal says when to come back. */
async function statusesOf(asks: Promise<Response>[]): Promise<number[]> {
  const responses = await Promise.all(asks)
  for (const response of responses) {
    const text = await response.text()
    if (response.status !== 429) continue
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(text).toMatch(/Try again in \d+ seconds?/)
  }
  return responses.map(({ status }) => status)
}

test.each(Object.entries(TRIED))(
  '%s is tried so often from one address, however it forges where it comes from',
  async (name, [often, ask]) => {
    await using world = await pageWorld({ ...PROXIED, owner: name !== 'a set-up code' })
    // A slow machine gives one or the other back meanwhile.
    const refusedFrom = async (addressOf: (n: number) => string, count = often + 3) => {
      const asks = Array.from({ length: count }, (_, n) =>
        ask(world, n, { 'x-forwarded-for': addressOf(n) }),
      )
      return (await statusesOf(asks)).filter((status) => status === 429).length
    }
    // What the proxy itself adds is the last; all before it is the caller's word.
    expect([1, 2, 3]).toContain(await refusedFrom((n) => `198.51.100.${n}, 203.0.113.7`))
    // One IPv6 network is one caller, whatever its addresses.
    expect([1, 2, 3]).toContain(await refusedFrom((n) => `2001:db8:1:2::${n + 1}`))
    // Somebody else is not kept out by either.
    expect(await refusedFrom(() => '203.0.113.8', 1)).toBe(0)
  },
)

test('without a proxy that is trusted, nobody says where they come from', async () => {
  await using world = await pageWorld()
  const [often, ask] = TRIED['a token'] ?? []
  const asks = Array.from({ length: (often ?? 0) + 3 }, (_, n) =>
    ask?.(world, n, { 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` }),
  )
  const statuses = await statusesOf(asks as Promise<Response>[])
  expect(statuses).toContain(429)
})

test('one person’s password is tried so often, from however many addresses', async () => {
  await using world = await pageWorld(PROXIED)
  const spelled = ['mara@example.org', 'MARA@example.org', ' mara@example.org ']
  const asks = Array.from({ length: RATES.account.burst + 4 }, (_, n) => {
    const fields = { email: spelled[n % spelled.length] ?? '', password: 'wrong' }
    const ask = form(
      () => '/sign-in',
      () => fields,
    )
    return ask(world, n, { 'x-forwarded-for': `203.0.113.${n}` })
  })
  const statuses = await statusesOf(asks)
  const tried = statuses.filter((status) => status === 401).length
  expect(tried).toBeGreaterThanOrEqual(RATES.account.burst)
  expect(statuses).toContain(429)
  // She herself is in by what she has already, and sees it.
  expect((await world.get('/inbox')).status).toBe(200)
})

test('who has an account is told to nobody: not by words, by status, by headers or by the limit', async () => {
  await using world = await pageWorld(PROXIED)
  const answers = async (email: string, from: string) => {
    const fields = { email, password: 'wrong horse' }
    const ways = [
      form(
        () => '/sign-in',
        () => fields,
      ),
      json('/api/auth/sign-in/email', () => fields),
    ]
    const tryOnce = async (n: number) => {
      const ask = ways[n % 2] as Ask
      const response = await ask(world, n, { 'x-forwarded-for': `${from}.${n}` })
      const text = (await response.text()).replaceAll(email, 'EMAIL')
      const names = [...response.headers.keys()].sort()
      const plain = text.replace(/data-now="\d+"|in \d+ seconds?/g, '')
      return JSON.stringify([n % 2, response.status, plain, names])
    }
    const { burst } = RATES.account
    const counted = await Promise.all(Array.from({ length: burst }, (_, n) => tryOnce(n)))
    const refused = await Promise.all([0, 1, 2, 3].map((n) => tryOnce(burst + n)))
    return [...new Set([...counted, ...refused])].sort()
  }
  const unknown = await answers('nobody@example.org', '198.51.100')
  expect(unknown).toHaveLength(4)
  expect(await answers('mara@example.org', '203.0.113')).toEqual(unknown)
})

onSqlite('a flood of wrong attempts leaves no more behind than its limit allows', async () => {
  await using world = await pageWorld(PROXIED)
  const before = readAllRows(world.dataFolder)
  for (const [often, ask] of Object.values(TRIED)) {
    const from = { 'x-forwarded-for': '203.0.113.9' }
    await statusesOf(Array.from({ length: often * 3 }, (_, n) => ask(world, n, from)))
  }
  const after = readAllRows(world.dataFolder)
  const grown = Object.entries(after).map(([name, rows]) => [
    name,
    rows.length - (before[name]?.length ?? 0),
  ])
  const [[name, rows] = [], ...others] = grown.filter(([, more]) => more !== 0)
  expect([name, others]).toEqual(['verifications', []])
  // Of three times as many.
  expect(rows).toBeLessThan(RATES.challenge.burst * 2)
})

test('nothing that opens something has less than 128 random bits', async () => {
  const alike = new Set<string>()
  const secrets = await makeSecrets()
  const samples: Record<string, [text: string, bitsEach: number]> = {
    'a token': [makeToken().token.slice('bk_'.length), 5],
    'a pairing code': [makePairingCode(), 5],
    'a key of a button': [quickKey(secrets.quickAnswerSecret, 'q_1', 'sub_1'), 6],
    'a key of a device': [deviceKey(secrets.quickAnswerSecret, 'sub_1'), 6],
    'what signs cookies': [secrets.authSecret, 6],
    'what signs links': [secrets.quickAnswerSecret, 6],
  }
  await using world = await pageWorld({ owner: false })
  samples['a set-up code'] = [world.setUpKey ?? '', 5]
  await using signedIn = await pageWorld()
  samples['a session'] = [signedIn.cookie.split('=')[1]?.split('.')[0] ?? '', 5]
  for (const [name, [text, bits]] of Object.entries(samples)) {
    expect([name, text.length * bits >= 128]).toEqual([name, true])
    alike.add(text)
  }
  expect(alike.size).toBe(Object.keys(samples).length)
})
