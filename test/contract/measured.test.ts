import { expect, test } from 'bun:test'
import * as drafts from '../../src/catalog/measured/draft-store.ts'
import * as facts from '../../src/catalog/measured/fact-store.ts'
import * as prices from '../../src/catalog/measured/price-store.ts'
import * as probes from '../../src/catalog/measured/probe-store.ts'
import { readLive } from '../../src/catalog/measured/read-live.ts'
import { isoTime } from '../../src/platform/clock.ts'
import { onBothDatabases } from './both-databases.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const OPEN = { outcome: 'open', status: 200, ms: 40, authRequired: false } as const
const DEAD = { outcome: 'dead', status: null, ms: null, authRequired: false } as const

onBothDatabases('what was measured', (db) => {
  test('counts each probe once on its day, and what says nothing on no day', async () => {
    await db().write(async (tx) => {
      await probes.addResult(tx, { slug: 'a', at: 1, ...OPEN }, { date: '2026-11-21', ok: true })
      await probes.addResult(tx, { slug: 'a', at: 1, ...OPEN }, { date: '2026-11-21', ok: true })
      await probes.addResult(tx, { slug: 'a', at: 2, ...DEAD }, { date: '2026-11-21', ok: false })
      await probes.addResult(tx, { slug: 'a', at: 3, ...OPEN, outcome: 'unknown' }, undefined)
      await probes.addResult(tx, { slug: 'b', at: 3, ...OPEN }, { date: '2026-11-22', ok: true })
    })
    expect(await probes.readDays(db().read, 'a', '2026-11-20')).toEqual([
      { slug: 'a', date: '2026-11-21', probes: 2, ok: 1 },
    ])
    expect(await probes.readDays(db().read, 'a', '2026-11-21')).toEqual([])
    const all = await probes.readResults(db().read, 'a', 1)
    expect(all.map(({ at, outcome }) => [at, outcome])).toEqual([
      [2, 'dead'],
      [3, 'unknown'],
    ])
    expect(await probes.readLastResult(db().read, 'a')).toMatchObject({ at: 3 })
    await db().write((tx) => probes.dropResults(tx, 'a'))
    expect(await probes.readResults(db().read, 'a', 0)).toEqual([])
    expect(await probes.readLastResult(db().read, 'b')).toMatchObject({ at: 3, status: 200 })
  })

  test('sums up the response times of a day: of the probes that were answered', async () => {
    await db().write(async (tx) => {
      for (const [i, ms] of [90, 10, 70, 20].entries()) {
        const day = { date: '2026-11-21', ok: true }
        await probes.addResult(tx, { slug: 'a', at: NOON + i, ...OPEN, ms }, day)
      }
      const ok = { date: '2026-11-21', ok: true }
      await probes.addResult(tx, { slug: 'a', at: NOON + 2 * DAY, ...OPEN, ms: 5 }, ok)
      await probes.addResult(
        tx,
        { slug: 'a', at: NOON + 9, ...DEAD, ms: 9_000 },
        { ...ok, ok: false },
      )
      await probes.addResult(
        tx,
        { slug: 'b', at: NOON, ...DEAD },
        { date: '2026-11-22', ok: false },
      )
    })
    expect(await probes.readSpeedDays(db().read, ['a', 'b'], '2026-11-20')).toEqual([
      { slug: 'a', date: '2026-11-21', p50ms: 20, p95ms: 90 },
    ])
    expect(await probes.readSpeedDays(db().read, ['a'], '2026-11-21')).toEqual([])
  })

  test('forgets probes and days that are older than asked, and nothing else', async () => {
    await db().write(async (tx) => {
      for (const at of [1, 2, 3]) {
        const day = { date: `2026-01-0${at}`, ok: true }
        await probes.addResult(tx, { slug: 'a', at, ...OPEN }, day)
      }
    })
    const gone = await db().write((tx) => probes.purgeResults(tx, 3, '2026-01-02'))
    expect(gone).toBe(3)
    expect(await probes.readResults(db().read, 'a', 0)).toHaveLength(1)
    expect(await probes.readDays(db().read, 'a', '2025-12-31')).toHaveLength(2)
  })

  test('knows when each thing is due, also after it was put off', async () => {
    await db().write(async (tx) => {
      await probes.putTime(tx, { slug: 'b', probe: 'npm', ranAt: 1, dueAt: 2 })
      await probes.putTime(tx, { slug: 'a', probe: 'npm', ranAt: 1, dueAt: 2 })
      await probes.putTime(tx, { slug: 'a', probe: 'npm', ranAt: 5, dueAt: 9 })
    })
    expect(await probes.readTimes(db().read)).toEqual([
      { slug: 'a', probe: 'npm', ranAt: 5, dueAt: 9 },
      { slug: 'b', probe: 'npm', ranAt: 1, dueAt: 2 },
    ])
  })

  test('keeps when a fact was first seen, and moves its change only when it differs', async () => {
    const put = (value: unknown, now: number) =>
      db().write((tx) => facts.putFacts(tx, 'a', [{ subject: 'llmsTxt', value }], now))
    await put({ url: 'https://a.example/llms.txt', status: 'none' }, 1)
    await put({ status: 'none', url: 'https://a.example/llms.txt' }, 2)
    expect(await facts.readFacts(db().read, 'a')).toMatchObject([
      { seenAt: 1, changedAt: 1, checkedAt: 2 },
    ])
    await put({ url: 'https://a.example/llms.txt', status: 'found' }, 3)
    await put({ url: 'https://a.example/llms.txt', status: 'found' }, 4)
    expect(await facts.readFacts(db().read)).toMatchObject([
      { slug: 'a', seenAt: 1, changedAt: 3, checkedAt: 4, value: { status: 'found' } },
    ])
    await db().write((tx) => facts.dropStaleFacts(tx, 4))
    expect(await facts.readFacts(db().read)).toHaveLength(1)
    await db().write((tx) => facts.dropStaleFacts(tx, 5))
    expect(await facts.readFacts(db().read)).toEqual([])
  })

  test('knows when a fact was read that another tool shares, and puts no older one', async () => {
    const put = (status: string, now: number, at?: number) =>
      db().write((tx) => {
        const fact = { subject: 'llmsTxt', value: { status }, ...(at === undefined ? {} : { at }) }
        return facts.putFacts(tx, 'a', [fact], now)
      })
    const stored = async () => (await facts.readFacts(db().read, 'a'))[0]
    await put('none', 10, 7)
    expect(await stored()).toMatchObject({ seenAt: 7, changedAt: 7, checkedAt: 7 })
    await put('found', 12, 11)
    await put('none', 13, 5)
    expect(await stored()).toMatchObject({ seenAt: 7, changedAt: 11, checkedAt: 11 })
    // A clock that was set back is no reason to stop.
    await put('none', 4)
    expect(await stored()).toMatchObject({ value: { status: 'none' }, checkedAt: 4 })
  })

  test('forgets a tool that is gone, and leaves the others', async () => {
    await db().write(async (tx) => {
      for (const slug of ['b', 'a']) {
        await facts.putFacts(tx, slug, [{ subject: 'models', value: {} }], 1)
        await probes.putTime(tx, { slug, probe: 'npm', ranAt: 1, dueAt: 2 })
      }
    })
    expect(await facts.measuredSlugs(db().read)).toEqual(['a', 'b'])
    await db().write((tx) => facts.forgetTool(tx, 'a'))
    expect(await facts.measuredSlugs(db().read)).toEqual(['b'])
  })

  test('adds a price only when it is another one', async () => {
    const price = { url: 'https://a.example/x', network: 'eip155:8453', asset: 'USDC' }
    const add = (priceUsd: string | null, now: number) =>
      db().write((tx) => prices.addPrices(tx, 'a', [{ ...price, priceUsd }], now))
    expect([await add('0.01', 1), await add('0.01', 2), await add('0.02', 3)]).toEqual([1, 0, 1])
    expect([await add(null, 4), await add(null, 5), await add('0.02', 6)]).toEqual([1, 0, 1])
    const seen = (await prices.readPrices(db().read, 'a')).map((one) => [one.seenAt, one.priceUsd])
    expect(seen).toEqual([
      [1, '0.01'],
      [3, '0.02'],
      [4, null],
      [6, '0.02'],
    ])
    expect(await prices.readPrices(db().read, 'b')).toEqual([])
  })

  test('drafts a change once, and never again once it was closed', async () => {
    const draft = { id: 'a-terms', slug: 'a', kind: 'notice', what: 'Terms changed.', source: 'x' }
    const add = () => db().write((tx) => drafts.addDraft(tx, draft, 7))
    expect([await add(), await add()]).toEqual([true, false])
    expect(await drafts.readDrafts(db().read, 'open')).toEqual([
      { ...draft, draftedAt: 7, state: 'open' },
    ])
    const close = () => db().write((tx) => drafts.closeDraft(tx, 'a-terms', 'dismissed'))
    expect([await close(), await close(), await add()]).toEqual([true, false, false])
    expect(await drafts.readDrafts(db().read, 'open')).toEqual([])
    expect(await drafts.readDrafts(db().read)).toMatchObject([{ state: 'dismissed' }])
  })

  test('is served as one block a tool', async () => {
    await db().write(async (tx) => {
      const target = { target: 'https://a.example/mcp', method: 'mcp' }
      await facts.putFacts(tx, 'a', [{ subject: 'probe', value: target }], NOON)
      await facts.putFacts(tx, 'a', [{ subject: 'domain', value: { name: 7 } }], NOON)
      const repository = { url: 'https://github.com/a/a', archived: false }
      await facts.putFacts(tx, 'a', [{ subject: 'repository', value: repository }], NOON)
      const day = { date: '2026-11-21', ok: true }
      for (const [i, ms] of [10, 20, 400].entries()) {
        await probes.addResult(tx, { slug: 'a', at: NOON - i * HOUR, ...OPEN, ms }, day)
      }
    })
    const live = (await readLive(db().read, NOON)).get('a')
    expect(live?.probe).toMatchObject({ lastMs: 10, p50ms24h: 20, p95ms24h: 400, samples30d: 3 })
    expect(live?.probe).toMatchObject({ uptime24h: 100, uptime30d: 100, lastOk: true })
    expect(live?.domain).toBeUndefined()
    expect(live?.repository).toMatchObject({ archived: false, checkedAt: isoTime(NOON) })
  })
})
