import fc from 'fast-check'
import { deviceKey } from '../../../../src/ask/delivery/model/links.ts'
import { rules } from '../../../../src/ask/policy/model/table.ts'
import { Failure } from '../../../../src/platform/failure.ts'
import type { Row } from '../../../ask/http/who/row.ts'
import { JSON_BODY, methodAndPath, ROWS } from '../../../ask/http/who/rows.ts'
import { type As, FORM } from '../../../ask/http/who/world.ts'
import { filledFrom } from '../../../support/filled-from.ts'
import { REST_ROUTES } from '../../../support/rest-routes.ts'
import { howOften } from '../../../support/share.ts'
import { fitAnswer } from '../answers.ts'
import { type House, house } from '../house.ts'
import { asJsonText, nearly, ODD_TEXT } from '../mutate.ts'
import { type Became, endpoint, type Target, type Trial } from '../target.ts'

type Fields = Record<string, unknown>

/** One request to a route, wrong in some places. */
type Sent = {
  /** Somebody who may, now and then somebody who may not. */
  as: As
  /** In place of the id of a thing. */
  part: string | undefined
  query: [string, string][]
  headers: Record<string, string>
  body: string | undefined
}

// After these nobody is signed in any more.
const ENDS_SESSIONS = /sign-out|sign-in|revoke-(other-)?sessions|change-password|POST \/pair\/:code/
// A thing is used up by what is done to it, and making one takes longer than to ask about it.
const USES_OF_A_THING = 2

const NAMES = [
  ...[
    'q',
    'page',
    'from',
    'sort',
    'since',
    'tools',
    'showing',
    'seen',
    'pair',
    'next',
    'key',
    'at',
  ],
  ...['cursor', 'limit', 'kind', 'category', 'capability', 'grade', 'pricing', 'auth', 'transport'],
  ...[
    'minScore',
    'agentReady',
    'graded',
    'removed',
    'updatedSince',
    'view',
    'x402',
    'tag',
    'where',
  ],
  ...[
    'search',
    'updated_since',
    'include_deleted',
    'version',
    'type',
    'network',
    'query',
    'offset',
  ],
  ...['metadata[provider]', 'asks', 'test', 'repoKey', 'toolName', 'toolTarget', 'agentName'],
  ...['machineId', 'timeoutMs', 'who', 'person', 'until', 'after', 'before', 'format', 'status'],
]
const VALUES = ['1', '0', '20', 'true', 'score', 'name', 'mcp', 'slim', 'csv', '2026-01-01', 'a,b']

const value = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...VALUES) }, ODD_TEXT)
const headerText = ODD_TEXT.map((text) =>
  text
    .replace(/[^\t\x20-\x7e\xa0-\xff]/g, '')
    .slice(0, 2_000)
    .trim(),
)
const HEADERS = fc.dictionary(
  fc.constantFrom(
    ...['accept', 'accept-language', 'accept-encoding', 'if-none-match', 'if-modified-since'],
    ...['range', 'user-agent', 'x-beckon-env', 'x-service-env', 'referer', 'content-type'],
    ...['content-encoding', 'sec-fetch-site', 'hx-request', 'hx-current-url', 'last-event-id'],
    ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'idempotency-key'],
  ),
  fc.oneof(
    headerText,
    fc.constantFrom('text/html', 'gzip;q=0', '*/*;q=x', '"a", W/"b"', 'true', 'test', 'de-CH,*'),
  ),
  { maxKeys: 3 },
)

function requestsFor(
  { statuses }: Row,
  names: readonly string[],
  body: fc.Arbitrary<string | undefined>,
) {
  const callers = Object.keys(statuses) as As[]
  const may = callers.filter((as) => typeof statuses[as] === 'number' && statuses[as] < 400)
  const [first = 'owner'] = (['test', 'owner', 'member', 'nobody'] as const).filter((as) =>
    may.includes(as),
  )
  const seldom = <T>(arbitrary: fc.Arbitrary<T>, usual: T, weight: number) =>
    fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary })
  const query = fc.array(fc.tuple(fc.constantFrom(...names, ...NAMES), value), { maxLength: 3 })
  return fc.record<Sent>({
    as: seldom(fc.constantFrom(...callers), first, 12),
    part: seldom(ODD_TEXT, undefined, 3),
    query: seldom(query, [], 1),
    headers: seldom(HEADERS, {}, 2),
    body,
  })
}

/** The input of the REST route at this address, as its description has it. */
function described(route: string) {
  const [method, path] = route.split(' ')
  return REST_ROUTES.find(({ spec }) => spec.method === method && `/api/v1${spec.path}` === path)
    ?.spec.input
}

/** What the forms of the pages have, by any name of any of them. */
const FORM_NAMES = [
  ...['value', 'note', 'other', 'surface', 'from', 'back', 'code', 'name', 'email', 'password'],
  ...['address', 'label', 'theme', 'kind', 'role', 'mode', 'wait', 'grace', 'presence', 'pause'],
  ...['quiet', 'zone', 'to', 'tags', 'toolName', 'decision', 'allowed', 'offLimits', 'key', 'next'],
]

function formOf(form: Record<string, string>): fc.Arbitrary<string> {
  const names = [...Object.keys(form), ...FORM_NAMES]
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 })
  const twice = fc.boolean()
  return fc.tuple(changes, twice).map(([changed, both]) => {
    const fields = new URLSearchParams(form)
    for (const [name, text] of changed) {
      if (both) fields.append(name, text)
      else fields.set(name, text)
    }
    return fields.toString()
  })
}

function bodiesOf(row: Row): fc.Arbitrary<string | undefined> {
  const { method } = methodAndPath(row)
  if (method === 'GET' || method === 'HEAD') return fc.constant(undefined)
  const schema = described(row.route)
  if (row.form) return fc.oneof({ weight: 9, arbitrary: formOf(row.form) }, ODD_TEXT)
  const filled = schema
    ? [0, 1].map((n) => withKey(filledFrom(schema, 'Go on?', PUSH, n) as Fields))
    : []
  const seeds = [row.json, ...filled].filter((seed) => seed !== undefined)
  return asJsonText(seeds.length > 0 ? nearly(...seeds) : nearly({}, { value: 'yes' }))
}

/** `x` is what becomes the key of the device. */
function withKey(filled: Fields): Fields {
  return 'key' in filled ? { ...filled, key: 'x' } : filled
}

const PUSH = 'https://push.invalid/x'

/** Nothing is waited for that could be answered at once. */
function unwaiting(body: string): string {
  return body.replaceAll('"wait":true', '"wait":false').replace(/("timeoutMs":)\d{4,}/, '$11000')
}

function targetOf(row: Row): Target {
  const { method, path } = methodAndPath(row)
  const properties = Object.keys((described(row.route) as Fields | undefined)?.properties ?? {})
  return endpoint(
    `route ${row.route}`,
    [row.route],
    async () => {
      const it = await house()
      const things = usedUp(row, it)
      const people = signedIn(row, it)
      const attempt = async ({ as, part, query, headers, body }: Sent): Promise<Became> => {
        const thing = await things()
        const at = path.replace(/:\w+/, () => encodeURIComponent((part ?? thing).toWellFormed()))
        const search = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
        const who = as === 'agent' || as === 'test' ? it.bearer() : await people(as)
        const type = row.form ? FORM : body === undefined ? {} : JSON_BODY
        const init = body === undefined ? {} : { body: signed(it, thing, unwaiting(body)) }
        const response = await it.world.send(method, at + search, {
          headers: { origin: it.url, ...type, ...who, ...headers },
          ...init,
        })
        if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
          await response.body?.cancel()
          return 'taken'
        }
        const became = await fitAnswer(response)
        it.quiet()
        if (became === 'taken') people.ended()
        return became
      }
      return { input: requestsFor(row, properties, bodiesOf(row)), attempt } satisfies Trial<Sent>
    },
    fewOf(row),
  )
}

/** Those that hash passwords, or look at the whole house, take their time. */
function fewOf({ route }: Row): number {
  if (/health$/.test(route)) return 1
  return ENDS_SESSIONS.test(route) ? howOften(2, 5) : howOften(4, 10)
}

/** Who is signed in: somebody of their own where the route ends sessions. */
function signedIn({ route }: Row, it: House) {
  const ends = ENDS_SESSIONS.test(route)
  let guest: Promise<Record<string, string>> | undefined
  const people = async (as: As): Promise<Record<string, string>> => {
    if (!ends || as === 'nobody' || as === 'expired' || as === 'revoked') {
      return it.world.headersOf(as)
    }
    guest ??= it.guest()
    return await guest
  }
  people.ended = () => {
    guest = undefined
  }
  return people
}

/** What there is at an address whose row in the other table is about nothing. */
const THERE: Record<string, string> = {
  'GET /api/v1/tools/:file': 'resend.json',
  'GET /tools/:file': 'resend.md',
}

function usedUp({ route, thing }: Row, { world }: House): () => Promise<string> {
  let [id, uses]: [string, number] = ['', USES_OF_A_THING]
  return async () => {
    const there = THERE[route]
    if (there) return there
    if (!thing || ++uses <= USES_OF_A_THING) return id
    try {
      id = await thing(world)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'conflict') throw error
      // A workspace has so many rules and no more.
      await world.app.db.write((tx) => tx.delete(rules))
      id = await thing(world)
    }
    uses = 0
    return id
  }
}

/** Where a device shows who it is, as this one would. */
function signed({ world }: House, thing: string, body: string): string {
  const secret = world.app.secrets.quickAnswerSecret
  return body.replaceAll(
    '"key":"x"',
    () => `"key":"${deviceKey(secret, thing as `sub_${string}`)}"`,
  )
}

/** Every route of the server, from the table of who may do what; MCP has words of its own. */
export const ROUTES: readonly Target[] = ROWS.filter(
  ({ route }) => !/^ALL (\/api\/mcp\/|\/mcp$)/.test(route),
).map(targetOf)
