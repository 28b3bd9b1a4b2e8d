import type { CatalogBlock, Grading } from '../records/grading.ts'

/** The grade of a record before and after; null where it does not exist. */
export type GradeChange = {
  slug: string
  before: Outcome | null
  after: Outcome | null
  /** The differences in short: `security 6 → 8`, `gate archived closed`. */
  why: string[]
}

type Outcome = Pick<CatalogBlock, 'score' | 'grade' | 'agentReady'>

/** Every record whose grade or its reasons differ, by slug. */
export function gradeChanges(
  before: ReadonlyMap<string, Grading>,
  after: ReadonlyMap<string, Grading>,
): GradeChange[] {
  const slugs = [...new Set([...before.keys(), ...after.keys()])].sort()
  return slugs.flatMap((slug) => {
    const [old, now] = [before.get(slug), after.get(slug)]
    const why = old && now ? differences(old.catalog, now.catalog) : [old ? 'removed' : 'added']
    return why.length === 0 ? [] : [{ slug, before: outcome(old), after: outcome(now), why }]
  })
}

function outcome(grading: Grading | undefined): Outcome | null {
  if (!grading) return null
  const { score, grade, agentReady } = grading.catalog
  return { score, grade, agentReady }
}

function differences(a: CatalogBlock, b: CatalogBlock): string[] {
  const keys = [...new Set([...Object.keys(a.scores), ...Object.keys(b.scores)])].sort()
  const codes = ({ gates = [] }: CatalogBlock) => gates.map(({ code }) => code)
  return [
    ...moved('methodology', a.methodology, b.methodology),
    ...keys.flatMap((key) => moved(key, a.scores[key] ?? 'none', b.scores[key] ?? 'none')),
    ...moved('deductions', a.negative, b.negative),
    ...moved('confidence', a.assessment.confidence, b.assessment.confidence),
    ...without(codes(b), codes(a)).map((code) => `gate ${code} closed`),
    ...without(codes(a), codes(b)).map((code) => `gate ${code} opened`),
    ...moved('agent ready', yesOrNo(a.agentReady), yesOrNo(b.agentReady)),
    ...moved('score', a.score ?? 'none', b.score ?? 'none'),
    ...moved('grade', a.grade ?? 'none', b.grade ?? 'none'),
  ]
}

function moved(name: string, from: string | number, to: string | number): string[] {
  return from === to ? [] : [`${name} ${from} → ${to}`]
}

function without(list: readonly string[], others: readonly string[]): string[] {
  return list.filter((one) => !others.includes(one))
}

function yesOrNo(yes: boolean): string {
  return yes ? 'yes' : 'no'
}
