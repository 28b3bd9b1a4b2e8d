import type { HookContract, HookRequest } from '../../src/agent/session/server.ts'
import type { CallMatch } from '../../src/ask/wire/call-match.ts'
import type { HookReply } from '../../src/ask/wire/hook-fields.ts'

type Answer = { value: 'yes' | 'no'; note?: string } | { status: string } | undefined

/** A server that says to hooks what a test wants, in the shape of the real one. */
export type HookServer = Disposable & {
  url: string
  /** What `POST /api/v1/hooks/CLIENT` was asked, in order. */
  asked: Array<HookRequest & { machineId: string }>
  /** The ids of withdrawn questions. */
  withdrawn: string[]
  notes: Array<Record<string, unknown>>
  /** The permits that were used up. */
  used: Set<string>
  contract: HookContract | null
  /** The calls that it says rules decide. */
  ruleMatches: CallMatch[]
  /** Whether a scope is proposed and still open. */
  proposed: boolean
  /** The one session that has the contract; undefined: whichever asks. */
  ratifiedBy: string | undefined
  /** Said of each new question; a wait for it goes on while it is undefined. */
  answer: Answer
  /** What the reply to `check` has instead of, or beside, a plain question. */
  reply: Partial<HookReply> & { questionFields?: object }
  /** Stands before everything; undefined lets the call through. */
  before: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined
  stop(): void
}

export const TOKEN = 'bk_test'

export function hookServer(port = 0): HookServer {
  const questions = new Map<string, string>()
  const server = Bun.serve({ port, hostname: '127.0.0.1', idleTimeout: 60, fetch: answerCall })
  const self: HookServer = {
    url: `http://127.0.0.1:${server.port}`,
    asked: [],
    withdrawn: [],
    notes: [],
    used: new Set(),
    contract: null,
    ruleMatches: [],
    proposed: false,
    ratifiedBy: undefined,
    answer: undefined,
    reply: {},
    before: undefined,
    stop: () => void server.stop(true),
    [Symbol.dispose]: () => void server.stop(true),
  }
  return self

  async function answerCall(request: Request): Promise<Response> {
    const early = await self.before?.(request)
    if (early) return early
    if (request.headers.get('authorization') !== `Bearer ${TOKEN}`) return problem(401)
    const path = new URL(request.url).pathname
    if (path.startsWith('/api/v1/hooks/')) return Response.json(await replyTo(await request.json()))
    if (path.endsWith('/notifications')) {
      self.notes.push((await request.json()) as Record<string, unknown>)
      return Response.json({ sent: 1 })
    }
    const id = path.split('/')[4] ?? ''
    if (path.endsWith('/permit')) return Response.json({ permitId: `permit_${id}` })
    if (path.endsWith('/consume')) {
      const isFirst = !self.used.has(id)
      self.used.add(id)
      return isFirst ? Response.json({ permitId: id }) : problem(409)
    }
    if (path.endsWith('/cancel')) {
      self.withdrawn.push(id)
      return Response.json({ correlationId: id, cancelled: true, status: 'cancelled' })
    }
    return Response.json(
      await waited(id, Number(new URL(request.url).searchParams.get('timeoutMs'))),
    )
  }

  async function replyTo(request: HookServer['asked'][number]): Promise<HookReply> {
    self.asked.push(request)
    const { questionFields, ...reply } = self.reply
    const isTheirs = self.ratifiedBy === undefined || self.ratifiedBy === request.sessionId
    const contract = isTheirs ? self.contract : null
    const proposed = self.proposed ? { proposed: true } : {}
    const { ruleMatches } = self
    const rules = ruleMatches.length > 0 ? { ruleMatches } : {}
    const base = { contract, etag: JSON.stringify(contract ?? ''), ...proposed, ...rules }
    if (request.event !== 'check' && request.event !== 'approval') return base
    if (reply.noRule) return { ...base, noRule: true }
    const key = request.ask?.toolUseId ?? request.ask?.requestId ?? ''
    if (!questions.has(key)) questions.set(key, `q_${questions.size + 1}`)
    const correlationId = questions.get(key) ?? ''
    const question = {
      correlationId,
      question: request.ask?.question,
      type: 'confirm',
      ...questionFields,
    }
    return { ...base, question: { ...question, ...outcome() }, ...reply } as HookReply
  }

  async function waited(correlationId: string, ms: number): Promise<object> {
    const until = performance.now() + ms
    while (self.answer === undefined && performance.now() < until) await Bun.sleep(5)
    return { correlationId, answered: self.answer !== undefined, ...outcome() }
  }

  function outcome(): object {
    if (self.answer === undefined) return { status: 'pending' }
    return { status: 'answered', ...self.answer }
  }
}

function problem(status: number): Response {
  return Response.json({ status, code: 'unauthenticated', detail: 'No.' }, { status })
}
