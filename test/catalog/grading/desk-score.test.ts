import { expect, test } from 'bun:test'
import { defaultMethodology } from '../../../src/catalog/grading/default-methodology.ts'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import type { AuthoredTool } from '../../../src/catalog/records/authored.ts'
import type { DeskFinding } from '../../../src/catalog/records/desk.ts'
import { aSource, aTool, TODAY } from './grading-world.ts'

function finding(mark: string, more: Partial<DeskFinding> = {}): DeskFinding {
  const url = 'https://a.example/docs'
  const words = { answer: 'yes', says: 'It says so.', url, dated: 'copy', read: TODAY }
  return { mark, ...words, date: '2026-08-01', ...more }
}

function rowOf(key: string, desk: DeskFinding[], more: Partial<AuthoredTool> = {}, today = TODAY) {
  const source = { ...aSource([aTool({}, { desk, ...more })]), methodology: defaultMethodology() }
  const graded = gradeAll(source, new Map(), today, new Map()).get('a-tool')
  return graded?.breakdown.find((row) => row.key === key)
}

const SIX = ['revocable', 'limited', 'in-header'].map((mark) => finding(mark))

test('a level is earned by all of its marks with those of the levels before it', () => {
  expect(rowOf('security', [finding('revocable')])?.score).toBe(4)
  expect(rowOf('security', SIX)?.score).toBe(6)
  expect(rowOf('security', SIX.slice(1))).toMatchObject({ score: null, state: 'pending' })
})

test('a part of the next level adds one, and no more', () => {
  expect(rowOf('security', SIX.slice(0, 2))?.score).toBe(5)
  expect(rowOf('security', [...SIX, finding('audit-log'), finding('audited')])?.score).toBe(7)
})

test('a no earns nothing, and is served', () => {
  const row = rowOf('security', [finding('revocable', { answer: 'no' })])
  expect(row).toMatchObject({ score: null, findings: [{ answer: 'no', counts: true }] })
})

test('a finding counts for the days of its mark, from its date or the day of reading', () => {
  const old = finding('revocable', { date: '2024-11-20' })
  expect(rowOf('security', [old])).toMatchObject({
    ...{ score: null, findings: [{ until: '2026-11-20', counts: false }] },
  })
  const { date, ...undated } = finding('revocable', { dated: 'unknown', read: '2026-11-01' })
  expect(rowOf('security', [undated])).toMatchObject({
    ...{ score: 4, findings: [{ until: '2028-10-31', counts: true }] },
  })
})

test('what makes no sense where a tool runs is left out of the level', () => {
  const marks = ['failures-told', 'error-codes', 'retry-reading'].map((mark) => finding(mark))
  expect(rowOf('reliability', marks, { where: 'library' })?.score).toBe(6)
  expect(rowOf('reliability', marks, { where: 'hosted' })?.score).toBe(5)
})

test('a level that stands alone needs none before it', () => {
  expect(rowOf('payments', [finding('call-payment')])?.score).toBe(8)
  expect(rowOf('payments', [finding('spend-limit')])?.score).toBe(null)
})

test('a score that somebody wrote goes first, and the findings stay beside it', () => {
  const scores = { security: { score: 3, reason: 'Read again.' } }
  expect(rowOf('security', SIX, { scores })).toMatchObject({ score: 3, reason: 'Read again.' })
  expect(rowOf('security', SIX, { scores })?.findings).toHaveLength(3)
})
