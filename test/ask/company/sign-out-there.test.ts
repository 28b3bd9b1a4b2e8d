import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PASSWORD } from '../../support/auth-server.ts'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'

const OUT = '/sign-in/with/acme?out=yes'

let world: CompanyWorld
beforeAll(async () => {
  world = await companyWorld({ BECKON_OIDC_JOIN: 'on', BECKON_OIDC_DOMAINS: 'example.com' })
})
afterAll(() => world[Symbol.asyncDispose]())

const leadsTo = (response: Response) => response.headers.get('location') ?? ''

test('whoever signed in with the provider may sign out there as well, by a link of its own', async () => {
  const { browser } = await world.signIn()
  const out = await browser.post('/sign-out')
  expect(leadsTo(out)).toBe('/sign-in?left=acme')
  expect(await world.who(browser)).toBeNull()
  const page = await (await browser.get('/sign-in?left=acme')).text()
  expect(page).toContain(`href="${OUT}"`)
})

test('the link leads to where the provider ends sessions, and back', async () => {
  await using other = await companyWorld()
  const { issuer } = other.provider
  other.provider.knobs = { metadata: { end_session_endpoint: `${issuer}/end?realm=x` } }
  const to = new URL(leadsTo(await other.browser().get(OUT)))
  expect(to.href.split('?')[0]).toBe(`${issuer}/end`)
  expect(Object.fromEntries(to.searchParams)).toEqual({
    ...{ realm: 'x', client_id: 'beckon' },
    post_logout_redirect_uri: `${other.app.baseUrl}/sign-in`,
  })
})

test.each([undefined, 7, 'javascript:alert(1)', 'ftp://login.example.com/'])(
  'a provider that ends sessions at %p is left alone, and the page says so',
  async (end_session_endpoint) => {
    await using other = await companyWorld()
    other.provider.knobs = { metadata: { end_session_endpoint } }
    const response = await other.browser().get(OUT)
    expect([response.status, leadsTo(response)]).toEqual([200, ''])
    expect(await response.text()).toContain('Sign out there')
  },
)

test('nobody is offered to leave what they did not sign in with', async () => {
  const browser = world.browser()
  await browser.post('/sign-in', { email: 'mara@example.org', password: PASSWORD })
  expect(leadsTo(await browser.post('/sign-out'))).toBe('/sign-in')
  for (const path of ['/sign-in', '/sign-in?left=another', '/sign-in?left=']) {
    expect(await (await browser.get(path)).text()).not.toContain('out=yes')
  }
})

test('a link chooses the provider, also on the way to a page; an unknown one chooses nothing', async () => {
  const browser = world.browser()
  const straight = await browser.get('/sign-in?with=acme&next=%2Finbox')
  expect(leadsTo(straight)).toBe('/sign-in/with/acme?next=%2Finbox')
  expect((await browser.get('/sign-in?with=another')).status).toBe(200)
  const { browser: inside } = await world.signIn()
  expect(leadsTo(await inside.get('/sign-in?with=acme&next=%2Finbox'))).toBe('/inbox')
})
