import { expect, test } from 'bun:test'
import { explainGrade } from '../../../src/catalog/commands/explain-grade.ts'
import { defaultMethodology } from '../../../src/catalog/grading/default-methodology.ts'
import { aChange, allScored, aTool, gradeOne } from '../grading/grading-world.ts'

const HEAD = { name: 'A tool', slug: 'a-tool', category: 'messaging', today: '2026-11-21' }

function taken(points: number, reason = 'Away.') {
  return {
    ...{ code: 'outage', points, reason, source: 'https://example.com/x' },
    ...{ date: '2026-01-01', expires: '2026-12-31' },
  }
}

test('text of a record begins no line of its own, and moves no cursor', () => {
  const nasty = '\u001b[2JNice\nGrade: AA\r\nScore: 100.0\u2028Gate: none\u202e'
  const tool = aTool(
    {},
    {
      scores: Object.fromEntries(
        Object.keys(allScored(2)).map((key) => [key, { score: 2, reason: nasty }]),
      ),
      negatives: [taken(-1, nasty)],
      gates: [
        { code: 'archived', reason: nasty, source: 'https://example.com', date: '2026-01-01' },
      ],
    },
  )
  const text = explainGrade({ ...HEAD, name: nasty }, gradeOne(tool), defaultMethodology())
  for (const character of ['\u001b', '\r', '\u2028', '\u202e']) {
    expect(text).not.toContain(character)
  }
  const lines = text.split('\n').filter((line) => /^\s*(Grade|Score):/.test(line))
  expect(lines).toEqual(['Score: 19.0 is D.', 'Grade: D'])
})

test('a floor, a clamp and a cap are said where they change the number', () => {
  const many = Array.from({ length: 3 }, () => taken(-20))
  const changes = [aChange({ date: '2026-01-01' })]
  const grading = gradeOne(aTool(allScored(1), { negatives: many }), { changes })
  const text = explainGrade(HEAD, grading, defaultMethodology())
  expect(text).toMatch(/^deductions \(-60, and never more than 25\) +-25\.000$/m)
  expect(text).toMatch(/^sum +-15\.000$/m)
  expect(text).toMatch(/^held within 0 and 100 +0\.000$/m)
  expect(text).toMatch(/^to one decimal, half up +0\.0$/m)
  expect(text).toContain(
    'Gate: shut-down caps at D. It shuts down. 2026-01-01 https://example.com/shutdown',
  )
})

test('whoever follows the printed sum with a pencil comes to its score', () => {
  for (const score of [0, 3, 7, 10]) {
    const scores = { ...allScored(score), tasks: 'pending', schema: 4, security: 9 } as const
    const text = explainGrade(HEAD, gradeOne(aTool(scores)), defaultMethodology())
    const rows = [...text.matchAll(/^\w+ +\d+ +([\d.]+) +(\d+)\/10 +([\d.]+)$/gm)]
    expect(rows).toHaveLength(8)
    let total = 0
    for (const [, share, score, points] of rows) {
      expect(Number(points)).toBeCloseTo((Number(share) * Number(score)) / 10, 9)
      total += Number(points)
    }
    const shares = rows.reduce((sum, [, share]) => sum + Number(share), 0)
    const [, open = ''] = /^tasks +6 +([\d.]+) +pending +0\.000$/m.exec(text) ?? []
    expect((shares + Number(open)).toFixed(2)).toBe('100.00')
    expect(text).toContain(`points${total.toFixed(3).padStart(46)}`)
  }
})
