/** How a question ended, as its callers are told. */
export type Ending = { status: string; value?: string }

/** One ask as its client knows it. */
export type ClientAsk = {
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

export type Ledger = {
  asks: ClientAsk[]
  /** Titles of the notifications that were acknowledged. */
  notified: string[]
  operations: number
  acknowledged: number
  refused: string[]
}

export const emptyLedger = (): Ledger => ({
  asks: [],
  notified: [],
  operations: 0,
  acknowledged: 0,
  refused: [],
})

/** A question as it is found after the restart. */
export type Found = { id: string; key: string; question: string } & Ending

/** Everything in which what was found differs from what clients were told. */
export function differences(ledger: Ledger, questions: Found[], titles: Set<string>): string[] {
  const byKey = Map.groupBy(questions, ({ key }) => key)
  const wrong = ledger.refused.map((refusal) => `refused: ${refusal}`)
  for (const ask of ledger.asks) {
    const [question, ...twice] = byKey.get(ask.key) ?? []
    if (twice.length > 0) wrong.push(`asked twice: ${ask.key}`)
    if (!question) {
      if (ask.id !== undefined) wrong.push(`lost: ${ask.id}`)
      continue
    }
    if (question.question !== ask.question) wrong.push(`changed: ${question.id}`)
    if (ask.id !== undefined && ask.id !== question.id) wrong.push(`another id: ${ask.id}`)
    wrong.push(...wrongEnding(ask, question))
  }
  for (const title of ledger.notified) if (!titles.has(title)) wrong.push(`lost: ${title}`)
  return wrong
}

function wrongEnding({ ended, tried }: ClientAsk, question: Found): string[] {
  const possible = ended ? [ended] : [{ status: 'pending' }, ...tried]
  const is = ({ status, value }: Ending) =>
    status === question.status && (value ?? null) === (question.value ?? null)
  if (possible.some(is)) return []
  const { id, status, value } = question
  return [`${id} is ${status} ${value ?? ''}, told ${JSON.stringify(possible)}`]
}
