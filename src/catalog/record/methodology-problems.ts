import type { WrongField } from '../../kernel/failure.ts'
import type { Methodology } from './methodology.ts'

/** What its schema cannot say: names that must agree, and numbers that must be in order. */
export function methodologyProblems(methodology: Methodology): WrongField[] {
  return [
    ...criteriaProblems(methodology),
    ...bandProblems(methodology),
    ...capProblems(methodology),
    ...readyProblems(methodology),
  ]
}

function criteriaProblems({ criteria }: Methodology): WrongField[] {
  const weight = criteria.reduce((sum, criterion) => sum + criterion.weight, 0)
  return [
    ...(weight === 0 ? [{ field: 'criteria', must: 'have a weight above 0 somewhere' }] : []),
    ...twice(criteria.map(({ key }) => key)).map((i) => ({
      field: `criteria[${i}].key`,
      must: 'be a key that no other criterion has',
    })),
    ...criteria.flatMap(({ anchors }, i) =>
      isRising(anchors.map(({ score }) => score))
        ? []
        : [{ field: `criteria[${i}].anchors`, must: 'go up from one score to the next' }],
    ),
  ]
}

function bandProblems({ bands, coverage }: Methodology): WrongField[] {
  const falling = isRising(bands.map(({ from }) => from).toReversed())
  return [
    ...(falling ? [] : [{ field: 'bands', must: 'go down from the highest grade' }]),
    ...twice(bands.map(({ grade }) => grade)).map((i) => ({
      field: `bands[${i}].grade`,
      must: 'be a grade that no other band has',
    })),
    ...(bands.at(-1)?.from === 0
      ? []
      : [
          {
            field: `bands[${bands.length - 1}].from`,
            must: 'be 0, so that every score has a grade',
          },
        ]),
    ...(coverage.graded <= coverage.full
      ? []
      : [{ field: 'coverage.full', must: `be at least coverage.graded (${coverage.graded})` }]),
  ]
}

function capProblems({ bands, coverage, gates }: Methodology): WrongField[] {
  const grades = new Set(bands.map(({ grade }) => grade))
  const must = `be one of the grades of the bands: ${[...grades].join(', ')}`
  return [
    ...(grades.has(coverage.cap) ? [] : [{ field: 'coverage.cap', must }]),
    ...gates.flatMap(({ cap }, i) => (grades.has(cap) ? [] : [{ field: `gates[${i}].cap`, must }])),
    ...twice(gates.map(({ code }) => code)).map((i) => ({
      field: `gates[${i}].code`,
      must: 'be a code that no other gate has',
    })),
  ]
}

function readyProblems({ agentReady, bands, criteria }: Methodology): WrongField[] {
  const keys = new Set(criteria.map(({ key }) => key))
  const grades = new Set(bands.map(({ grade }) => grade))
  return agentReady.flatMap(({ criterion, grade }, i) => [
    ...(criterion === undefined || keys.has(criterion)
      ? []
      : [{ field: `agentReady[${i}].criterion`, must: 'be the key of a criterion' }]),
    ...(grade === undefined || grades.has(grade)
      ? []
      : [{ field: `agentReady[${i}].grade`, must: 'be the grade of a band' }]),
  ])
}

/** The places of those that stood before. */
function twice(names: readonly string[]): number[] {
  return names.flatMap((name, i) => (names.indexOf(name) < i ? [i] : []))
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0))
}
