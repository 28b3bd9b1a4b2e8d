import { expect, test } from 'bun:test'
import { everyNth, isLong } from '../../support/share.ts'
import { whyNot } from './jail-world.ts'
import { probeWorld, type Way } from './probe-world.ts'
import { PROBES } from './probes.ts'

const why = whyNot()
const note = why ? ` (skipped: ${why})` : ''
const MANY = 1_800_000
// What Landlock alone does not hold (docs/jail.md).
const OF_MODES = /^(chmod|touch -d|python utime|python setxattr),/

async function passed(way: Way, probes: typeof PROBES): Promise<string[]> {
  using world = await probeWorld()
  const names: string[] = []
  for (const probe of probes) if (await world.passes(probe, way)) names.push(probe.name)
  return names
}

test.skipIf(why !== undefined)(
  `nothing gets out of the jail${note}`,
  async () => {
    expect(PROBES.length).toBeGreaterThanOrEqual(250)
    expect(new Set(PROBES.map(({ name }) => name)).size).toBe(PROBES.length)
    expect(await passed('jail', everyNth(PROBES, 17))).toEqual([])
  },
  MANY,
)

test.skipIf(why !== undefined || !isLong)(
  `Landlock alone lets nothing out but modes and times${note}`,
  async () => {
    const names = await passed('landlock', PROBES)
    expect(names.filter((name) => !OF_MODES.test(name))).toEqual([])
  },
  MANY,
)

// A probe that gets nowhere without a jail proves nothing about it.
test.skipIf(why !== undefined || !isLong)(
  `most probes get out without a jail, and some past a strict hook${note}`,
  async () => {
    const open = await passed('open', PROBES)
    const hook = await passed('hook', PROBES)
    console.log(`${PROBES.length} probes; out: ${open.length}, past a strict hook ${hook.length}`)
    expect(open.length).toBeGreaterThan(PROBES.length * 0.85)
    expect(hook.length).toBeLessThan(open.length)
  },
  MANY,
)
