import type { NtfyBehaviour } from './ntfy-server.ts'
import type { Behaviour } from './push-server.ts'

type Plays = Behaviour | NtfyBehaviour

/**
 * What a service did with the first message, and what has to become of it. docs/delivery.md sums
 * them up.
 */
export type Fault = {
  /** What the service answers, in words. */
  answer: string
  /** What it plays, each request in turn; or where it is not. */
  plays: Plays[] | 'nobody listens' | 'a certificate for another name'
  /** In `delivery` of the agent's call, once it has answered. */
  counted: 'yes' | 'no' | 'pending'
  /** The outbox row: its state and the status it keeps. */
  row: string
  /** Seconds until the next attempt, for a row that waits. */
  again?: number
  /** What the devices page says of the device; `forgotten` when it is removed. */
  device: string
  alarm?: 'raised'
}

const accepted = (status: number): Pick<Fault, 'counted' | 'row' | 'device'> => ({
  counted: 'yes',
  row: `accepted ${status}`,
  device: 'last success',
})

const waiting = (status: number, again: number, device: string) =>
  ({ counted: 'pending', row: `waiting ${status}`, again, device }) as const

const refused = (status: number, device: string) =>
  ({ counted: 'no', row: `refused ${status}`, device }) as const

const OK = { status: 201 }
const after = (status: number, seconds: string, ok: Plays = OK): Plays[] => [
  { status, headers: { 'retry-after': seconds } },
  ok,
]

const FEWER = 'The push service asks for fewer messages (429).'
const trouble = (status: number) => `The push service has trouble of its own (${status}).`
const unreached = (why: string) => `The push service was not reached. ${why}`
const GONE = (status: number) => `forgotten: The subscription no longer exists (${status}).`
const redirect = (status: number) =>
  `The push service answered with a redirect (${status}), which is not followed.`
const signature = (status: number) =>
  `The push service did not accept this server's signature (${status}).`

/** Web Push; the message is worth sending for ten minutes, and it is 12:00:00 GMT. */
export const PUSH_FAULTS: Fault[] = [
  { answer: '201', plays: [OK], ...accepted(201) },
  { answer: '200', plays: [{ status: 200 }], ...accepted(200) },
  { answer: '202', plays: [{ status: 202 }], ...accepted(202) },
  { answer: '204', plays: [{ status: 204 }], ...accepted(204) },
  {
    answer: '201, then a body that never ends',
    plays: [{ status: 201, ends: 'never' }],
    ...accepted(201),
  },
  {
    answer: '201, then silence in the middle of the body',
    plays: [{ status: 201, ends: 'silence' }],
    ...accepted(201),
  },
  {
    answer: '201, then a reset in the middle of the body',
    plays: [{ status: 201, ends: 'reset' }],
    ...accepted(201),
  },
  { answer: '301', plays: to(301), ...refused(301, redirect(301)) },
  { answer: '302', plays: to(302), ...refused(302, redirect(302)) },
  {
    answer: '400 with `BadRequest`',
    plays: [{ status: 400, body: 'BadRequest' }],
    ...refused(400, 'The push service refused the message (400): BadRequest'),
  },
  { answer: '401', plays: [{ status: 401 }], ...refused(401, signature(401)), alarm: 'raised' },
  { answer: '403', plays: [{ status: 403 }], ...refused(403, signature(403)), alarm: 'raised' },
  { answer: '404', plays: [{ status: 404 }], counted: 'no', row: 'gone 404', device: GONE(404) },
  { answer: '410', plays: [{ status: 410 }], counted: 'no', row: 'gone 410', device: GONE(410) },
  { answer: '413, then 201 to the shorter one', plays: [{ status: 413 }, OK], ...accepted(201) },
  {
    answer: '413, and 413 to the shorter one',
    plays: [{ status: 413 }],
    ...refused(413, 'The push service found even the shortened message too large (413).'),
  },
  { answer: '429', plays: [{ status: 429 }, OK], ...waiting(429, 2, FEWER) },
  { answer: '429, `Retry-After: 7`', plays: after(429, '7'), ...waiting(429, 7, FEWER) },
  { answer: '429, `Retry-After: 0`', plays: after(429, '0'), ...waiting(429, 1, FEWER) },
  {
    answer: '429, `Retry-After: Sat, 31 Jan 2026 12:01:30 GMT`',
    plays: after(429, 'Sat, 31 Jan 2026 12:01:30 GMT'),
    ...waiting(429, 90, FEWER),
  },
  { answer: '429, `Retry-After: soon`', plays: after(429, 'soon'), ...waiting(429, 2, FEWER) },
  { answer: '429, `Retry-After: -5`', plays: after(429, '-5'), ...waiting(429, 2, FEWER) },
  tooLate('429, `Retry-After: 3600`', '3600'),
  tooLate('429, `Retry-After: 99999999999999`', '99999999999999'),
  { answer: '500', plays: [{ status: 500 }, OK], ...waiting(500, 2, trouble(500)) },
  { answer: '502', plays: [{ status: 502 }, OK], ...waiting(502, 2, trouble(502)) },
  { answer: '503, `Retry-After: 20`', plays: after(503, '20'), ...waiting(503, 20, trouble(503)) },
  {
    answer: 'connection refused',
    plays: 'nobody listens',
    ...waiting(0, 2, unreached('The connection failed (ECONNREFUSED).')),
  },
  {
    answer: 'connection reset',
    plays: ['reset', OK],
    ...waiting(0, 2, unreached('The connection failed (ECONNRESET).')),
  },
  {
    answer: 'no answer in 10 seconds',
    plays: ['hang', OK],
    ...waiting(0, 2, unreached('No answer came in time.')),
  },
  {
    answer: 'a certificate that is not good',
    plays: 'a certificate for another name',
    ...waiting(0, 2, unreached('The connection failed (CODE).')),
  },
]

function to(status: number): Plays[] {
  return [{ status, headers: { location: 'http://127.0.0.1:1/' } }]
}

function tooLate(answer: string, seconds: string): Fault {
  return { answer, plays: after(429, seconds), counted: 'no', row: 'lapsed 429', device: FEWER }
}

const NOT_NTFY = (status: number) =>
  `HOST answered, but not as an ntfy server does (${status}). Check the address of the topic.`
const NTFY = 'The ntfy server at HOST'
const ANEW = 'Add the topic again with a token or password that may write to it.'
const published = accepted(200)

/** An ntfy server; the rest as above. */
export const NTFY_FAULTS: Fault[] = [
  { answer: '200 with the message', plays: ['publish'], ...published },
  {
    answer: '200 with anything else',
    plays: [{ status: 200, body: '<h1>Welcome</h1>' }],
    ...refused(200, NOT_NTFY(200)),
  },
  { answer: '204', plays: [{ status: 204 }], ...refused(204, NOT_NTFY(204)) },
  {
    answer: '200, then a body that never ends',
    plays: [{ status: 200, ends: 'never' }],
    ...refused(200, NOT_NTFY(200)),
  },
  {
    answer: '200, then silence or a reset in the middle of the body',
    plays: [{ status: 200, ends: 'silence' }, 'publish'],
    ...waiting(200, 2, `${NTFY} broke off its answer (200).`),
  },
  {
    answer: '301, 302',
    plays: to(302),
    ...refused(
      302,
      `${NTFY} answered with a redirect (302), which is not followed. Use the address it leads to.`,
    ),
  },
  {
    answer: '400 with `{"error":"invalid topic"}`',
    plays: [{ status: 400, body: '{"error":"invalid topic"}' }],
    ...refused(400, `${NTFY} refused the message (400): invalid topic`),
  },
  {
    answer: '401',
    plays: [{ status: 401 }],
    ...refused(401, `${NTFY} did not accept the access token or password (401). ${ANEW}`),
  },
  {
    answer: '403',
    plays: [{ status: 403 }],
    ...refused(403, `${NTFY} does not let this server publish to the topic (403). ${ANEW}`),
  },
  {
    answer: '404',
    plays: [{ status: 404 }],
    ...refused(
      404,
      'There is no ntfy server at HOST that takes messages (404). Check the address of the topic.',
    ),
  },
  {
    answer: '410',
    plays: [{ status: 410 }],
    ...refused(410, `${NTFY} refused the message (410).`),
  },
  {
    answer: '413, then 200 to the shorter one',
    plays: [{ status: 413 }, 'publish'],
    ...published,
  },
  {
    answer: '413, and 413 to the shorter one',
    plays: [{ status: 413 }],
    ...refused(413, `${NTFY} found even the shortened message too large (413).`),
  },
  {
    answer: '429, `Retry-After: 7`',
    plays: after(429, '7', 'publish'),
    ...waiting(429, 7, `${NTFY} asks for fewer messages (429).`),
  },
  {
    answer: '429, `Retry-After: 3600`',
    plays: after(429, '3600', 'publish'),
    ...{ counted: 'no', row: 'lapsed 429', device: `${NTFY} asks for fewer messages (429).` },
  },
  {
    answer: '500, 502',
    plays: [{ status: 500 }, 'publish'],
    ...waiting(500, 2, `${NTFY} has trouble of its own (500).`),
  },
  {
    answer: '503, `Retry-After: 20`',
    plays: after(503, '20', 'publish'),
    ...waiting(503, 20, `${NTFY} has trouble of its own (503).`),
  },
  {
    answer: 'connection refused',
    plays: 'nobody listens',
    ...waiting(0, 2, `${NTFY} was not reached. The connection failed (ECONNREFUSED).`),
  },
  {
    answer: 'connection reset',
    plays: ['reset', 'publish'],
    ...waiting(0, 2, `${NTFY} was not reached. The connection failed (ECONNRESET).`),
  },
  {
    answer: 'no answer in 10 seconds',
    plays: ['hang', 'publish'],
    ...waiting(0, 2, `${NTFY} was not reached. No answer came in time.`),
  },
  {
    answer: 'a certificate that is not good',
    plays: 'a certificate for another name',
    ...waiting(0, 2, `${NTFY} was not reached. The connection failed (CODE).`),
  },
]
