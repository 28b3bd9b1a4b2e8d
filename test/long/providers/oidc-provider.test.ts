import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import { createJar, form, type Jar } from './jar.ts'
import { type ProviderWorld, providerWorld } from './provider-world.ts'

// The provider that many clients are tested with; installed by hand in this folder.
const IS_INSTALLED = existsSync(join(import.meta.dir, 'node_modules/oidc-provider'))
const SECRET = 'a-secret,with:+%signs'

setDefaultTimeout(60_000)

const ACCOUNTS: Record<string, Record<string, unknown>> = {
  ana: {
    ...{ email: 'ana@example.com', email_verified: true, name: 'Ana' },
    groups: ['engineers', 'staff'],
  },
  bob: { email: 'bob@example.com', email_verified: true, name: 'Bob', groups: ['staff'] },
  unverified: { email: 'eve@example.com', email_verified: false, groups: ['engineers'] },
  text: { email: 'eve@example.com', email_verified: 'true', groups: ['engineers'] },
  elsewhere: { email: 'eve@other.example', email_verified: true, groups: ['engineers'] },
  owner: { email: 'mara@example.org', email_verified: true, groups: ['engineers'] },
  odd: { email: 'odd@example.com', email_verified: true, groups: 42 },
  nameless: { groups: ['engineers'] },
}

describe.skipIf(!IS_INSTALLED)('with bun install --frozen-lockfile in this folder', () => {
  let world: ProviderWorld
  let provider: Bun.Subprocess<'pipe', 'pipe', 'inherit'> | undefined
  const port = freePort()
  const issuer = `http://127.0.0.1:${port}`

  beforeAll(async () => {
    world = await providerWorld(issuer, SECRET)
    await rotate()
    await start()
  })
  afterAll(async () => {
    await stop()
    await world?.[Symbol.asyncDispose]()
  })

  let key: object
  /** A new key, and no older one any more. */
  async function rotate() {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = await exportJWK(privateKey)
    key = { ...jwk, kid: crypto.randomUUID(), use: 'sig', alg: 'RS256' }
  }
  async function start() {
    const { baseUrl } = world.app
    const settings = {
      ...{ port, clientId: 'beckon', secret: SECRET, key },
      ...{ redirect: `${baseUrl}/sign-in/back/acme`, logout: `${world.url}/sign-in/out/acme` },
      accounts: ACCOUNTS,
    }
    const run = join(import.meta.dir, 'oidc-provider-run.ts')
    provider = Bun.spawn([process.execPath, run, JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await provider.stdout.getReader().read()
  }
  async function stop() {
    provider?.kill()
    await provider?.exited
  }

  /** Presses the button, signs in as `account` there, and comes back. */
  async function signIn(account: string, jar: Jar = createJar()) {
    let page = await jar.follow(await world.begin(jar))
    for (let step = 0; step < 3 && page.url.startsWith(issuer); step++) {
      const html = await page.response.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1]
      if (!prompt) throw new Error(`${page.url}: ${html.slice(0, 500)}`)
      page = await jar.follow(page.url, form({ prompt, login: account, password: 'x' }, issuer))
    }
    return { jar, ...page }
  }
  const isIn = (jar: Jar) => world.isIn(jar)
  const people = () => world.people()
  const engineers = () => world.engineers()

  test('a colleague signs in, joins, and is in the groups that only userinfo has', async () => {
    const { jar } = await signIn('ana')
    expect(await isIn(jar)).toBe(true)
    expect([await people(), await engineers()]).toEqual([
      ['ana@example.com', 'mara@example.org'],
      1,
    ])
    expect(await isIn((await signIn('bob')).jar)).toBe(true)
    expect(await engineers()).toBe(1)
    // The same account is the same person.
    expect(await isIn((await signIn('ana')).jar)).toBe(true)
    expect((await people()).filter((one) => one.startsWith('ana'))).toHaveLength(1)
  })

  test.each(['unverified', 'text', 'elsewhere', 'owner', 'nameless', 'nobody'])(
    'somebody else stays out: %s',
    async (account) => {
      const before = await people()
      const { jar } = await signIn(account).catch(() => ({ jar: createJar() }))
      expect(await isIn(jar)).toBe(false)
      expect(await people()).toEqual(before)
    },
  )

  test('groups that cannot be read are not known, and put nobody anywhere', async () => {
    const before = await engineers()
    expect(await isIn((await signIn('odd')).jar)).toBe(true)
    expect(await engineers()).toBe(before)
  })

  test('groups that changed there are renewed at the next sign-in', async () => {
    await stop()
    ACCOUNTS.ana = { ...ACCOUNTS.ana, groups: ['staff'] }
    ACCOUNTS.bob = { ...ACCOUNTS.bob, groups: ['engineers'] }
    // Nobody waits for the hour in which keys are remembered.
    await rotate()
    await start()
    expect(await isIn((await signIn('ana')).jar)).toBe(true)
    expect(await engineers()).toBe(0)
    expect(await isIn((await signIn('bob')).jar)).toBe(true)
    expect(await engineers()).toBe(1)
  })

  test('a back-channel logout ends the sign-in, and no other', async () => {
    const [ana, bob] = [(await signIn('ana')).jar, (await signIn('bob')).jar]
    const ask = await ana.follow(`${issuer}/session/end`)
    const html = await ask.response.text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    await ana.fetch(`${issuer}/session/end/confirm`, form({ xsrf, logout: 'yes' }, issuer))
    await until(async () => !(await isIn(ana)))
    expect(await isIn(bob)).toBe(true)
    const rows = await world.db.read.select().from(audit)
    expect(rows.some(({ kind }) => kind === 'sign_in.failed')).toBe(true)
  })

  test('while it is down nobody new comes in, and it works again without a restart', async () => {
    await stop()
    const { jar } = await signIn('bob').catch(() => ({ jar: createJar() }))
    expect(await isIn(jar)).toBe(false)
    await start()
    expect(await isIn((await signIn('bob')).jar)).toBe(true)
  })
})
