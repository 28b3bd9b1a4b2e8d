import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { checkProvider } from '../../../src/ask/company/check-provider.ts'
import type { Provider } from '../../../src/ask/company/model/provider.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { beckon } from '../../support/beckon.ts'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'
import type { Knobs } from '../../support/oidc-provider.ts'

let world: CompanyWorld
beforeAll(async () => {
  world = await companyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.provider.knobs = {}
})

const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
const provider = (): Provider => ({
  ...{ id: 'acme', workspaceId: 'ws_1', name: 'Acme', issuer: world.provider.issuer },
  ...{ clientId: 'beckon', clientAuth: 'basic', secret: null, scopes: [], groupsClaim: '' },
  ...{ domains: [], requiredGroups: [], ownerGroups: [], groups: [], joins: false },
  ...{ links: false, hours: 12, isFixed: true },
})
const check = async (more: Partial<Provider> = {}, ahead = 0) => {
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const deps = { outside, clock, baseUrl: 'https://beckon.example.com' }
  const checks = await checkProvider(deps, { ...provider(), ...more })
  return checks.map(({ name, state }) => `${name}: ${state}`)
}

const ROWS: Array<[string, Knobs, Partial<Provider>, number, string[]]> = [
  ['all right', {}, {}, 0, []],
  [
    'the issuer differs',
    { metadata: { issuer: 'https://evil.example' } },
    {},
    0,
    ['Provider: fail'],
  ],
  ['an answer of 500', { status: 500 }, {}, 0, ['Provider: fail']],
  ['an answer of 404', { status: 404 }, {}, 0, ['Provider: fail']],
  ['nobody answers', {}, { issuer: 'http://127.0.0.1:1' }, 0, ['Provider: fail']],
  ['a private address', {}, { issuer: 'http://10.0.0.1' }, 0, ['Provider: fail']],
  ['no token endpoint', { metadata: { token_endpoint: undefined } }, {}, 0, ['Provider: fail']],
  [
    'no keys',
    { metadata: { jwks_uri: 'http://127.0.0.1:1/' } },
    {},
    0,
    ['Keys of the provider: fail'],
  ],
  ['a clock of yesterday', {}, {}, 86_400_000, ['Clock of the provider: fail']],
  [
    'plain PKCE',
    { metadata: { code_challenge_methods_supported: ['plain'] } },
    {},
    0,
    ['PKCE: warn'],
  ],
]

for (const [name, knobs, more, ahead, wrong] of ROWS) {
  test(`a provider is checked: ${name}`, async () => {
    world.provider.knobs = knobs
    const states = await check(more, ahead)
    expect(states.filter((one) => /: (fail|warn)$/.test(one))).toEqual(wrong)
    expect(states.at(-1)).toBe('Redirect address: ok')
  })
}

test('the doctor checks a provider by its name, and ends with a code', async () => {
  const { provider, dataFolder } = world
  const env = {
    ...{ BECKON_OIDC_ISSUER: provider.issuer, BECKON_OIDC_CLIENT_ID: 'beckon' },
    ...{ BECKON_OIDC_NAME: 'Acme', BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
  }
  const doctor = (name: string) =>
    beckon(['doctor', '--sign-in', name, '--json', '--data', dataFolder], { env })
  const fine = await doctor('acme')
  expect([fine.code, JSON.parse(fine.out).checks.length]).toEqual([0, 5])
  expect(fine.out).toContain('/sign-in/back/acme')
  provider.knobs = { metadata: { issuer: 'https://evil.example' } }
  expect((await doctor('acme')).code).toBe(2)
  expect(await doctor('other')).toMatchObject({ code: 2, err: expect.stringContaining('acme') })
})
