import { GRADING_RULES } from '../records/grading-rules.ts'
import type { Methodology } from '../records/methodology.ts'
import { hint } from './did-you-mean.ts'
import { found } from './expected.ts'
import type { Filed } from './folder.ts'
import type { Tell } from './tell.ts'

/** What the parts of a methodology say of each other. */
export function checkMethodology({ parsed, value }: Filed<Methodology>, tell: Tell): void {
  const { criteria, bands, coverage, gates, negatives, agentReady } = value
  const keys = criteria.map(({ key }) => key)
  const grades = bands.map(({ grade }) => grade)

  function once(pointer: string, name: string, words: string[]) {
    for (const [i, word] of words.entries()) {
      if (words.indexOf(word) !== i) tell(parsed, `${pointer}/${i}/${name}`, 'it once', found(word))
    }
  }

  function known(pointer: string, grade: string) {
    if (grades.includes(grade)) return
    tell(parsed, pointer, `a grade of bands${hint(grade, grades)}`, found(grade))
  }

  once('/criteria', 'key', keys)
  once('/bands', 'grade', grades)
  once(
    '/gates',
    'code',
    gates.map(({ code }) => code),
  )
  once(
    '/negatives/codes',
    'code',
    negatives.codes.map(({ code }) => code),
  )
  if (criteria.every(({ weight }) => weight === 0)) {
    tell(parsed, '/criteria', 'a weight above 0', 'weights of 0 alone')
  }
  for (const [i, { from }] of bands.entries()) {
    const above = bands[i - 1]
    if (above && above.from <= from) {
      tell(parsed, `/bands/${i}/from`, `less than ${above.from}, the band before it`, found(from))
    }
  }
  const last = bands.length - 1
  if (bands[last]?.from !== 0) {
    tell(
      parsed,
      `/bands/${last}/from`,
      '0, so that every score has a grade',
      found(bands[last]?.from),
    )
  }
  if (coverage.full < coverage.graded) {
    tell(parsed, '/coverage/full', `at least ${coverage.graded}`, found(coverage.full))
  }
  known('/coverage/cap', coverage.cap)
  const thin = gates.findIndex(({ code }) => code === GRADING_RULES.coverage.gate)
  if (gates[thin] && gates[thin].cap !== coverage.cap) {
    tell(parsed, `/gates/${thin}/cap`, `${coverage.cap}, as in coverage`, found(gates[thin].cap))
  }
  for (const [i, { cap }] of gates.entries()) known(`/gates/${i}/cap`, cap)
  for (const [i, { grade, criterion }] of agentReady.entries()) {
    if (grade !== undefined) known(`/agentReady/${i}/grade`, grade)
    if (criterion === undefined || keys.includes(criterion)) continue
    const expected = `a key of criteria${hint(criterion, keys)}`
    tell(parsed, `/agentReady/${i}/criterion`, expected, found(criterion))
  }
}
