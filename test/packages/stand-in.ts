/** A server that does something wrong; which of the cases, its address says: `URL/CASE`. */
export type StandIn = Disposable & {
  urlOf(name: string): string
  /** How often a permit was to be used in a case. */
  consumed(name: string): number
  /** The digests that permits were asked for in a case. */
  hashes(name: string): string[]
}

type Seen = { calls: Record<string, number>; hashes: string[] }

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
    const known = seen.get(name) ?? { calls: {}, hashes: [] }
    seen.set(name, known)
    return known
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const [, name = '', ...path] = new URL(request.url).pathname
        .split('/')
        .map(decodeURIComponent)
      const of = seenOf(name)
      const step = stepOf(request.method, path.join('/'))
      const time = (of.calls[step] ?? 0) + 1
      of.calls[step] = time
      if (step === 'permit') of.hashes.push(((await request.json()) as Asked).actionHash)
      return replyTo(name, step, time)
    },
  })
  return {
    urlOf: (name) =>
      name === 'down' ? 'http://127.0.0.1:1' : `${server.url.origin}/${encodeURIComponent(name)}`,
    consumed: (name) => seenOf(name).calls.consume ?? 0,
    hashes: (name) => seenOf(name).hashes,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

type Asked = { actionHash: string }
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
  'a page of a proxy': () =>
    new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } }),
  'half a reply': lost,
  'a redirect': () => Response.redirect('http://127.0.0.1:1/', 302),
  'a lost reply to the use': (step) => (step === 'consume' ? lost() : undefined),
  'a broken use': (step) => (step === 'consume' ? problem(500, 'internal') : undefined),
  'a proxy that strips Authorization': () => problem(401, 'unauthenticated'),
  'a proxy that strips Content-Type': () => problem(415, 'unsupported_media_type'),
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
