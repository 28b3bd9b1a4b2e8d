/** A server that does something wrong; which of the cases, its address says: `URL/CASE`. */
export type StandIn = Disposable & {
  urlOf(name: string): string
  /** How often a permit was to be used in a case. */
  consumed(name: string): number
  /** The digests that permits were asked for in a case. */
  hashes(name: string): string[]
  /** How often a case was asked or waited for, and how often an outcome was reported. */
  asked(name: string): number
  outcomes(name: string): number
  /** What was posted that is no permit, with the names of those calls. */
  posts(name: string): Post[]
}

type Post = { body: Record<string, unknown>; key: string | null }
type Seen = { calls: Record<string, number>; hashes: string[]; posts: Post[] }

const ID = 'q_1'
const YES = {
  correlationId: ID,
  question: 'Go?',
  type: 'confirm',
  status: 'answered',
  value: 'yes',
}
const OPEN = { correlationId: ID, question: 'Go?', type: 'confirm', status: 'pending' }

export function standIn(): StandIn {
  const seen = new Map<string, Seen>()
  const seenOf = (name: string) => {
    const entry = seen.get(name) ?? { calls: {}, hashes: [], posts: [] }
    seen.set(name, entry)
    return entry
  }
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const [, name = '', ...path] = new URL(request.url).pathname
        .split('/')
        .map(decodeURIComponent)
      const of = seenOf(name)
      const step = stepOf(request.method, path.join('/'))
      const time = (of.calls[step] ?? 0) + 1
      of.calls[step] = time
      if (step === 'permit') of.hashes.push(((await request.json()) as AskBody).actionHash)
      if (step === 'ask') {
        const body = (await request.json()) as Post['body']
        of.posts.push({ body, key: request.headers.get('idempotency-key') })
      }
      return replyTo(name, step, time)
    },
  })
  return {
    urlOf: (name) =>
      name === 'down' ? 'http://127.0.0.1:1' : `${server.url.origin}/${encodeURIComponent(name)}`,
    consumed: (name) => seenOf(name).calls.consume ?? 0,
    hashes: (name) => seenOf(name).hashes,
    asked: (name) => (seenOf(name).calls.ask ?? 0) + (seenOf(name).calls.wait ?? 0),
    outcomes: (name) => seenOf(name).calls.outcome ?? 0,
    posts: (name) => seenOf(name).posts,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

type AskBody = { actionHash: string }
type Step = 'ask' | 'wait' | 'permit' | 'consume' | 'outcome'

function stepOf(method: string, path: string): Step {
  if (path.endsWith('/permit')) return 'permit'
  if (path.endsWith('/consume')) return 'consume'
  if (path.endsWith('/outcome')) return 'outcome'
  return method === 'GET' ? 'wait' : 'ask'
}

function problem(status: number, code: string): Response {
  return Response.json({ status, code, title: code, detail: `No: ${code}.` }, { status })
}

/** Not all of a reply has come. */
function lost(): Response {
  return new Response('{"permitId":', { headers: { 'content-type': 'application/json' } })
}

function page(status: number): Response {
  return new Response('<h1>Hello</h1>', { status, headers: { 'content-type': 'text/html' } })
}

function busy(retryAfter: string): Response {
  const init = { status: 429, headers: { 'retry-after': retryAfter } }
  return Response.json({ status: 429, code: 'rate_limited', detail: 'Too many.' }, init)
}

function never(): Promise<Response> {
  return new Promise(() => {})
}

/** Never silent, and never at its end. */
function drip(): Response {
  const bytes = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(100)
      controller.enqueue(' ')
    },
  })
  return new Response(bytes, { headers: { 'content-type': 'application/json' } })
}

const HOUR_MS = 60 * 60_000

function usual(step: Step): Response {
  if (step === 'permit') return Response.json({ permitId: 'permit_1', expiresAt: new Date() })
  if (step === 'consume') return Response.json({ permitId: 'permit_1', correlationId: ID })
  if (step === 'outcome') return new Response(null, { status: 204 })
  return Response.json(YES)
}

/** What each case does at a step for the `time`th time; undefined where it does nothing wrong. */
const WRONG: Record<
  string,
  (step: Step, time: number) => Response | Promise<Response> | undefined
> = {
  slow: async (step) => {
    await Bun.sleep(200)
    return usual(step)
  },
  restarting: (step, time) =>
    (step === 'ask' || step === 'permit') && time === 1 ? problem(503, 'unavailable') : undefined,
  'a lost reply with the permit': (step, time) =>
    step === 'permit' && time === 1 ? lost() : undefined,
  'a clock an hour behind': (step) => skewed(step, -HOUR_MS),
  'a clock an hour ahead': (step) => skewed(step, HOUR_MS),
  'replies in another order': (step, time) => {
    if (step === 'ask') return Response.json(OPEN)
    return step === 'wait' && time < 3
      ? Response.json({ ...OPEN, expiresInSeconds: 60 })
      : undefined
  },
  'a refusal of the outcome': (step) => (step === 'outcome' ? problem(409, 'conflict') : undefined),
  'a page of a proxy': () => page(200),
  'a page of a proxy with 401': () => page(401),
  'a page of a proxy with 404': () => page(404),
  'JSON of a proxy with 403': () => Response.json({ message: 'Forbidden' }, { status: 403 }),
  'a page of a proxy for a moment': (step, time) =>
    step === 'ask' && time === 1 ? page(502) : undefined,
  'Retry-After as a date': () => busy(new Date(Date.now() + HOUR_MS).toUTCString()),
  'Retry-After that is neither': () => busy('soon'),
  'nobody answers': async (step, time) => {
    if (step === 'ask') return Response.json({ ...OPEN, expiresInSeconds: 1 })
    if (time > 1) return Response.json({ ...OPEN, status: 'expired' })
    await Bun.sleep(1_500)
    return Response.json({ ...OPEN, expiresInSeconds: 0 })
  },
  'an open question that is not held': () => Response.json({ ...OPEN, expiresInSeconds: 60 }),
  'an outcome without a reply': (step) => (step === 'outcome' ? never() : undefined),
  'a drip': drip,
  'no reply at all': never,
  'a lost reply to a notification': (_, time) => (time === 1 ? lost() : Response.json({ sent: 1 })),
  'a lost reply to a proposal': (_, time) => (time === 1 ? lost() : undefined),
  'half a reply': lost,
  'a redirect': () => Response.redirect('http://127.0.0.1:1/', 302),
  'a lost reply to the use': (step) => (step === 'consume' ? lost() : undefined),
  'a broken use': (step) => (step === 'consume' ? problem(500, 'internal') : undefined),
  'a proxy that strips Authorization': () => problem(401, 'unauthenticated'),
  'a proxy that strips Content-Type': () => problem(415, 'unsupported_media_type'),
  'too many open questions': () => problem(429, 'limit_reached'),
  'older, without permits': (step) => (step === 'permit' ? problem(404, 'not_found') : undefined),
  'a permit that was stolen and used': (step) =>
    step === 'consume' ? problem(409, 'permit_used') : undefined,
  'a permit for other arguments': (step) =>
    step === 'permit' ? problem(409, 'permit_mismatch') : undefined,
  'a permit that is over': (step) =>
    step === 'consume' ? problem(409, 'permit_expired') : undefined,
  'a permit without an id': (step) => (step === 'permit' ? Response.json({}) : undefined),
  'the reply to another question': (step) => {
    if (step === 'ask') return Response.json({ ...YES, correlationId: 'q_2' })
    return step === 'permit' ? problem(409, 'permit_mismatch') : undefined
  },
  'a no': (step) => (step === 'ask' ? Response.json({ ...YES, value: 'no' }) : undefined),
  'a status of a newer server': (step) =>
    step === 'ask' ? Response.json({ ...YES, status: 'agreed' }) : undefined,
}

function skewed(step: Step, ms: number): Response {
  const now = new Date(Date.now() + ms)
  if (step !== 'permit') return usual(step)
  const body = { permitId: 'permit_1', expiresAt: now.toISOString() }
  return Response.json(body, { headers: { date: now.toUTCString() } })
}

async function replyTo(name: string, step: Step, time: number): Promise<Response> {
  return (await WRONG[name]?.(step, time)) ?? usual(step)
}
