import { expect, test } from 'bun:test'
import { type Clock, systemClock } from '../../../src/platform/clock.ts'
import { type Log, silentLog } from '../../../src/platform/log.ts'
import { pageWorld } from '../../support/page-world.ts'
import { until } from '../../support/until.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** A clock that can be set, and whose waits of an hour end when told. */
function clockToSet() {
  let ahead = 0
  const hourly = new Set<() => void>()
  const clock: Clock = {
    ...systemClock,
    now: () => Date.now() + ahead,
    after(ms, wake) {
      if (ms < HOUR) return systemClock.after(ms, wake)
      hourly.add(wake)
      return () => hourly.delete(wake)
    },
  }
  return {
    clock,
    set: (ms: number) => {
      ahead = ms
    },
    passHour() {
      const woken = [...hourly]
      hourly.clear()
      for (const wake of woken) wake()
    },
  }
}

test('while the clock is 6 days ahead nothing is removed, and a person ends it', async () => {
  const time = clockToSet()
  const lines: string[] = []
  const write = (line: string, fields?: object) =>
    void lines.push(`${line} ${JSON.stringify(fields ?? {})}`)
  const log: Log = { ...silentLog, info: write, warn: write }
  await using world = await pageWorld({
    clock: time.clock,
    log,
    env: { BECKON_RETENTION_DAYS: '5' },
  })
  for (let n = 0; n < 3; n++) {
    await world.ask({ status: 'answered', value: 'yes', endedAt: Date.now(), answeredBy: 'ann' })
    await world.tell()
  }
  const trail = async () => {
    const { entries } = await (await world.get('/api/v1/audit?kind=history.removed')).json()
    return entries as Array<{ kind: string; outcome: string }>
  }
  const countOpened = async () =>
    (await (await world.get('/api/v1/audit?kind=question.opened')).json()).entries.length
  expect(await countOpened()).toBe(3)

  // What has passed by two clocks differs by a millisecond or two.
  time.set(6 * DAY + 1_000)
  await until(() => {
    time.passHour()
    return lines.some((line) => line.includes('6 days'))
  })
  expect(await countOpened()).toBe(3)
  const warned = lines.filter((line) => line.includes('6 days'))
  expect(warned).toEqual([expect.stringContaining('Settings, Health')])
  const seen = await (await world.get('/api/v1/health')).json()
  expect(seen.checks).toContainEqual({
    ...{ name: 'Time', link: 'storage', state: 'warn' },
    said: expect.stringContaining('6 days after the newest time'),
    cure: expect.stringContaining('an owner confirms it'),
  })
  expect(await (await world.get('/settings/health')).text()).toContain('The clock is right')

  const done = await world.post('/settings/health/clock', {})
  expect([done.status, done.headers.get('location')]).toEqual([303, '/settings/health'])
  expect(await (await world.get('/settings/health')).text()).not.toContain('The clock is right')
  await until(async () => {
    time.passHour()
    return (await trail()).length > 0
  })
  expect(await countOpened()).toBe(0)
  const [removed] = await trail()
  expect(removed?.outcome).toMatch(
    /^3 questions, 3 notifications,? and \d+ rows? of this trail from before 20/,
  )
  expect(lines.filter((line) => line.includes('removed what is over its time'))).toEqual([
    expect.stringMatching(/"questions":3,"notifications":3,"trail":\d+/),
  ])
  const { entries } = await (await world.get('/api/v1/audit?kind=clock.confirmed')).json()
  expect(entries).toEqual([expect.objectContaining({ person: 'Mara Lindqvist' })])
})
