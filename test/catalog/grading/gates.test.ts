import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { defaultMethodology } from '../../../src/catalog/grading/default-methodology.ts'
import { daysBetween } from '../../../src/catalog/grading/gates.ts'
import type { AuthoredTool } from '../../../src/catalog/records/authored.ts'
import { lastDayOf } from '../../../src/catalog/records/change.ts'
import type { Live } from '../../../src/catalog/records/live.ts'
import { howOften } from '../../support/share.ts'
import {
  aChange,
  allScored,
  aTool,
  gradeOne,
  probed,
  type ScoreInput,
  TODAY,
} from './grading-world.ts'

const ALL_TEN = allScored(10)
const SOURCE = 'https://example.com/seen'

/** Grade and closed gates of a tool that has 100 points. */
function capped(
  more: Partial<AuthoredTool>,
  facts: Parameters<typeof gradeOne>[1] = {},
): [string | null, ...string[]] {
  const { catalog } = gradeOne(aTool(ALL_TEN, more), facts)
  expect(catalog.score).toBe(100)
  return [catalog.grade, ...(catalog.gates ?? []).map(({ code }) => code)]
}

const onDate = (date: string, more = {}) =>
  capped({}, { changes: [aChange({ date, ...more })], today: TODAY })

test('a shutdown caps at D from its day on, and at C within 90 days before', () => {
  expect(onDate('2020-01-01')).toEqual(['D', 'shut-down'])
  expect(onDate('2026-11-20')).toEqual(['D', 'shut-down'])
  expect(onDate('2026-11-21')).toEqual(['D', 'shut-down'])
  expect(onDate('2026-11-22')).toEqual(['C', 'shutdown-soon'])
  // 90 days after 21 November is 19 February.
  expect(onDate('2027-02-19')).toEqual(['C', 'shutdown-soon'])
  expect(onDate('2027-02-20')).toEqual(['AA'])
})

test('a shutdown in a month, quarter or year that is not over is yet to come', () => {
  expect(onDate('2026-11-01', { datePrecision: 'month' })).toEqual(['C', 'shutdown-soon'])
  expect(onDate('2026-10-01', { datePrecision: 'month' })).toEqual(['D', 'shut-down'])
  expect(onDate('2026-10-01', { datePrecision: 'quarter' })).toEqual(['C', 'shutdown-soon'])
  expect(onDate('2026-01-01', { datePrecision: 'year' })).toEqual(['C', 'shutdown-soon'])
  expect(onDate('2025-01-01', { datePrecision: 'year' })).toEqual(['D', 'shut-down'])
})

test('a shutdown that was withdrawn, is of another tool, or is no shutdown caps nothing', () => {
  expect(onDate('2020-01-01', { status: 'withdrawn' })).toEqual(['AA'])
  expect(onDate('2020-01-01', { tool: 'another' })).toEqual(['AA'])
  expect(onDate('2020-01-01', { kind: 'removal' })).toEqual(['AA'])
})

test('announced under an old slug holds for the new one', () => {
  const removed = [{ slug: 'old', date: '2026-01-01', reason: 'Renamed.', renamedTo: 'a-tool' }]
  const changes = [aChange({ date: '2026-11-30', tool: 'old' })]
  expect(capped({}, { changes, removed })).toEqual(['C', 'shutdown-soon'])
})

test('a shutdown says what, where and when', () => {
  const { catalog } = gradeOne(aTool(ALL_TEN), { changes: [aChange({ date: '2026-11-30' })] })
  expect(catalog.gates).toEqual([
    {
      ...{ code: 'shutdown-soon', cap: 'C', reason: 'It shuts down.' },
      ...{ evidence: 'https://example.com/shutdown', date: '2026-11-30' },
    },
  ])
})

const at = (uptime: number | null, samples = 2880) => capped({}, { live: probed(uptime, samples) })

test('below 95 % caps at B, below 90 % at C', () => {
  expect(at(100)).toEqual(['AA'])
  expect(at(95)).toEqual(['AA'])
  expect(at(94.99)).toEqual(['B', 'uptime-low'])
  expect(at(90)).toEqual(['B', 'uptime-low'])
  expect(at(89.99)).toEqual(['C', 'uptime-low', 'uptime-very-low'])
  expect(at(0)).toEqual(['C', 'uptime-low', 'uptime-very-low'])
})

test('uptime says nothing without a week of probes, or without a number', () => {
  expect(at(0, 671)).toEqual(['AA'])
  expect(at(0, 672)).toEqual(['C', 'uptime-low', 'uptime-very-low'])
  expect(at(null)).toEqual(['AA'])
  const none: Live = { slug: 'a-tool', versions: [], pages: [], updatedAt: null }
  expect(capped({}, { live: none })).toEqual(['AA'])
})

test('uptime has its numbers as evidence', () => {
  const { catalog } = gradeOne(aTool(ALL_TEN), { live: probed(93.5, 2880) })
  expect(catalog.gates?.[0]).toEqual({
    ...{ code: 'uptime-low', cap: 'B', date: '2026-11-20' },
    reason: '93.5 % of 2880 probes in 30 days were answered.',
    evidence: 'https://api.example.com/health',
  })
  expect(catalog.metrics).toEqual({ kind: 'none', measured: true })
  expect(catalog.history[0]?.basis).toBe('mixed')
})

const bare: Live = { slug: 'a-tool', versions: [], pages: [], updatedAt: null }
const checkedAt = '2026-11-20T08:00:00Z'
const since = '2026-11-02T08:00:00Z'

test('an archived repository caps a tool that is its code, not one that runs elsewhere', () => {
  const repository = { url: 'https://github.com/a/a', archived: true, since, checkedAt }
  const live = { ...bare, repository }
  expect(capped({ where: 'library' }, { live })).toEqual(['C', 'archived'])
  expect(capped({ where: 'both' }, { live })).toEqual(['C', 'archived'])
  expect(capped({ where: 'hosted' }, { live })).toEqual(['AA'])
  const still = { ...bare, repository: { ...repository, archived: false } }
  expect(capped({ where: 'library' }, { live: still })).toEqual(['AA'])
  const { catalog } = gradeOne(aTool(ALL_TEN, { where: 'library' }), { live })
  expect(catalog.gates).toEqual([
    {
      ...{ code: 'archived', cap: 'C', reason: 'Its repository is archived.' },
      ...{ evidence: 'https://github.com/a/a', date: '2026-11-02' },
    },
  ])
})

test('an expired certificate caps at D', () => {
  const url = 'https://api.example.com/mcp'
  const at = (status: string) => ({ ...bare, certificate: { url, status, since, checkedAt } })
  expect(capped({}, { live: at('expired') })).toEqual(['D', 'expired-tls'])
  expect(capped({}, { live: at('valid') })).toEqual(['AA'])
  const { catalog } = gradeOne(aTool(ALL_TEN), { live: at('expired') })
  expect(catalog.gates?.[0]).toMatchObject({ evidence: url, date: '2026-11-02' })
})

const gate = { code: 'archived', reason: 'Archived.', source: SOURCE, date: '2026-11-01' }

test('what a curator found caps while it holds, its last day included', () => {
  expect(capped({ gates: [gate] })).toEqual(['C', 'archived'])
  expect(capped({ gates: [{ ...gate, code: 'expired-tls' }] })).toEqual(['D', 'expired-tls'])
  expect(capped({ gates: [{ ...gate, until: TODAY }] })).toEqual(['C', 'archived'])
  expect(capped({ gates: [{ ...gate, until: '2026-11-20' }] })).toEqual(['AA'])
  expect(capped({ gates: [{ ...gate, date: '2026-11-22' }] })).toEqual(['AA'])
})

test('what a curator found counts once when the gate closes by itself as well, and not when nobody knows it', () => {
  const finding = { ...gate, code: 'clear-text-credentials' }
  const remoteUrl = 'http://api.example.com/mcp'
  expect(capped({ gates: [finding], remoteUrl })).toEqual(['D', 'clear-text-credentials'])
  expect(capped({ gates: [{ ...gate, code: 'constructor' }] })).toEqual(['AA'])
})

test('credentials in clear text cap at D; without credentials, or on this machine, nothing does', () => {
  expect(capped({ remoteUrl: 'http://api.example.com' })).toEqual(['D', 'clear-text-credentials'])
  expect(capped({ remoteUrl: 'https://api.example.com' })).toEqual(['AA'])
  expect(capped({ remoteUrl: 'http://api.example.com', auth: 'none' })).toEqual(['AA'])
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:9']) {
    expect(capped({ remoteUrl: `http://${host}/mcp` })).toEqual(['AA'])
  }
  expect(capped({ remoteUrl: 'no address at all' })).toEqual(['AA'])
  expect(capped({ remoteUrl: 'http://localhost.example.com' })[0]).toBe('D')
})

test('confidence that is low, absent or unheard of caps at A, and is not ranked', () => {
  const sure = (confidence: string) => ({ assessment: { confidence, date: '2026-11-01' } })
  expect(capped(sure('high'))).toEqual(['AA'])
  expect(capped(sure('medium'))).toEqual(['AA'])
  expect(capped(sure('low'))).toEqual(['A', 'low-confidence'])
  expect(capped(sure('boundless'))).toEqual(['A', 'low-confidence'])
  const { assessment: _, ...tool } = aTool(ALL_TEN)
  const { catalog } = gradeOne(tool)
  expect([catalog.grade, catalog.ranked, catalog.assessment]).toEqual([
    'A',
    false,
    { confidence: 'none', date: null },
  ])
})

test('a record that is not graded is not blamed for an assessment that nobody made', () => {
  const { assessment: _, ...tool } = aTool({ security: 10 })
  expect(gradeOne(tool).catalog.gates).toEqual([])
  const changes = [aChange({ date: '2026-01-01' })]
  const codes = gradeOne(tool, { changes }).catalog.gates?.map(({ code }) => code)
  expect(codes).toEqual(['shut-down'])
})

test('thin coverage caps at A: 80 of 100 is enough, 78 is not', () => {
  const without = (...keys: string[]) => ({
    ...ALL_TEN,
    ...Object.fromEntries(keys.map((key) => [key, 'pending' as ScoreInput])),
  })
  const grade = (scores: Record<string, ScoreInput>) => {
    const { catalog } = gradeOne(aTool(scores))
    return [catalog.coverage, catalog.grade, ...(catalog.gates ?? []).map(({ reason }) => reason)]
  }
  expect(grade(without('transparency', 'tasks', 'payments'))).toEqual([0.8, 'A'])
  expect(grade(without('performance', 'transparency', 'payments'))).toEqual([
    ...[0.78, 'BB'],
    '78 % of the weights that apply are scored, less than 80 %.',
  ])
})

test('gates only cap: the lowest counts, none lifts, and the score stays', () => {
  const codes = defaultMethodology().gates.map(({ code }) => code)
  const grades = defaultMethodology().bands.map(({ grade }) => grade)
  fc.assert(
    fc.property(fc.nat(10), fc.subarray(codes), (score, closed) => {
      const gates = closed.map((code) => ({
        ...{ code, reason: 'Seen.', source: SOURCE, date: '2026-01-01' },
      }))
      const open = gradeOne(aTool(allScored(score))).catalog
      const shut = gradeOne(aTool(allScored(score), { gates })).catalog
      const place = (grade: string | null) => grades.indexOf(grade ?? '')
      const caps = (shut.gates ?? []).map(({ cap }) => place(cap))
      expect(shut.score).toBe(open.score)
      expect(place(shut.grade)).toBe(Math.max(place(open.grade), ...caps))
      expect((shut.gates ?? []).map(({ code }) => code)).toEqual(closed)
    }),
    { numRuns: howOften(20, 100) },
  )
})

test('days are counted by the calendar, in no time zone', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  expect(daysBetween('2026-10-24', '2026-10-26')).toBe(2)
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  expect(daysBetween('2026-12-31', '2026-01-01')).toBe(-364)
  expect(lastDayOf('2028-02-10', 'month')).toBe('2028-02-29')
  expect(lastDayOf('2026-04-01', 'quarter')).toBe('2026-06-30')
  expect(lastDayOf('2026-12-31', 'quarter')).toBe('2026-12-31')
  expect(lastDayOf('2026-05-05', 'year')).toBe('2026-12-31')
  expect(lastDayOf('2026-05-05', 'day')).toBe('2026-05-05')
  expect(lastDayOf('2026-05-05', undefined)).toBe('2026-05-05')
  expect(lastDayOf('2026-05-05', 'fortnight')).toBe('2026-05-05')
})
