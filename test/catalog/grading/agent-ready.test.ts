import { expect, test } from 'bun:test'
import type { AuthoredTool } from '../../../src/catalog/records/authored.ts'
import { aChange, allScored, aTool, gradeOne, type ScoreInput } from './grading-world.ts'

function missing(
  scores: Record<string, ScoreInput>,
  more: Partial<AuthoredTool> = {},
  facts: Parameters<typeof gradeOne>[1] = {},
) {
  const { catalog } = gradeOne(aTool(scores, more), facts)
  expect(catalog.agentReady).toBe(catalog.agentReadyMissing?.length === 0)
  return catalog.agentReadyMissing
}

test('agent ready is who has 6 in what an agent depends on', () => {
  expect(missing(allScored(6))).toEqual([])
  expect(missing({ ...allScored(10), security: 5 })).toEqual(['Security is scored, at 6 or more.'])
  expect(missing({ ...allScored(10), schema: 'pending', ergonomics: 0 })).toEqual([
    'Schema is scored, at 6 or more.',
    'Ergonomics is scored, at 6 or more.',
  ])
})

test('agent ready is not a matter of the score: a worse one may be ready, a better one not', () => {
  const worse = { ...allScored(0), security: 6, reliability: 6, schema: 6, ergonomics: 6 }
  const better = { ...allScored(10), reliability: 5 }
  const [low, high] = [gradeOne(aTool(worse)).catalog, gradeOne(aTool(better)).catalog]
  expect([low.score, low.grade, low.agentReady]).toEqual([36, 'D', true])
  expect([high.score, high.grade, high.agentReady]).toEqual([92, 'AA', false])
})

test('agent ready is nobody who is not graded, not sure, or capped below B', () => {
  expect(missing({})).toEqual(['It is not graded.'])
  const low = { assessment: { confidence: 'low', date: '2026-11-01' } }
  expect(missing(allScored(10), low)).toEqual([
    'It is graded, and its assessment is of at least medium confidence.',
  ])
  expect(missing(allScored(10), {}, { changes: [aChange({ date: '2026-12-01' })] })).toEqual([
    'No gate caps it below B.',
  ])
})
