import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Check } from '../../../src/ask/check.ts'
import { ownHttpsChecks } from '../../../src/ask/health/https-checks.ts'
import { certificateFiles, validityOf } from '../../../src/platform/https/certificate-files.ts'
import { readConfig } from '../../../src/settings.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { selfSigned } from '../../support/pebble.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NAME = 'beckon.invalid'
const DAY = 24 * 3_600_000

const addressesOf = async () => ({ addresses: ['192.0.2.7'], isAllowed: false, ca: undefined })

/** A data folder with a certificate of 30 days, as the checks see it. */
function aWorld() {
  const folder = tempFolder()
  const config = readConfig({ data: folder.path }, { BECKON_DOMAIN: NAME })
  const { directory } = config.https ?? { directory: '' }
  const { key, cert } = selfSigned(folder.path, NAME)
  const chain = readFileSync(cert, 'utf8')
  const { from, until } = validityOf(chain)
  const files = certificateFiles(folder.path)
  const names = [NAME]
  return {
    ...{ config, from, until },
    keep: () =>
      files.write('certificate', {
        ...{ directory, names, key: readFileSync(key, 'utf8'), chain, obtainedAt: from },
      }),
    fail: (reason: string) =>
      files.write('attempts', {
        ...{ directory, names, count: 3, notBefore: from + DAY, decidedAt: from, reason },
      }),
    async check(now: number, name = 'Certificate'): Promise<Check | undefined> {
      const checks = await ownHttpsChecks({ config, clock: fakeClock(now), addressesOf })
      return checks.find((check) => check.name.startsWith(name))
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

test('the certificate: none, why not, good, not renewed, ended', async () => {
  using world = aWorld()
  expect(await world.check(world.from)).toMatchObject({ state: 'fail' })
  world.fail('beckon.invalid was not validated: connection refused\u001b[31m')
  const none = await world.check(world.from)
  expect(none?.said).not.toMatch(/\p{Cc}/u)
  expect(none?.said).toContain('was not validated')
  world.keep()
  expect(await world.check(world.from)).toMatchObject({
    ...{ state: 'warn', said: expect.stringContaining('was not renewed') },
  })
  expect(await world.check(world.until + DAY)).toMatchObject({
    ...{ state: 'fail', said: expect.stringContaining('It ended at') },
  })
})

test('a good certificate says when it is renewed', async () => {
  using world = aWorld()
  world.keep()
  const renewed = new Date(world.from + (world.until - world.from) * (2 / 3)).toISOString()
  expect(await world.check(world.from + DAY)).toMatchObject({
    ...{ state: 'ok', said: expect.stringContaining(renewed.slice(0, 10)) },
  })
})

test('each name: no address, a private one, a public one; and what is at its port 80', async () => {
  using world = aWorld()
  const { config } = world
  const clock = fakeClock(world.from)
  const states = async (addressesOf: () => Promise<never>) => {
    const checks = await ownHttpsChecks({ config, clock, addressesOf })
    return checks.slice(1).map(({ name, state }) => [name, state])
  }
  const gone = () => Promise.reject(new Error('NXDOMAIN'))
  expect(await states(gone)).toEqual([[`Name ${NAME}`, 'fail']])
  const blocked = async () => ({ blocked: 'private' }) as never
  expect((await states(blocked))[0]).toEqual([`Name ${NAME}`, 'warn'])
  expect(await world.check(world.from, `Name ${NAME}`)).toMatchObject({ state: 'ok' })
  expect(await world.check(world.from, 'Port 80')).toMatchObject({ state: 'warn' })
})

test('a server without a name of its own has no such checks', async () => {
  using folder = tempFolder()
  const config = readConfig({ data: folder.path }, {})
  expect(await ownHttpsChecks({ config, clock: fakeClock(), addressesOf })).toEqual([])
})
