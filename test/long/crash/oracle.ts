/** How a question ended, as its callers are told. */
export type Ending = { status: string; value?: string }

/** One ask as its client knows it. */
export type Asked = {
  key: string
  question: string
  callback: string | undefined
  /** Acknowledged under this id; undefined when the reply never came. */
  id: string | undefined
  /** What somebody was told of its end. */
  ended: Ending | undefined
  /** Every end that was asked for, answered or not. */
  tried: Ending[]
}

export type Told = {
  asked: Asked[]
  /** Titles of the notifications that were acknowledged. */
  notified: string[]
  operations: number
  acknowledged: number
  refused: string[]
}

export const nothingTold = (): Told => ({
  asked: [],
  notified: [],
  operations: 0,
  acknowledged: 0,
  refused: [],
})

/** A question as it is found after the restart. */
export type Found = { id: string; key: string; question: string } & Ending

/** Everything in which what was found differs from what clients were told. */
export function differences(told: Told, found: Found[], titles: Set<string>): string[] {
  const byKey = Map.groupBy(found, ({ key }) => key)
  const wrong = told.refused.map((refusal) => `refused: ${refusal}`)
  for (const asked of told.asked) {
    const [question, ...twice] = byKey.get(asked.key) ?? []
    if (twice.length > 0) wrong.push(`asked twice: ${asked.key}`)
    if (!question) {
      if (asked.id !== undefined) wrong.push(`lost: ${asked.id}`)
      continue
    }
    if (question.question !== asked.question) wrong.push(`changed: ${question.id}`)
    if (asked.id !== undefined && asked.id !== question.id) wrong.push(`another id: ${asked.id}`)
    wrong.push(...wrongEnding(asked, question))
  }
  for (const title of told.notified) if (!titles.has(title)) wrong.push(`lost: ${title}`)
  return wrong
}

function wrongEnding({ ended, tried }: Asked, question: Found): string[] {
  const possible = ended ? [ended] : [{ status: 'pending' }, ...tried]
  const is = ({ status, value }: Ending) =>
    status === question.status && (value ?? null) === (question.value ?? null)
  if (possible.some(is)) return []
  const { id, status, value } = question
  return [`${id} is ${status} ${value ?? ''}, told ${JSON.stringify(possible)}`]
}
