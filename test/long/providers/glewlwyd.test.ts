import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { until } from '../../support/until.ts'
import {
  GLEWLWYD_IS_INSTALLED,
  type Glewlwyd,
  type GlewlwydUser,
  startGlewlwyd,
} from './glewlwyd.ts'
import { createJar, type Jar } from './jar.ts'
import { type ProviderWorld, providerWorld } from './provider-world.ts'

const SECRET = 'OnlyLettersAndDigits1'
const HOUR_MS = 3_600_000

setDefaultTimeout(60_000)

const user = (username: string, more: Partial<GlewlwydUser> = {}): GlewlwydUser => ({
  ...{ username, name: username, email: `${username}@example.com`, groups: ['staff'] },
  ...{ verified: 'yes', ...more },
})
const ANA = user('ana', { groups: ['engineers', 'staff'] })
const STRANGERS: GlewlwydUser[] = [
  user('unverified', { verified: 'no' }),
  { username: 'silent', name: 'Silent', email: 'silent@example.com', groups: ['staff'] },
  user('elsewhere', { email: 'eve@other.example' }),
  user('owner', { email: 'mara@example.org', groups: ['engineers'] }),
]

describe.skipIf(!GLEWLWYD_IS_INSTALLED)('after apt-get install glewlwyd', () => {
  let glewlwyd: Glewlwyd
  let world: ProviderWorld

  beforeAll(async () => {
    glewlwyd = await startGlewlwyd()
    world = await providerWorld(glewlwyd.issuer, SECRET)
    await addClient('beckon', 'acme', 'basic')
    for (const one of [ANA, user('bob'), user('gus'), ...STRANGERS]) {
      await glewlwyd.addUser(one)
    }
  })
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]()
    await glewlwyd?.[Symbol.asyncDispose]()
  })

  const addClient = (id: string, provider: string, auth: 'basic' | 'post', secret = SECRET) =>
    glewlwyd.addClient({
      ...{ id, secret, auth: `client_secret_${auth}` },
      redirect: `${world.app.baseUrl}/sign-in/back/${provider}`,
      logout: `${world.url}/sign-in/out/${provider}`,
    })

  /** Presses the button, signs in as `username` there, and comes back. */
  async function signIn(
    username: string,
    jar: Jar = createJar(),
    provider = 'acme',
    at: ProviderWorld = world,
  ) {
    const address = await at.begin(jar, provider)
    const client = new URL(address).searchParams.get('client_id') ?? ''
    await glewlwyd.signIn(jar, username, client)
    return { jar, ...(await jar.follow(`${address}&g_continue`)) }
  }
  const isIn = async (username: string) => await world.isIn((await signIn(username)).jar)

  test('a colleague signs in, joins, and is in the groups of the id token', async () => {
    expect(await isIn('ana')).toBe(true)
    expect([await world.people(), await world.engineers()]).toEqual([
      ['ana@example.com', 'mara@example.org'],
      1,
    ])
    expect(await isIn('bob')).toBe(true)
    expect(await world.engineers()).toBe(1)
    expect(await isIn('ana')).toBe(true)
    expect((await world.people()).filter((one) => one.startsWith('ana'))).toHaveLength(1)
  })

  test('it refuses a sign-in without a nonce, and each of ours has one', async () => {
    const jar = createJar()
    const address = new URL(await world.begin(jar))
    expect(address.searchParams.get('nonce')?.length).toBeGreaterThan(20)
    await glewlwyd.signIn(jar, 'ana', 'beckon')
    address.searchParams.delete('nonce')
    const answer = await jar.fetch(`${address.href}&g_continue`)
    expect(answer.headers.get('location')).toContain('nonce+required')
  })

  test.each(STRANGERS.map(({ username }) => username))(
    'somebody else stays out: %s',
    async (who) => {
      const before = await world.people()
      expect(await isIn(who)).toBe(false)
      expect(await world.people()).toEqual(before)
    },
  )

  let clients = 0
  const SPECIAL = 'a-secret,with:+%signs'
  test.each([
    ['post', 'post', SECRET, true],
    ['post', 'post', SPECIAL, true],
    ['basic', 'post', SECRET, false],
    ['post', 'basic', SECRET, false],
    // It compares the secret as it came, although RFC 6749, 2.3.1 has it encoded.
    ['basic', 'basic', SPECIAL, false],
  ] as const)(
    'a client for %s that proves itself by %s with %s is signed in: %p',
    async (there, here, secret, fits) => {
      const name = `client-${++clients}`
      await addClient(name, name, there, secret)
      await glewlwyd.addUser(user(name))
      const settings = {
        ...{ name, issuer: glewlwyd.issuer, clientId: name, clientSecret: secret, hours: '8' },
        ...{ clientAuth: here, domains: 'example.com', joins: 'yes', groupsClaim: 'groups' },
      }
      expect((await world.post('/settings/sign-in/new', settings)).status).toBe(303)
      const { response } = await signIn(name, createJar(), name)
      expect(response.status).toBe(fits ? 200 : 403)
      if (!fits) expect(await response.text()).toContain('client authentication')
      expect((await world.post(`/settings/sign-in/providers/${name}/remove`, {})).status).toBe(303)
    },
  )

  test('groups that changed there are renewed at the next sign-in', async () => {
    await glewlwyd.changeUser({ ...ANA, groups: ['staff'] })
    await glewlwyd.changeUser(user('bob', { groups: ['engineers'] }))
    expect([await isIn('ana'), await world.engineers()]).toEqual([true, 0])
    expect([await isIn('bob'), await world.engineers()]).toEqual([true, 1])
  })

  test('it leaves the claim out for whoever is in no group, so that the last group stays here', async () => {
    await glewlwyd.changeUser(user('bob', { groups: [] }))
    expect([await isIn('bob'), await world.engineers()]).toEqual([true, 1])
    await glewlwyd.changeUser(user('bob'))
    expect([await isIn('bob'), await world.engineers()]).toEqual([true, 0])
  })

  test('keys that are rotated, the old one gone at once, sign the next one in', async () => {
    await glewlwyd.rotate()
    expect(await isIn('ana')).toBe(true)
  })

  test('it says of nobody when they signed in, so that a sign-in proves no fresh one', async () => {
    const { jar } = await signIn('ana')
    const back = async () => {
      const address = await world.begin(jar, 'acme?again=yes')
      await glewlwyd.signIn(jar, 'ana', 'beckon')
      return await jar.follow(`${address}&g_continue`)
    }
    let page = await back()
    // It asks once more if this took longer than a second.
    for (let n = 0; n < 5 && page.url.startsWith(glewlwyd.issuer); n++) page = await back()
    const { response } = page
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('does not say when you signed in')
    expect(await world.isIn(jar)).toBe(true)
  })

  test('whoever is switched off there is in until the hours are over, and again with a page that was open there', async () => {
    await glewlwyd.changeUser(user('gus'))
    const { jar } = await signIn('gus')
    await glewlwyd.changeUser({ ...user('gus'), enabled: false })
    await expect(signIn('gus')).rejects.toThrow('401')
    expect(await world.isIn(jar)).toBe(true)
    await world.age(1)
    expect(await world.isIn(jar)).toBe(false)
    // Its own session goes on, so only a directory or an owner here ends this.
    await jar.follow(`${await world.begin(jar)}&g_continue`)
    expect(await world.isIn(jar)).toBe(true)
  })

  test('it answers prompt=none only to whoever kept an id token', async () => {
    const { jar } = await signIn('ana')
    const address = `${await world.begin(jar)}&prompt=none`
    const answer = await jar.fetch(address)
    expect(answer.headers.get('location')).toContain('id_token+mandatory')
  })

  test('a back-channel logout ends the sign-in, and no other', async () => {
    const [ana, bob] = [(await signIn('ana')).jar, (await signIn('bob')).jar]
    await glewlwyd.signOut(ana)
    await until(async () => !(await world.isIn(ana)))
    expect(await world.isIn(bob)).toBe(true)
    const rows = await world.db.read.select().from(audit)
    expect(rows.some(({ kind }) => kind === 'sign_in.ended')).toBe(true)
  })

  test('while it is down nobody new comes in, whoever is in stays, and it works again without a restart', async () => {
    // Nobody has asked yet whether it can be reached: that is remembered for a minute.
    await using other = await providerWorld(glewlwyd.issuer, SECRET, {
      BECKON_OIDC_CLIENT_ID: 'other',
    })
    await glewlwyd.addClient({
      ...{ id: 'other', secret: SECRET, auth: 'client_secret_basic' },
      redirect: `${other.app.baseUrl}/sign-in/back/acme`,
      logout: `${other.url}/sign-in/out/acme`,
    })
    const { jar } = await signIn('ana', createJar(), 'acme', other)
    await glewlwyd.down()
    try {
      await expect(signIn('bob', createJar(), 'acme', other)).rejects.toThrow()
      await other.age(HOUR_MS)
      expect(await other.isIn(jar)).toBe(true)
      await other.age(25 * HOUR_MS)
      expect(await other.isIn(jar)).toBe(false)
    } finally {
      await glewlwyd.up()
    }
    expect(await other.isIn((await signIn('bob', createJar(), 'acme', other)).jar)).toBe(true)
  })
})
