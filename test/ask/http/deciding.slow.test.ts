import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { putVisibility } from '../../../src/ask/accounts/model/workspace-store.ts'
import { findClaim } from '../../../src/ask/claims/model/store.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import { listVotes } from '../../../src/ask/votes/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { signInAs } from '../../support/sign-in.ts'
import { JSON_BODY } from './who/rows.ts'
import { CALLERS, FORM, type WhoWorld, whoWorld } from './who/world.ts'

// Who does what with a question that a rule reserves: every route about it, every caller.
setDefaultTimeout(240_000)

/** Of those of `whoWorld`, the owner of the token that asks is `owner`. */
const ALL = [...CALLERS, 'decider', 'told'] as const
type Caller = (typeof ALL)[number]
/** They do not see it: it answers them as a missing one. */
const BLIND = ['outsider', 'stranger'] as const

let world: WhoWorld
const cookies = {} as Record<'decider' | 'told', Record<string, string>>
beforeAll(async () => {
  world = await whoWorld()
  const { app, workspaceId } = world
  const now = clock.now()
  const source = 'hand' as const
  const group = { id: 'group_deciders', workspaceId, name: 'deciders', source } as const
  await app.db.write(async (tx) => {
    for (const id of ['decider', 'told'] as const) {
      const who = { id, name: id, email: `${id}@example.org`, workspaceId, role: 'member' } as const
      await insertPerson(tx, who, now)
    }
    await insertGroup(tx, { ...group, externalId: undefined, createdAt: now })
    // Nobody is among them who only looks, or is gone; the asker is, and is excluded.
    await putGroupMembers(tx, group, 'hand', ['decider', 'owner', 'auditor', 'off', 'removed'])
  })
  const approve = { from: [group.id], tell: [group.id, 'told'] }
  await addRule({ db: app.db, clock }, workspaceId, { match: { toolName: 'Vote' }, approve })
  for (const id of ['decider', 'told'] as const)
    cookies[id] = { cookie: await signInAs(app, id), origin: app.url }
})
afterAll(() => world[Symbol.asyncDispose]())
const see = (visibility: 'group' | 'own') =>
  world.app.db.write((tx) => putVisibility(tx, world.workspaceId, visibility))
beforeEach(() => see('group'))

const headersOf = (as: Caller) =>
  as === 'decider' || as === 'told' ? cookies[as] : world.headersOf(as)

let asks = 0
async function ask(): Promise<QuestionId> {
  const body = { question: `Vote ${++asks}?`, toolName: 'Vote', wait: false }
  const headers = { ...JSON_BODY, ...world.headersOf('agent') }
  const response = await world.send('POST', '/api/v1/questions', {
    ...{ headers, body: JSON.stringify(body) },
  })
  return ((await response.json()) as { correlationId: QuestionId }).correlationId
}

type Body = { form?: Record<string, string>; json?: object }

async function call(as: Caller, route: string, id: string, { form, json }: Body) {
  const [method = '', path = ''] = route.split(' ')
  const type = form ? FORM : json ? JSON_BODY : {}
  const body = form ? new URLSearchParams(form).toString() : json && JSON.stringify(json)
  const headers = { origin: world.app.url, ...type, ...headersOf(as) }
  const rest = body === undefined ? { headers } : { headers, body }
  const response = await world.send(method, path.replace(':id', id), rest)
  const text = await response.text()
  const to = response.headers.get('location') ?? ''
  return { status: response.status, to, text }
}

/** `403 is_asker`, `200`, or `in` for the way to the sign-in. */
function wordsOf({ status, to, text }: Awaited<ReturnType<typeof call>>): string {
  if (to.startsWith('/sign-in')) return 'in'
  const code = text.startsWith('{') && status >= 400 ? JSON.parse(text).code : undefined
  return code === undefined ? `${status}` : `${status} ${code}`
}

type Expected = Record<Exclude<Caller, Closed>, string>
type Closed = 'nobody' | 'revoked' | 'expired' | 'directory' | 'policy' | 'policyReader' | Gone
type Gone = 'off' | 'removed'

/** On a page, what people are told who see it, the decider first; nobody else is let in. */
function page(
  [decider, other, owner]: readonly [string, string, string],
  { auditor = '403', unproven = '403' }: Partial<Record<string, string>> = {},
): Expected {
  const tokens = { agent: 'in', test: 'in', elsewhere: 'in' }
  const people = { decider, told: other, owner, member: other, auditor, unproven }
  return { ...tokens, ...people, outsider: '404', stranger: '404' }
}

function rest(
  [decider, other, owner]: readonly [string, string, string],
  { auditor = '403 forbidden', unproven = '403 forbidden', tokens = '401 unauthenticated' } = {},
): Expected {
  const people = { decider, told: other, owner, member: other, auditor, unproven }
  const unseen = { outsider: '404 not_found', stranger: '404 not_found' }
  return { agent: tokens, test: tokens, elsewhere: tokens, ...people, ...unseen }
}

const LOOKS = { auditor: '200', unproven: '200' }
const NOT = '403 not_a_decider'
const ROUTES: Array<[string, Body, Expected]> = [
  ['GET /d/:id', {}, page(['200', '200', '200'], LOOKS)],
  ['POST /d/:id/answer', { form: { value: 'yes' } }, page(['303', '422', '422'])],
  [
    'POST /d/:id/answer',
    { form: { value: 'no' } },
    page(['303', '422', '422'], { unproven: '422' }),
  ],
  ['POST /d/:id/claim', { form: {} }, page(['303', '422', '422'])],
  ['POST /d/:id/vote', { form: {} }, page(['303', '303', '303'])],
  [
    'GET /api/v1/questions/:id/approval',
    {},
    {
      ...rest(['200', '200', '200'], { ...LOOKS, tokens: '200' }),
      elsewhere: '404 not_found',
    },
  ],
  ...(['yes', 'no'] as const).map((value): [string, Body, Expected] => [
    'POST /api/v1/questions/:id/answer',
    { json: { value } },
    {
      ...rest(['200', NOT, '403 is_asker'], { tokens: '403 forbidden' }),
      ...(value === 'no' && { unproven: NOT }),
      elsewhere: '404 not_found',
    },
  ]),
  ['POST /api/v1/questions/:id/claim', {}, rest(['201', NOT, '403 is_asker'])],
  [
    'DELETE /api/v1/questions/:id/claim',
    {},
    rest(['404 not_found', '404 not_found', '404 not_found']),
  ],
  [
    'DELETE /api/v1/questions/:id/vote',
    {},
    rest(['404 not_found', '404 not_found', '404 not_found']),
  ],
  [
    'POST /api/v1/questions/:id/hand-over',
    {},
    rest(['403 forbidden', '403 forbidden', '403 forbidden']),
  ],
]
const WRITES: Record<string, string> = {
  'POST /d/:id/answer': 'decides',
  'POST /api/v1/questions/:id/answer': 'decides',
  'POST /d/:id/claim': 'takes',
  'POST /api/v1/questions/:id/claim': 'takes',
}

async function traceOf(id: QuestionId): Promise<string> {
  const { read } = world.app.db
  const question = await findQuestion(read, world.workspaceId, id)
  const votes = await listVotes(read, id)
  if (question?.status !== 'pending' || votes.length > 0) return 'decides'
  return (await findClaim(read, id, clock.now())) ? 'takes' : 'nothing'
}

test.each(ROUTES)('%s %o: each caller, and what is written', async (route, body, expected) => {
  const replies: Record<string, string> = {}
  const traces: Record<string, string> = {}
  let id = await ask()
  for (const as of ALL) {
    replies[as] = wordsOf(await call(as, route, id, body))
    const trace = await traceOf(id)
    if (trace !== 'nothing') {
      traces[as] = trace
      id = await ask()
    }
  }
  const isPage = !route.includes('/api/')
  const closed = ['nobody', 'revoked', 'expired', 'directory', 'policy', 'policyReader']
  const out = [...closed, 'off', 'removed'].map((as) => [as, isPage ? 'in' : '401 unauthenticated'])
  expect(replies).toEqual({ ...Object.fromEntries(out), ...expected })
  expect(traces).toEqual(WRITES[route] ? { decider: WRITES[route] } : {})
})

test('whoever may not see it is told of it, byte for byte, what they are told of a missing one', async () => {
  const id = await ask()
  const missing = `${id.slice(0, -6)}zzzzzz`
  for (const [route, body] of ROUTES) {
    for (const as of [...BLIND, 'elsewhere'] as const) {
      const [unseen, none] = [await call(as, route, id, body), await call(as, route, missing, body)]
      const plain = (reply: typeof unseen, own: string) =>
        JSON.stringify(reply)
          .replaceAll(own, 'ID')
          .replace(/ data-now=\\"\d+\\"/, '')
      expect([route, as, plain(unseen, id)]).toEqual([route, as, plain(none, missing)])
    }
  }
  expect(await traceOf(id)).toBe('nothing')
})

test('with `own`, whoever shares a group with the asker is blind too; whoever decides or is told is not', async () => {
  await see('own')
  const id = await ask()
  const replies = await Promise.all(
    (['decider', 'told', 'member', 'outsider', 'owner', 'auditor'] as const).map(async (as) => [
      as,
      wordsOf(await call(as, 'GET /api/v1/questions/:id/approval', id, {})),
    ]),
  )
  const no = '404 not_found'
  expect(Object.fromEntries(replies)).toEqual({
    ...{ decider: '200', told: '200', owner: '200', auditor: '200', member: no, outsider: no },
  })
})

test.each([
  ['claim', {}],
  ['answer', { json: { value: 'no' } }],
] as const)(
  'a %s reaches the streams of those who see the question, and no other',
  async (act, body) => {
    const id = await ask()
    const open = async (as: Caller) => {
      const { body } = await world.send('GET', '/api/v1/events', { headers: headersOf(as) })
      return [as, body] as const
    }
    const readers = await Promise.all(
      (['decider', 'told', 'member', 'outsider', 'stranger'] as const).map(open),
    )
    await call('decider', `POST /api/v1/questions/:id/${act}`, id, body)
    const isTold = ([as]: (typeof readers)[0]) => as !== 'outsider' && as !== 'stranger'
    const [inside, outside] = [readers.filter(isTold), readers.filter((one) => !isTold(one))]
    for (const [as, body] of inside)
      expect([as, await readFor(body, id, 45_000)]).toEqual([as, true])
    for (const [as, body] of outside)
      expect([as, await readFor(body, id, 500)]).toEqual([as, false])
  },
)

/** True if the stream names the id within `ms`. */
async function readFor(
  body: ReadableStream<Uint8Array> | null,
  id: string,
  ms: number,
): Promise<boolean> {
  const reader = body?.getReader()
  const end = AbortSignal.timeout(ms)
  let text = ''
  while (!end.aborted && !text.includes(id)) {
    const over = new Promise<undefined>((resolve) =>
      end.addEventListener('abort', () => resolve(undefined)),
    )
    const part = await Promise.race([reader?.read(), over])
    if (!part || part.done) break
    text += new TextDecoder().decode(part.value)
  }
  await reader?.cancel()
  return text.includes(id)
}
