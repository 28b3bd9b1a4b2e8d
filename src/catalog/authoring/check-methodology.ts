import { suggest } from '../../platform/did-you-mean.ts'
import { describe } from '../../platform/yaml/value-words.ts'
import { GRADING_RULES } from '../records/grading-rules.ts'
import type { Methodology } from '../records/methodology.ts'
import type { FromFile, ReportProblem } from './folder.ts'

type MethodologyFile = FromFile<Methodology>

/** Checks that the parts of a methodology agree with each other. */
export function checkMethodology(file: MethodologyFile, report: ReportProblem): void {
  const { criteria, bands, gates, negatives } = file.value

  function once(pointer: string, name: string, words: string[]) {
    for (const [i, word] of words.entries()) {
      if (words.indexOf(word) === i) continue
      report(file.parsed, `${pointer}/${i}/${name}`, 'it once', describe(word))
    }
  }
  const codes = (of: ReadonlyArray<{ code: string }>) => of.map(({ code }) => code)

  once('/criteria', 'key', keysOf(file))
  once('/bands', 'grade', gradesOf(file))
  once('/gates', 'code', codes(gates))
  once('/negatives/codes', 'code', codes(negatives.codes))
  if (criteria.every(({ weight }) => weight === 0)) {
    report(file.parsed, '/criteria', 'a weight above 0', 'weights of 0 alone')
  }
  checkBands({ parsed: file.parsed, bands }, report)
  checkCoverage(file, report)
  checkReferences(file, report)
  checkLevels(file, report)
}

function keysOf({ value }: MethodologyFile): string[] {
  return value.criteria.map(({ key }) => key)
}

function gradesOf({ value }: MethodologyFile): string[] {
  return value.bands.map(({ grade }) => grade)
}

type BandsOfFile = Pick<MethodologyFile, 'parsed'> & Pick<Methodology, 'bands'>

function checkBands({ parsed, bands }: BandsOfFile, report: ReportProblem): void {
  for (const [i, { from }] of bands.entries()) {
    const above = bands[i - 1]
    if (!above || above.from > from) continue
    const expected = `less than ${above.from}, the band before it`
    report(parsed, `/bands/${i}/from`, expected, describe(from))
  }
  const last = bands.length - 1
  const lowest = bands[last]?.from
  if (lowest === 0) return
  report(parsed, `/bands/${last}/from`, '0, so that every score has a grade', describe(lowest))
}

function checkCoverage({ parsed, value }: MethodologyFile, report: ReportProblem): void {
  const { coverage, gates } = value
  if (coverage.full < coverage.graded) {
    report(parsed, '/coverage/full', `at least ${coverage.graded}`, describe(coverage.full))
  }
  const at = gates.findIndex(({ code }) => code === GRADING_RULES.coverage.gate)
  const gate = gates[at]
  if (!gate || gate.cap === coverage.cap) return
  report(parsed, `/gates/${at}/cap`, `${coverage.cap}, as in coverage`, describe(gate.cap))
}

/** Every grade and every criterion that is named exists. */
function checkReferences(file: MethodologyFile, report: ReportProblem): void {
  const { parsed, value } = file
  const keys = keysOf(file)
  const grades = gradesOf(file)

  function checkGrade(pointer: string, grade: string) {
    if (grades.includes(grade)) return
    report(parsed, pointer, `a grade of bands${suggest(grade, grades)}`, describe(grade))
  }

  checkGrade('/coverage/cap', value.coverage.cap)
  for (const [i, { cap }] of value.gates.entries()) checkGrade(`/gates/${i}/cap`, cap)
  for (const [i, { grade, criterion }] of value.agentReady.entries()) {
    if (grade !== undefined) checkGrade(`/agentReady/${i}/grade`, grade)
    if (criterion === undefined || keys.includes(criterion)) continue
    const expected = `a key of criteria${suggest(criterion, keys)}`
    report(parsed, `/agentReady/${i}/criterion`, expected, describe(criterion))
  }
}

/** Each mark has a name of its own, and levels rise and need marks of their criterion. */
function checkLevels({ parsed, value }: MethodologyFile, report: ReportProblem): void {
  const earlier = new Set<string>()
  for (const [i, { marks = [], levels = [] }] of value.criteria.entries()) {
    const keys = marks.map(({ key }) => key)
    for (const [j, key] of keys.entries()) {
      const at = `/criteria/${i}/marks/${j}/key`
      if (earlier.has(key)) report(parsed, at, 'a name that no other mark has', describe(key))
      earlier.add(key)
    }
    for (const [j, { score, needs }] of levels.entries()) {
      const at = `/criteria/${i}/levels/${j}`
      const before = levels[j - 1]?.score ?? -1
      if (score <= before) report(parsed, `${at}/score`, `more than ${before}`, describe(score))
      const other = needs.find((need) => !keys.includes(need))
      if (other === undefined) continue
      report(
        parsed,
        `${at}/needs`,
        `marks of the criterion${suggest(other, keys)}`,
        describe(other),
      )
    }
  }
}
