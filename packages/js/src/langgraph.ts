import { type About, type AskOptions, ask, type FormSchema, type Outcome } from './client.ts'
import { type AdapterOptions, askAbout, type Verdict, verdictOf } from './verdict.ts'

/** An interrupt of LangGraph. */
type Interrupt = { id?: string; value?: unknown }

/** The value that a node hands to `interrupt()`, other than a text, which is a question in words. */
export type InterruptRequest =
  /** May this call be made? Resumed with `{ approved }`, and without a yes with the `reason`. */
  | { tool: string; arguments: unknown }
  /** A question: yes or no, unless it has choices or fields. Resumed with its outcome. */
  | (About & { question: string; choices?: readonly string[]; schema?: FormSchema })

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
  // Nobody is asked if one of them cannot be answered.
  const readable = interrupts.map(({ id, value }) => {
    if (!id) throw new TypeError('This interrupt has no id.')
    return { id, request: requestOf(value) }
  })
  const requests = readable.map(async ({ id, request }) => {
    return { id, answer: await answerTo(request, id, { ...options, subject }) }
  })
  // No permit is used up before all is decided.
  const answers = (await Promise.all(requests)).map(async ({ id, answer }) => [id, await answer()])
  return Object.fromEntries(await Promise.all(answers))
}

function requestOf(value: unknown): string | InterruptRequest {
  const { tool, question } = (value ?? {}) as { tool?: unknown; question?: unknown }
  const isCall = typeof tool === 'string' && 'arguments' in (value as object)
  const isQuestion = tool === undefined && typeof question === 'string'
  if (typeof value === 'string' || isCall || isQuestion) {
    return value as string | InterruptRequest
  }
  const must = 'a text, { question }, or { tool, arguments }'
  throw new TypeError(`The value of this interrupt must be ${must}.`)
}

async function answerTo(
  request: string | InterruptRequest,
  id: string,
  options: AdapterOptions & { subject: string },
): Promise<() => Promise<InterruptAnswer>> {
  if (typeof request === 'object' && 'tool' in request) {
    const decision = await askAbout(request.tool, request.arguments, id, options)
    return () => verdictOf(decision)
  }
  const { tools: _, ...more } = options
  const outcome = await questionOf(request, { ...more, subject: `${options.subject}:${id}` })
  return async () => outcome
}

type Question = Exclude<InterruptRequest, { tool: string }>

async function questionOf(
  request: string | Question,
  about: AskOptions,
): Promise<Outcome<unknown>> {
  if (typeof request === 'string') return await ask.text(request, about)
  const { question, choices, schema, ...words } = request
  // A node may pass on what a model wrote: it names neither server nor question.
  const { server: _, requestId: __, ...details } = words as AskOptions
  const whole = { ...details, ...about }
  if (schema) return await ask.form(question, schema, whole)
  if (choices) return await ask.choose(question, choices, whole)
  return await ask.confirm(question, whole)
}
