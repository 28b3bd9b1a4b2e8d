import { digestOf } from './canonical.ts'
import { type FormSchema, wrongValue } from './form.ts'
import type { Server } from './server.ts'

type Fields = Record<string, unknown>

/** A question or proposal as a fake server got it, and how it ended. */
export type FakeQuestion = {
  id: string
  /** `confirm`, `select`, `input`, or `scope` for a proposal. */
  type: string
  question: string
  /** Everything that was sent. */
  fields: Fields
  status: 'pending' | 'answered' | 'expired' | 'cancelled'
  note?: string
}

/**
 * `true` and `false` are yes and no, a text a choice or words, an object a form, or all values of
 * `edit` with a yes; undefined: nobody.
 */
export type FakeAnswer = boolean | string | object | undefined

export type FakeServer = {
  /** For `server` of every call. */
  server: Server
  questions: readonly FakeQuestion[]
  notifications: readonly Fields[]
  /** What became of the calls that permits were used for. */
  outcomes: readonly Fields[]
  /** Answers an open question later than the script. */
  answer(id: string, value: FakeAnswer, note?: string): void
  /** Lets time go by for the server: questions whose time is over expire. */
  pass(ms: number): void
}

type Stored = FakeQuestion & {
  key: unknown
  value?: string
  startedAt: number
  endsAt: number
  permit?: Permit
}
type Permit = { id: string; actionHash: unknown; isUsed: boolean }
type Reply = { status: number; body: Fields }

const LIFE_MS = 10 * 60_000
const LIST_SIZE = 30
const ONE_DEVICE = { addressed: 1, accepted: 1, shown: 1, pending: false }

/**
 * A server in this process for tests of your own program: no network, no person. `script` answers
 * each question as it comes. An answer that its question would not take is an error of the call.
 */
export function fakeServer(script: Script = () => undefined): FakeServer {
  const fake = new Fake(script)
  return {
    questions: fake.questions,
    notifications: fake.notifications,
    outcomes: fake.outcomes,
    answer: (id, value, note) => fake.answer(id, value, note),
    pass: (ms) => fake.pass(ms),
    server: {
      ...{ url: 'http://beckon.invalid', token: 'bk_fake' },
      fetch: ((input: string | URL, init: RequestInit = {}) =>
        fake.fetch(new URL(input), init)) as typeof fetch,
    },
  }
}

type Script = (question: FakeQuestion) => FakeAnswer

class Fake {
  readonly questions: Stored[] = []
  readonly notifications: Fields[] = []
  readonly outcomes: Fields[] = []
  readonly #script: Script
  #waiting: Array<() => void> = []
  #ahead = 0

  constructor(script: Script) {
    this.#script = script
  }

  answer(id: string, value: FakeAnswer, note?: string): void {
    const one = this.#find(id)
    if (one?.status !== 'pending') throw new Error(`The question ${id} is not open.`)
    end(one, value, note)
    this.#change()
  }

  pass(ms: number): void {
    this.#ahead += ms
    this.#change()
  }

  async fetch(url: URL, init: RequestInit): Promise<Response> {
    const path = url.pathname.split('/').slice(3).map(decodeURIComponent)
    const key = new Headers(init.headers).get('idempotency-key')
    try {
      const fields = JSON.parse(String(init.body ?? '{}'))
      const { status, body } = await this.#handle(
        init.method ?? 'GET',
        path,
        url.searchParams,
        fields,
        key,
      )
      return status === 204 ? new Response(null, { status }) : Response.json(body, { status })
    } catch (error) {
      return Response.json({ code: 'fake', detail: String(error) }, { status: 422 })
    }
  }

  async #handle(
    method: string,
    path: string[],
    query: URLSearchParams,
    body: Fields,
    key: unknown,
  ): Promise<Reply> {
    const [kind, id, act] = path
    if (kind === 'notifications') {
      this.notifications.push(body)
      const delivery = { web: { recipients: 1 }, mobile: { recipients: 0 } }
      return { status: 200, body: { sent: 1, delivery } }
    }
    if (id === undefined && method === 'GET') return this.#list(query)
    if (id === undefined) {
      return await this.#hold(this.#ask(body, body.requestId ?? key), Number(body.timeoutMs ?? 0))
    }
    const one = this.#find(id)
    if (!one) return { status: 200, body: { correlationId: id, status: 'missing' } }
    if (act === 'cancel') return this.#cancel(one)
    if (act === 'delivery') return { status: 200, body: ONE_DEVICE }
    if (act === 'permit') return await issue(one, body.actionHash)
    if (act === 'consume') return consume(one, body.actionHash)
    if (act === 'outcome') {
      this.outcomes.push({ ...body, question: one.question })
      return { status: 204, body: {} }
    }
    return await this.#hold(one, Number(query.get('timeoutMs') ?? 0))
  }

  #list(query: URLSearchParams): Reply {
    const isOpen = query.get('state') !== 'ended'
    const sessionId = query.get('sessionId')
    const limit = Number(query.get('limit') ?? LIST_SIZE)
    const before = this.questions.findIndex(({ id }) => id === query.get('cursor'))
    const rows = this.questions
      .slice(0, before < 0 ? undefined : before)
      .filter((one) => (this.#find(one.id)?.status === 'pending') === isOpen)
      .filter(({ fields }) => sessionId === null || fields.sessionId === sessionId)
      .reverse()
    const questions = rows.slice(0, limit).map((one) => {
      const createdAt = new Date(one.startedAt).toISOString()
      const expiresAt = new Date(one.endsAt).toISOString()
      const { sessionId: session } = one.fields
      return { ...resultOf(one, this.#now()), sessionId: session, createdAt, expiresAt }
    })
    const next = rows.length > limit ? questions.at(-1)?.correlationId : undefined
    return { status: 200, body: { questions, next } }
  }

  #ask(fields: Fields, key: unknown): Stored {
    const earlier = this.questions.filter((one) => one.key === key).at(-1)
    if (earlier) this.#find(earlier.id)
    const isOver = earlier?.status === 'expired' && fields.lifeMs !== undefined
    if (earlier && !isOver) return earlier
    const isScope = fields.doneWhen !== undefined
    const type = fields.schema === undefined ? 'confirm' : 'input'
    const one: Stored = {
      ...{ id: `q_fake${this.questions.length + 1}`, key, fields, status: 'pending' },
      type: isScope ? 'scope' : String(fields.type ?? type),
      question: String(fields.question ?? fields.doneWhen),
      startedAt: this.#now(),
      endsAt: this.#now() + Number(fields.lifeMs ?? LIFE_MS),
    }
    end(one, this.#script(one))
    this.questions.push(one)
    return one
  }

  async #hold(one: Stored, timeoutMs: number): Promise<Reply> {
    const until = Date.now() + timeoutMs
    while (this.#find(one.id)?.status === 'pending' && Date.now() < until) {
      await new Promise<void>((wake) => {
        const timer = setTimeout(wake, until - Date.now())
        this.#waiting.push(() => {
          clearTimeout(timer)
          wake()
        })
      })
    }
    return { status: 200, body: resultOf(one, this.#now()) }
  }

  #cancel(one: Stored): Reply {
    const cancelled = one.status === 'pending'
    if (cancelled) one.status = 'cancelled'
    this.#change()
    return { status: 200, body: { correlationId: one.id, cancelled, status: one.status } }
  }

  #find(id: string): Stored | undefined {
    const one = this.questions.find((question) => [question.id, question.permit?.id].includes(id))
    if (one?.status === 'pending' && one.endsAt <= this.#now()) one.status = 'expired'
    return one
  }

  #now(): number {
    return Date.now() + this.#ahead
  }

  #change(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

function end(one: Stored, answer: FakeAnswer, note?: string): void {
  if (answer === undefined) return
  one.value = valueFor(one, answer)
  one.status = 'answered'
  if (note !== undefined) one.note = note
}

/** The value of the wire. Throws for an answer that a server would not take either. */
function valueFor({ type, fields }: Stored, answer: FakeAnswer): string {
  const refuse = (must: string) => new TypeError(`The answer to this question must be ${must}.`)
  const schema = (fields.schema ?? (type === 'confirm' ? fields.edit : undefined)) as FormSchema
  const isChange = schema !== undefined && typeof answer === 'object'
  if ((type === 'confirm' || type === 'scope') && !isChange) {
    if (typeof answer !== 'boolean') throw refuse('true or false')
    return answer ? 'yes' : 'no'
  }
  if (schema !== undefined) {
    const [wrong] = wrongValue(schema, answer)
    if (wrong) throw refuse(`right: ${wrong.field} ${wrong.must}`)
    return JSON.stringify(answer)
  }
  const choices = fields.options as readonly string[] | undefined
  if (typeof answer !== 'string' || answer === '') throw refuse('text')
  if (type === 'select' && !choices?.includes(answer)) throw refuse('one of its choices')
  return answer
}

function resultOf(
  { id, type, question, status, value, note, endsAt, fields }: Stored,
  now: number,
) {
  const { allowedPaths = [], offLimitsPaths = [], doneWhen, promises } = fields
  const contract = { allowedPaths, offLimitsPaths, doneWhen, ...(promises ? { promises } : {}) }
  const isScope = type === 'scope'
  return {
    ...{ correlationId: id, question, type: isScope ? 'confirm' : type, status },
    ...(status === 'answered' ? { value, note } : {}),
    ...(isScope && status === 'answered' ? { ratified: value === 'yes', contract } : {}),
    ...(status === 'pending' ? { expiresInSeconds: Math.ceil((endsAt - now) / 1_000) } : {}),
  }
}

function problem(code: string, detail: string): Reply {
  return { status: 409, body: { code, detail } }
}

async function issue(one: Stored, actionHash: unknown): Promise<Reply> {
  const action = /^action:([^:]+)/.exec(String(one.key))?.[1]
  const isYes = one.value === 'yes' || one.value?.startsWith('{')
  if (one.type !== 'confirm' || !isYes) return problem('conflict', 'Nobody said yes.')
  const edited = one.value === 'yes' ? undefined : JSON.parse(one.value ?? '')
  const about = edited ? await digestOf({ action, edited }) : action
  if (about !== undefined && about !== actionHash)
    return problem('permit_mismatch', 'Another call.')
  if (one.permit?.isUsed) return problem('permit_used', 'This permit was used.')
  one.permit ??= { id: `permit_${one.id}`, actionHash, isUsed: false }
  return { status: 200, body: { permitId: one.permit.id } }
}

function consume({ permit }: Stored, actionHash: unknown): Reply {
  if (!permit || permit.isUsed) return problem('permit_used', 'This permit was used.')
  if (permit.actionHash !== actionHash) return problem('permit_mismatch', 'Another call.')
  permit.isUsed = true
  return { status: 200, body: { permitId: permit.id } }
}
