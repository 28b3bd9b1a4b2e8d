import { describe, expect, test } from 'bun:test'
import { gradeAll } from '../../src/catalog/grading/grade.ts'
import type { DeskFinding, ServedFinding } from '../../src/catalog/records/desk.ts'
import type { Criterion } from '../../src/catalog/records/methodology.ts'
import { isDay } from '../../src/catalog/records/words.ts'
import { exampleCatalog } from '../support/example-catalog.ts'
import { feedWorld } from './feeds/feed-world.ts'
import { type Doc, type Method, recomputed } from './grading/stranger.ts'

/** Days in which a reading may still be of use when the examples are copied. */
const READ = /^2026-/
/** Collections that describe things of many makers. */
const COLLECTIONS = ['https://github.com/anomalyco/models.dev/']

const source = await exampleCatalog()
const reviewed = source.tools.filter(({ desk }) => desk)
const marks = new Map(
  source.methodology.criteria.flatMap(({ marks = [] }) => marks.map((mark) => [mark.key, mark])),
)

describe('the desk reviews of the examples', () => {
  test('grade at least sixty records', () => {
    const today = source.settings.run.date
    const gradings = [...gradeAll(source, new Map(), today, new Map()).values()]
    expect(gradings.filter(({ catalog }) => catalog.graded).length).toBeGreaterThanOrEqual(60)
  })

  test('name an address that can be opened again, and a day or that it has none', () => {
    for (const { slug, desk = [] } of reviewed) {
      for (const finding of desk) {
        expect({ slug, finding, faults: faultsOf(finding) }).toEqual({ slug, finding, faults: [] })
      }
    }
  })

  test('answer marks of the scale that apply to the tool, once each', () => {
    for (const { slug, kind, where, desk = [] } of reviewed) {
      const answered = desk.map(({ mark }) => mark)
      expect({ slug, twice: answered.length - new Set(answered).size }).toEqual({ slug, twice: 0 })
      const idle = answered.filter((key) => {
        const mark = marks.get(key)
        if (!mark) return true
        return !(mark.kinds?.includes(kind) ?? true) || !(mark.where?.includes(where) ?? true)
      })
      expect({ slug, idle }).toEqual({ slug, idle: [] })
    }
  })

  test('share an address only where the maker is the same', () => {
    const makers = new Map<string, string>()
    for (const { slug, vendor = slug, desk = [] } of reviewed) {
      for (const { url } of desk) {
        if (COLLECTIONS.some((one) => url.startsWith(one))) continue
        expect({ url, maker: makers.get(url) ?? vendor }).toEqual({ url, maker: vendor })
        makers.set(url, vendor)
      }
    }
  })

  test('give the grades that a stranger works out from what is served', async () => {
    await using world = await feedWorld()
    await world.publish(source)
    const method = await world.json<Method & Scales>('/api/v1/methodology.json')
    const scales: Scale[] = method.methodology.criteria
    const { tools } = await world.json<{ tools: Array<{ slug: string }> }>('/api/v1/tools.json')
    for (const { slug } of tools) {
      const { tool } = await world.json<{ tool: Served }>(`/api/v1/tools/${slug}.json`)
      const { score, grade, weights } = recomputed(tool, method)
      expect({ slug, score, grade }).toEqual({
        ...{ slug, score: tool.catalog.score, grade: tool.catalog.grade },
      })
      expect(sumOf(Object.values(weights))).toBe(100)
      for (const { key, score, findings } of tool.breakdown) {
        if (!findings) continue
        const criterion = scales.find((one) => one.key === key)
        const earned = criterion ? earnedBy(criterion, tool, findings) : undefined
        expect({ slug, key, score: earned }).toEqual({ slug, key, score })
      }
    }
  })
})

type Scale = Pick<Criterion, 'key' | 'marks' | 'levels'>
type Scales = { methodology: { criteria: Array<Scale & { weight: number }> } }
type Served = Omit<Doc, 'breakdown' | 'catalog'> & {
  where: string
  breakdown: Array<Doc['breakdown'][number] & { findings?: ServedFinding[] }>
  catalog: Doc['catalog'] & { score: number | null; grade: string | null }
}

function faultsOf({ url, date, dated, says, read, answer }: DeskFinding): string[] {
  const faults: string[] = []
  if (!url.startsWith('https://')) faults.push('not encrypted')
  if (/^https:\/\/github\.com\/[^/]+\/[^/]+\/blob\/(?![0-9a-f]{40}\/)/.test(url))
    faults.push('no commit')
  if ((date === undefined) !== (dated === 'unknown')) faults.push('dated')
  if (date !== undefined && !(isDay(date) && date <= read)) faults.push('date')
  if (!isDay(read) || !READ.test(read)) faults.push('read')
  if (says.length < 10) faults.push('says')
  if (!['yes', 'no'].includes(answer)) faults.push('answer')
  return faults
}

function sumOf(parts: readonly number[]): number {
  return Math.round(parts.reduce((sum, part) => sum + part, 0) * 100) / 100
}

/** The score of findings by the served scale, as somebody else would work it out. */
function earnedBy(
  { marks = [], levels = [] }: Scale,
  { kind, where }: Served,
  findings: readonly ServedFinding[],
): number | null {
  const open = marks.filter(
    (mark) => (mark.kinds?.includes(kind) ?? true) && (mark.where?.includes(where) ?? true),
  )
  const keys = new Set(open.map(({ key }) => key))
  const held = new Set(
    findings.filter(({ answer, counts }) => answer === 'yes' && counts).map(({ mark }) => mark),
  )
  const steps = levels.map(({ score, needs, alone }) => {
    const own = needs.filter((need) => keys.has(need))
    const yes = own.filter((need) => held.has(need)).length
    return { score, alone, isWhole: own.length > 0 && yes === own.length, isPart: yes > 0 }
  })
  let top = -1
  steps.forEach(({ isWhole, alone }, i) => {
    if (isWhole && (alone || top === i - 1)) top = i
  })
  const step = steps[top]
  return step ? step.score + (steps[top + 1]?.isPart ? 1 : 0) : null
}
