import { type AskOptions, ask, type FormSchema, type Outcome } from './client.ts'
import { type AdapterOptions, askAbout, type Verdict, verdictOf } from './verdict.ts'

/** An interrupt of LangGraph. */
type Interrupt = { id?: string; value?: unknown }

/** The value that a node hands to `interrupt()`, other than a text, which is a question in words. */
export type InterruptRequest =
  /** May this call be made? Resumed with `{ approved }`, and without a yes with the `reason`. */
  | { tool: string; arguments: unknown }
  /** A question: yes or no, unless it has choices or fields. Resumed with its outcome. */
  | (AskOptions & { question: string; choices?: readonly string[]; schema?: FormSchema })

/** The value that `interrupt()` returns. */
export type InterruptAnswer = Verdict | Outcome<unknown>

/**
 * Asks what the nodes of a graph wait for with `interrupt()`, and returns what to resume it with:
 * `new Command({ resume })`. Another process that has the checkpoints goes on with the same questions.
 * Throws `TypeError` for a value that is none of these.
 */
export async function answerInterrupts(
  interrupts: readonly Interrupt[] = [],
  { subject = 'langgraph', ...options }: AdapterOptions = {},
): Promise<Record<string, InterruptAnswer>> {
  const requests = interrupts.map(async ({ id, value }) => {
    if (!id) throw new TypeError('This interrupt has no id.')
    return { id, answer: await answerTo(value, id, { ...options, subject }) }
  })
  // No permit is used up before all is decided.
  const answers = (await Promise.all(requests)).map(async ({ id, answer }) => [id, await answer()])
  return Object.fromEntries(await Promise.all(answers))
}

async function answerTo(
  value: unknown,
  id: string,
  options: AdapterOptions & { subject: string },
): Promise<() => Promise<InterruptAnswer>> {
  const { tools: _, ...more } = options
  const about = { ...more, subject: `${options.subject}:${id}` }
  const request = (typeof value === 'object' && value) || {}
  if ('tool' in request && 'arguments' in request && typeof request.tool === 'string') {
    const decision = await askAbout(request.tool, request.arguments, id, options)
    return () => verdictOf(decision)
  }
  const outcome = await questionOf(value, about)
  return async () => outcome
}

async function questionOf(value: unknown, about: AskOptions): Promise<Outcome<unknown>> {
  if (typeof value === 'string') return await ask.text(value, about)
  const request = (value ?? {}) as Extract<InterruptRequest, { question: string }>
  const { question, choices, schema, ...words } = request
  if (typeof question !== 'string') {
    const must = 'a text, { question }, or { tool, arguments }'
    throw new TypeError(`The value of this interrupt must be ${must}.`)
  }
  const whole = { ...words, ...about }
  if (schema) return await ask.form(question, schema, whole)
  if (choices) return await ask.choose(question, choices, whole)
  return await ask.confirm(question, whole)
}
