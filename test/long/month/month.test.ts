import { expect, test } from 'bun:test'
import { drafts } from '../../../src/catalog/commands/drafts.ts'
import { readDrafts } from '../../../src/catalog/measured/draft-store.ts'
import { readMirror } from '../../../src/catalog/mirror/store.ts'
import type { Manifest } from '../../../src/catalog/signing/manifest.ts'
import { readConfig } from '../../../src/settings.ts'
import { mirrorFolder } from '../../catalog/mirror/mirror-world.ts'
import { relayTo } from '../../catalog/mirror/relay.ts'
import { isLong } from '../../support/share.ts'
import { figures, type Graded } from './figures.ts'
import { hostOf, slugOf } from './month-catalog.ts'
import { playVendors } from './month-vendors.ts'
import { DAY, HOUR, MINUTE, type MonthWorld, monthWorld, START, sha256 } from './month-world.ts'
import { expectPolite } from './polite-counts.ts'

// The quick run has fewer vendors and records. Of thirty days one has all of its rounds, and the
// others one every six hours; what a gate asks for is less by as much. The long run has all of
// them, and asks for what the methodology says.
const ROUNDS_EVERY = isLong ? 15 * MINUTE : 6 * HOUR
const SAMPLES = isLong ? 672 : 112
const RECORDS = isLong ? 200 : 30
const TIMEOUT = isLong ? 3_600_000 : 600_000

const DEARER = { vendor: 2, onDay: 11 }
const SICK = { vendor: 7, fromDay: 15 }
const LISTING = '/api/v1/tools.json'
const sick = slugOf(SICK.vendor)

test(
  `a catalog of ${RECORDS} imported records lives for a month`,
  async () => {
    await using world = await monthWorld({ samples: SAMPLES })
    const vendors = await playVendors(world, { dearer: DEARER.vendor, sick: SICK.vendor })
    await world.publish()
    expect(world.imported).toBeGreaterThanOrEqual(RECORDS)
    await using relay = await relayTo(world.url)
    await using mirror = mirrorFolder()
    await using other = mirrorFolder()
    const clock = world.mirrorClock
    for (const one of [mirror, other]) {
      const { outcome } = await one.sync({ source: relay.url }, { clock })
      expect(outcome).toBe('updated')
    }

    // A day as every day is.
    world.time.lookEveryMs = 15 * MINUTE
    await world.untilDay(1)
    const first = world.internet.tally()
    expectPolite(first, 97)
    world.time.lookEveryMs = ROUNDS_EVERY
    await world.untilDay(2)
    const second = world.internet.tally()
    expectPolite(second, isLong ? 97 : 5)
    await world.look()
    const before = await graded(world)
    const listing = { before: sha256(await world.read(LISTING)), after: '' }
    expect(before.catalog).toMatchObject({ grade: 'AA', gates: [] })
    expect(before.live.probe).toMatchObject({ uptime30d: 100 })
    await expectStable(world)

    // A page of prices says something else; the curator hears of it, and publishes it.
    await world.untilDay(DEARER.onDay)
    vendors.raise()
    await world.untilDay(DEARER.onDay + 3)
    await world.look()
    await mirror.sync({}, { clock })
    await other.sync({}, { clock })
    const manifest = await world.manifest()
    await takeDraft(world)
    await world.publish()
    await expectTold(world)

    // A mirror follows; another is given something else on the way, and keeps what it has.
    const next = await world.manifest()
    const unknown = unknownHashes(manifest, next)
    relay.reset()
    const followed = await mirror.sync({}, { clock })
    expect(followed).toMatchObject({ outcome: 'updated', fetched: { files: unknown.length } })
    const blobs = relay.asked.filter((path) => path.includes('/blobs/'))
    expect(blobs.sort()).toEqual(unknown.map((hash) => `/api/v1/blobs/sha256/${hash}`).sort())
    const fetched = { requests: relay.asked.length, bytes: relay.bytes }
    const state = await readMirror(other.db.read)
    for (const [part, refusal] of TAMPERED) {
      relay.change = (one) =>
        one.path.includes(part) ? { ...one, body: one.body.map((byte) => byte ^ 1) } : undefined
      expect(await other.sync({}, { clock })).toMatchObject({ outcome: 'refused', refusal })
      const { manifest, sequence } = state ?? {}
      expect(await readMirror(other.db.read)).toMatchObject({ manifest, sequence })
    }
    relay.change = undefined

    // A vendor is away for half of each day.
    await world.untilDay(SICK.fromDay)
    vendors.fallIll(START + SICK.fromDay * DAY)
    await world.untilDay(30)
    await world.look()
    const after = await graded(world)
    expect(after.catalog.gates).toMatchObject([{ code: 'uptime-low' }, { code: 'uptime-very-low' }])
    expect(after.catalog).toMatchObject({ grade: 'C', score: before.catalog.score })
    const grades = after.catalog.history.map(({ grade }) => grade)
    expect(grades.filter((grade, i) => grade !== grades[i - 1])).toEqual(['AA', 'B', 'C'])
    const { length } = before.catalog.history
    expect(after.catalog.history.slice(0, length)).toEqual(before.catalog.history)
    const healthy = JSON.parse(await world.read(`/api/v1/tools/${slugOf(8)}.json`)).tool
    expect(healthy.catalog).toMatchObject({ grade: 'AA', gates: [] })
    listing.after = sha256(await world.read(LISTING))
    expect(listing.after).not.toBe(listing.before)
    await expectStable(world)
    const caughtUp = await other.sync({}, { clock })
    expect(caughtUp.outcome).toBe('updated')
    figures({ first, second, before, after, listing, fetched, files: next.files.length, unknown })
  },
  TIMEOUT,
)

const TAMPERED = [
  ['manifest.json', 'signature'],
  ['/blobs/', 'blob'],
] as const

async function graded(world: MonthWorld): Promise<Graded> {
  return JSON.parse(await world.read(`/api/v1/tools/${sick}.json`)).tool
}

/** Made again by another process, and looked at again: nothing that is served has other bytes. */
async function expectStable(world: MonthWorld): Promise<void> {
  const { sequence, files } = await world.manifest()
  await world.look()
  expect((await world.manifest()).sequence).toBe(sequence)
  await using again = world.restarted()
  const { documents } = await again.ready()
  const differ = files.filter(({ path, sha256: hash }) => {
    const bytes = Buffer.concat([...(documents.get(path)?.pieces() ?? [])])
    return !bytes || new Bun.CryptoHasher('sha256').update(bytes).digest('hex') !== hash
  })
  expect(differ.map(({ path }) => path)).toEqual([])
  expect(documents.size).toBe(files.length)
}

/** As the curator does: the list of drafts, and `--take`. */
async function takeDraft({ db, dataFolder, catalogFolder }: MonthWorld): Promise<void> {
  const open = await readDrafts(db.read, 'open')
  expect(open.map(({ slug, kind, source }) => [slug, kind, source])).toEqual([
    [slugOf(DEARER.vendor), 'price', `https://${hostOf(DEARER.vendor)}/pricing`],
  ])
  const [draft] = open
  const code = await drafts(
    ['--data', dataFolder, '--dir', catalogFolder, '--take', `${draft?.id}`],
    readConfig,
  )
  expect(code).toBe(0)
  expect(await readDrafts(db.read, 'open')).toEqual([])
}

async function expectTold(world: MonthWorld): Promise<void> {
  const page = `https://${hostOf(DEARER.vendor)}/pricing`
  const { recent } = JSON.parse(await world.read('/api/v1/changes.json'))
  expect(recent[0]).toMatchObject({ kind: 'price', tool: slugOf(DEARER.vendor), source: page })
  const about = `The page of prices changed between`
  expect(await world.read('/changes.atom')).toContain(about)
  expect(await world.read('/sunsets.ics')).toContain(
    `DTSTART;VALUE=DATE:${recent[0].date.replaceAll('-', '')}`,
  )
}

function unknownHashes(current: Manifest, next: Manifest): string[] {
  const had = new Set(current.files.map((file) => file.sha256))
  return [...new Set(next.files.map((file) => file.sha256))].filter((hash) => !had.has(hash))
}
