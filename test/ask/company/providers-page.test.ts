import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'

let world: CompanyWorld
beforeAll(async () => {
  world = await companyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const form = (changes: Record<string, string> = {}) => ({
  ...{ name: 'Second GmbH', issuer: world.provider.issuer, clientId: 'beckon', hours: '8' },
  ...{ clientSecret: world.provider.secret, clientAuth: 'post', domains: 'example.com' },
  ...{ joins: 'yes', ...changes },
})

test('an owner sets up a provider, changes it without its secret, and removes it', async () => {
  const response = await world.post('/settings/sign-in/new', form())
  expect(response.headers.get('location')).toBe('/settings/sign-in/providers/second-gmbh?check=yes')
  const { browser } = await world.signIn(undefined, '/sign-in/with/second-gmbh')
  expect(await world.who(browser)).toBe('Ana')
  const page = await (await world.get('/settings/sign-in/providers/second-gmbh')).text()
  expect(page).toContain('/sign-in/back/second-gmbh')
  expect(page).toContain('ana@example.com')
  expect(page).not.toContain(world.provider.secret)
  const path = '/settings/sign-in/providers/second-gmbh'
  expect((await world.post(path, form({ clientSecret: '', hours: '9' }))).status).toBe(303)
  expect(
    await world.who((await world.signIn(undefined, '/sign-in/with/second-gmbh')).browser),
  ).toBe('Ana')
  expect((await world.post(`${path}/remove`, {})).status).toBe(303)
  expect(await world.who(browser)).toBeNull()
  expect((await world.get(path)).status).toBe(404)
})

test.each([
  ['issuer', { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }],
  ['issuer', { issuer: 'example.com' }],
  ['domains', { domains: 'not a domain' }],
  ['joins', { domains: '' }],
  ['groupsClaim', { requiredGroups: 'staff' }],
  ['hours', { hours: '0' }],
  ['clientSecret', { clientSecret: '' }],
  ['name', { name: '…' }],
])('a wrong %s is named, and nothing is saved', async (field, changes) => {
  const response = await world.post('/settings/sign-in/new', form(changes))
  expect(response.status).toBe(422)
  expect(await response.text()).toContain(`href="#${field}"`)
})

test('a provider is checked once it is set up: its page says what does not work, and what to do', async () => {
  const saved = await world.post('/settings/sign-in/new', form({ name: 'Checked' }))
  const path = saved.headers.get('location') ?? ''
  const page = async () => await (await world.get(path)).text()
  expect(await page()).toContain('One key signs')
  world.provider.knobs = { status: 500 }
  expect(await page()).toContain('class="bad"')
  world.provider.knobs = {}
  const own = '/settings/sign-in/providers/checked'
  await world.post(own, form({ name: 'Checked', issuer: 'http://10.0.0.1' }))
  expect(await page()).toContain('allow_private_hosts')
  // Without being asked to, the page sends nothing.
  expect(await (await world.get(own)).text()).not.toContain('10.0.0.1;')
  await world.post(`${own}/remove`, {})
})

test('a provider of the environment is shown and not changed', async () => {
  const path = '/settings/sign-in/providers/acme'
  expect(await (await world.get(path)).text()).toContain('environment')
  expect((await world.post(path, form())).status).toBe(409)
  expect((await world.post(`${path}/remove`, {})).status).toBe(409)
  expect((await world.post('/settings/sign-in/new', form({ name: 'Acme' }))).status).toBe(409)
})

test('whoever signs in with one account alone cannot disconnect it, and an owner can', async () => {
  await world.post('/settings/sign-in/new', form({ name: 'Third' }))
  const somebody = { sub: 'sub-3', email: 'cleo@example.com', name: 'Cleo' }
  world.provider.knobs = { idToken: somebody, userInfo: null }
  const { browser } = await world.signIn(undefined, '/sign-in/with/third')
  const page = await (await browser.get('/settings/sign-in')).text()
  const person = /name="person" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const path = '/settings/sign-in/providers/third/disconnect'
  expect((await browser.post(path, { person })).status).toBe(409)
  expect((await world.post(path, { person })).status).toBe(303)
  expect(await world.who(browser)).toBeNull()
})
