/** A tool as a model sees it. */
export type Listed = { name: string; description?: string; inputSchema: { properties?: object } }
type Call = { name: string; args: Record<string, unknown> }

/** What the model did, and what it believes in the end. */
export type Outcome = {
  calls: Call[]
  /** What it takes for the person's answer; undefined when it knows of none. */
  answer?: { value: string | undefined; note: string | undefined; agreed: boolean | undefined }
  /** How it ended: it acted on the answer, asked where it runs, stopped, or went on without one. */
  end: 'acted' | 'asked here' | 'stopped' | 'went on'
}

// After so many calls it is going round in circles.
const CALLS_MAX = 8
// How often it does the same once more because it could not be done.
const AGAIN_MAX = 2

/**
 * A model that knows the list of tools and the texts of results, and does what they say: it reads
 * the state and the next step before the first quotation, and what is quoted as what people wrote.
 * `first` is the tool it begins with; `call` gives it the text of a result.
 */
export async function literalModel(
  tools: readonly Listed[],
  first: Call,
  call: (call: Call) => Promise<string>,
): Promise<Outcome> {
  const calls: Call[] = []
  let next = first
  let after: Outcome['end'] | undefined
  let again = 0
  for (;;) {
    calls.push(next)
    const read = readText(await call(next))
    if (calls.length === CALLS_MAX) {
      if (read.status === 'unavailable') return { calls, end: 'went on' }
      throw new Error(`it never ends: ${JSON.stringify(calls)}`)
    }
    if (read.error) {
      const repeats = /call again|same call|try again/i.test(read.step)
      if (repeats && again++ < AGAIN_MAX) continue
      return { calls, end: after ?? (repeats ? 'went on' : endOf(read.step)) }
    }
    if (read.status === 'answered' && next.name !== 'cancel_question') {
      return { calls, answer: read, end: /stop here/.test(read.step) ? 'stopped' : 'acted' }
    }
    if (after) return { calls, end: after }
    const step = read.step
    if (/call wait_for_answer|with wait_for_answer/.test(step)) {
      next = use(tools, 'wait_for_answer', { correlationId: read.id })
    } else if (step.includes('cancel_question')) {
      after = endOf(step)
      next = use(tools, 'cancel_question', { correlationId: read.id })
    } else {
      return { calls, end: endOf(step) }
    }
  }
}

/** A call of a tool that is listed, with the time it likes to wait where the tool takes one. */
export function use(tools: readonly Listed[], name: string, args: Record<string, unknown>): Call {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new Error(`${name} is not listed`)
  const waits = Object.hasOwn(tool.inputSchema.properties ?? {}, 'timeoutMs')
  return { name, args: { ...args, ...(waits ? { timeoutMs: 1_000 } : {}) } }
}

type Read = {
  error: boolean
  id: string | undefined
  status: string | undefined
  step: string
  value: string | undefined
  note: string | undefined
  agreed: boolean | undefined
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g

/** Throws for a text that is not one line, or that does not say what to do. */
export function readText(text: string): Read {
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)) throw new Error(`not one line: ${text}`)
  const quotes = text.match(QUOTED) ?? []
  // What is quoted is never read as words of the server.
  const bare = text.replaceAll(QUOTED, '""')
  if (bare.replaceAll('""', '').includes('"')) throw new Error(`an open quotation: ${text}`)
  const argumentAt = (name: string) => {
    const at = bare.indexOf(`; ${name} ""`)
    if (at < 0) return undefined
    const before = bare.slice(0, at).split('""').length - 1
    return JSON.parse(quotes[before] ?? '""') as string
  }
  const [, subject = '', rest = ''] = /^(.*?); next step: (.*)\.$/s.exec(bare) ?? []
  const [step = ''] = rest.split(/; (?:value|note|warning|enforcementNote) ""|; contract \{/)
  if (step === '') throw new Error(`no next step: ${text}`)
  const [, id, status] = /question (q_[0-9a-z]+): status (\w+)/i.exec(subject) ?? []
  const isAgreed = /, (agreed|declined)$/.exec(subject)?.[1]
  return {
    error: subject.startsWith('Error '),
    id,
    status,
    step,
    value: argumentAt('value'),
    note: argumentAt('note'),
    agreed: isAgreed === undefined ? undefined : isAgreed === 'agreed',
  }
}

const ENDS: [RegExp, Outcome['end']][] = [
  [/stop here|end your turn/i, 'stopped'],
  [/ask here|ask in the current client/i, 'asked here'],
  [/go on|do not wait|take it as unanswered|no answer|say here/i, 'went on'],
]

function endOf(step: string): Outcome['end'] {
  const end = ENDS.find(([words]) => words.test(step))
  if (!end) throw new Error(`it does not know what to do: ${step}`)
  return end[1]
}
