import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { validityOf } from '../../../src/platform/https/certificate-files.ts'
import { freePorts } from '../../support/free-port.ts'
import { PEBBLE, type Pebble, startPebble } from '../../support/pebble.ts'
import { CAN_MOUNT, smallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'
import { keeperWorld, NAMES } from './keeper-world.ts'

setDefaultTimeout(60_000)

const DAY = 24 * 3_600_000

describe.skipIf(!PEBBLE)('at an authority (Debian package pebble)', () => {
  let pebble: Pebble
  beforeAll(async () => {
    pebble = await startPebble({ PEBBLE_AUTHZREUSE: '0' })
  })
  afterAll(() => pebble?.[Symbol.asyncDispose]())

  test('a first certificate is got, covers each name, and is its owner’s alone', async () => {
    const domains = ['one.example.com', 'two.example.com']
    await using world = keeperWorld(pebble, { domains })
    const keeper = world.start()
    expect(keeper.problem()).toContain('There is no certificate for one.example.com, two')
    await until(() => world.files.read('certificate') !== undefined)
    expect(keeper.problem()).toBeUndefined()
    const certificate = new X509Certificate(world.used[0]?.chain ?? '')
    for (const name of domains) expect(certificate.checkHost(name)).toBe(name)
    for (const kind of ['account', 'certificate', 'attempts'] as const) {
      expect(statSync(world.files.path(kind)).mode & 0o777).toBe(0o600)
    }
    expect(statSync(`${world.folder}/https`).mode & 0o777).toBe(0o700)
  })

  test('a restart serves with it at once and asks for nothing', async () => {
    await using world = keeperWorld(pebble)
    await using first = world.start()
    await until(() => world.files.read('certificate') !== undefined)
    await first[Symbol.asyncDispose]()
    world.start()
    expect(world.used).toHaveLength(2)
    await until(world.isIdle)
    expect(world.orders()).toBe(1)
  })

  test('a certificate is renewed after two thirds of its life, not before, with the same account', async () => {
    await using world = keeperWorld(pebble)
    world.start()
    await until(() => world.files.read('certificate') !== undefined)
    const { from, until: end } = validityOf(world.used[0]?.chain ?? '')
    const account = world.files.read('account')
    const [orders, third] = [world.orders(), (end - from) / 3]
    world.clock.set(2 * third - 2 * DAY)
    await until(world.isIdle)
    expect(world.orders()).toBe(orders)
    world.clock.set(2 * third + DAY)
    await until(() => world.used.length === 2)
    expect(world.orders()).toBe(orders + 1)
    expect(world.files.read('account')).toEqual(account)
    expect(world.used[1]?.key).not.toBe(world.used[0]?.key)
  })

  test('a clock that is years ahead asks once, and says that it is wrong', async () => {
    await using world = keeperWorld(pebble)
    world.clock.set(3_650 * DAY)
    const orderCount = world.orders()
    world.start()
    await until(() => world.lines.join().includes("this machine's clock is wrong"))
    world.clock.set(3_650 * DAY + 7_200_000)
    await until(world.isIdle)
    expect(world.orders()).toBe(orderCount + 1)
  })

  test('a challenge that is refused is said, and tried again only after the pause', async () => {
    // Nobody answers where the authority looks.
    const [elsewhere = 0] = freePorts(1)
    await using world = keeperWorld(pebble, { port: elsewhere })
    const keeper = world.start()
    await until(() => keeper.problem()?.includes('The next try is at') ?? false)
    expect(keeper.problem()).toContain('beckon.example.com was not validated')
    expect(world.files.read('attempts')?.count).toBe(1)
    expect(world.files.read('attempts')?.order).toBeUndefined()
    const orderCount = world.orders()
    await keeper[Symbol.asyncDispose]()
    // A crash loop: each start reads that it may not yet.
    for (let n = 0; n < 5; n++) await world.start()[Symbol.asyncDispose]()
    world.start()
    await until(world.isIdle)
    expect(world.orders()).toBe(orderCount)
    world.clock.set(3 * 60_000)
    await until(() => world.orders() === orderCount + 1)
  })

  test('other names in the settings are asked for at once, and the old certificate is served meanwhile', async () => {
    await using world = keeperWorld(pebble)
    await using first = world.start()
    await until(() => world.files.read('certificate') !== undefined)
    await first[Symbol.asyncDispose]()
    const names = { ...world.files.read('certificate'), names: ['old.example.com'] }
    world.files.write('certificate', names as never)
    world.start()
    expect(world.used).toHaveLength(2)
    await until(() => world.used.length === 3)
    expect(world.files.read('certificate')?.names).toEqual(NAMES)
  })

  test('files that were cut or edited count as missing', async () => {
    await using world = keeperWorld(pebble)
    await using first = world.start()
    await until(() => world.files.read('certificate') !== undefined)
    await first[Symbol.asyncDispose]()
    const whole = await Bun.file(world.files.path('certificate')).text()
    for (const text of ['', '{', 'null', '[]', whole.slice(0, 500), whole.replaceAll('A', 'B')]) {
      writeFileSync(world.files.path('certificate'), text)
      expect(world.files.read('certificate')).toBeUndefined()
    }
    for (const text of ['', '{}', 'null', '{"directory":"x","key":null}']) {
      writeFileSync(world.files.path('account'), text)
      writeFileSync(world.files.path('attempts'), text)
    }
    world.start()
    await until(() => world.files.read('certificate') !== undefined)
  })

  test('cut off at any request or write, the next start ends with a certificate and one order more at most', async () => {
    const whole = await steps(Number.POSITIVE_INFINITY)
    expect(whole.reached).toBeGreaterThan(8)
    for (let cut = 1; cut <= whole.reached; cut++) {
      const { ordered, got } = await steps(cut)
      expect([cut, got]).toEqual([cut, true])
      expect(ordered).toBeLessThanOrEqual(2)
    }
  })

  /** A keeper whose process ends at step `cut`, and a second one over what it left. */
  async function steps(cut: number) {
    await using world = keeperWorld(pebble)
    const orderCount = world.orders()
    const dead = Promise.withResolvers<never>()
    dead.promise.catch(() => {})
    let [reached, isDead] = [0, false]
    const step = () => {
      if (++reached >= cut) isDead = true
      return isDead
    }
    const { fetch } = world
    const files: typeof world.files = {
      ...world.files,
      write(kind, value) {
        if (step()) throw Object.assign(new Error('dead'), { code: 'EDEAD' })
        world.files.write(kind, value)
      },
    }
    const keeper = world.start({
      files,
      fetch: async (url, request) => {
        const isLast = !isDead && step()
        // The request arrives, and what it is answered is lost.
        if (isLast) await fetch(url, request)
        return isDead ? await dead.promise : await fetch(url, request)
      },
    })
    await until(() => isDead || world.files.read('attempts')?.count === 0)
    await Bun.sleep(isDead ? 50 : 0)
    dead.reject(new Error('dead'))
    await keeper[Symbol.asyncDispose]()
    if (Number.isFinite(cut)) {
      world.start()
      // At once, or after the pause.
      let looks = 0
      await until(() => {
        if (world.isIdle()) world.clock.set(++looks * 60_000)
        return world.files.read('certificate') !== undefined
      })
    }
    return {
      reached,
      ordered: world.orders() - orderCount,
      got: world.files.read('certificate') !== undefined,
    }
  }

  test.skipIf(!CAN_MOUNT)('a disk that is full before an order is made: none is made', async () => {
    await using world = keeperWorld(pebble)
    using _disk = smallDisk(world.folder, 1)
    await fill(world.folder)
    const orderCount = world.orders()
    const keeper = world.start()
    await until(() => keeper.problem()?.includes('ENOSPC') ?? false)
    expect(keeper.problem()).toContain('The data folder cannot be written to (ENOSPC).')
    expect(world.orders()).toBe(orderCount)
  })

  test('a disk that is full at the end: the certificate is served, and written once there is room', async () => {
    await using world = keeperWorld(pebble)
    let isFull = false
    const files: typeof world.files = {
      ...world.files,
      write(kind, value) {
        if (kind === 'certificate') isFull = world.clock.now() < Date.now() + 60_000
        if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
        world.files.write(kind, value)
      },
    }
    const keeper = world.start({ files })
    await until(() => world.used.length === 1)
    expect(keeper.problem()).toBeUndefined()
    expect(existsSync(world.files.path('certificate'))).toBe(false)
    const orderCount = world.orders()
    world.clock.set(2 * 60_000)
    await until(() => world.files.read('certificate') !== undefined)
    expect(world.files.read('certificate')?.chain).toBe(world.used[0]?.chain ?? '')
    expect(world.orders()).toBe(orderCount)
  })
})

async function fill(folder: string): Promise<void> {
  const chunk = new Uint8Array(4_096)
  for (let n = 0; ; n++) {
    try {
      writeFileSync(`${folder}/filler-${n}`, chunk)
    } catch {
      return
    }
  }
}
