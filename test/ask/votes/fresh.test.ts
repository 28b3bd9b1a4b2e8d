import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { session } from '../../../src/ask/accounts/model/auth-tables.ts'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import { merged } from '../../../src/ask/policy/requirement.ts'
import { answeredOn } from '../../../src/ask/questions/model/question.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { Receipt } from '../../../src/ask/receipts/model/receipt.ts'
import { verifyReceipt } from '../../../src/ask/receipts/verify-receipt.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { listVotes } from '../../../src/ask/votes/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { canonicalText } from '../../../src/platform/signing/canonical.ts'
import {
  makePrivatePem,
  publicPem,
  readPrivatePem,
  signText,
} from '../../../src/platform/signing/ed25519.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, cookieOf, signInAs } from '../../support/sign-in.ts'
import { softPasskey } from '../../support/soft-passkey.ts'
import { until } from '../../support/until.ts'

type Name = 'bob' | 'fay'
const AUTH = '/api/auth/passkey'
const MINUTE_MS = 60_000

let world: PageWorld
const people = {} as Record<Name, Person>
const cookies = {} as Record<Name, string>
let engineers: Group
let token: string

beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId, app } = world
  for (const name of ['bob', 'fay'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    people[name] = await addPersonWithPassword({ db, clock }, who)
    cookies[name] = await signInAs(app, people[name].id)
  }
  const id = newId('group', clock.now())
  const of = { id, workspaceId, name: 'engineers', source: 'hand' } as const
  engineers = { ...of, externalId: undefined, createdAt: 1 }
  await db.write(async (tx) => {
    await insertGroup(tx, engineers)
    await putGroupMembers(tx, engineers, 'hand', [people.bob.id, people.fay.id])
  })
  const by = people.fay.id
  token = (await createToken({ db, clock }, { workspaceId, name: 'agent', by })).token
})
afterEach(() => world[Symbol.asyncDispose]())

const rule = (approve: Partial<RuleApprove>) =>
  addRule({ db: world.db, clock }, world.workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [engineers.id], asker: 'counts', ...approve },
  })

async function ask(more: object = {}) {
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Go?', toolName: 'Bash', wait: false, ...more }),
  })
  return ((await response.json()) as { correlationId: QuestionId }).correlationId
}

const votesOn = async (id: QuestionId) =>
  (await listVotes(world.db.read, id)).map(({ name, value, proof }) => `${name} ${value} ${proof}`)

/** Sends the answer form of the page, and reads what comes back. */
async function send(id: QuestionId, who: Name, fields: Record<string, string>) {
  const response = await world.post(`/d/${id}/answer`, fields, { cookie: cookies[who] })
  return { status: response.status, html: response.status === 303 ? '' : await response.text() }
}

async function restAnswer(id: QuestionId, who: Name, value: string) {
  const response = await fetch(`${world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { cookie: cookies[who], origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  })
  return { ...((await response.json()) as { code?: string }), status: response.status }
}

const rpId = () => new URL(world.app.baseUrl).hostname

async function register(who: Name) {
  const passkey = softPasskey(rpId(), world.url)
  const options = await fetch(`${world.url}${AUTH}/generate-register-options`, {
    headers: { cookie: cookies[who] },
  })
  const { challenge } = (await options.json()) as { challenge: string }
  const response = await fetch(`${world.url}${AUTH}/verify-registration`, {
    method: 'POST',
    headers: {
      cookie: `${cookies[who]}; ${cookieOf(options.headers)}`,
      origin: world.url,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ response: passkey.register(challenge), name: 'Phone' }),
  })
  expect(response.status).toBe(200)
  return passkey
}

/** The passkey form that the page answers an answer with. */
async function proveForm(id: QuestionId, who: Name, fields: Record<string, string>) {
  const { html } = await send(id, who, fields)
  const prove = /data-prove="([^"]+)"/.exec(html)?.[1]?.replaceAll('&quot;', '"')
  const nonce = /name="proving" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const { challenge } = JSON.parse(prove ?? '{}') as { challenge: string }
  return { challenge, fields: { ...fields, proving: nonce } }
}

const YES = { value: 'yes', note: 'looks right' }

test('a yes under a passkey rule counts with a signature of this question and this answer, and once', async () => {
  await rule({ fresh: 'passkey', need: 2 })
  const id = await ask()
  expect(await restAnswer(id, 'bob', 'yes')).toMatchObject({ status: 403, code: 'proof_needed' })
  expect((await send(id, 'bob', YES)).html).toContain('you have none here')
  expect(await votesOn(id)).toEqual([])

  const passkey = await register('bob')
  const form = await proveForm(id, 'bob', YES)
  const signed = { ...form.fields, signature: JSON.stringify(passkey.signIn(form.challenge)) }
  expect((await send(id, 'bob', signed)).status).toBe(303)
  expect(await votesOn(id)).toEqual(['bob yes passkey'])
  const [vote] = await listVotes(world.db.read, id)
  expect(vote?.note).toBe('looks right')

  // The same signature once more, after the vote was taken back.
  await world.post(`/d/${id}/vote`, {}, { cookie: cookies.bob })
  expect((await send(id, 'bob', signed)).status).toBe(422)
  expect(await votesOn(id)).toEqual([])
})

test('a signature does not count for another question, answer, person or challenge, nor unverified', async () => {
  await rule({ fresh: 'passkey' })
  const passkey = await register('bob')
  const [id, other] = [await ask(), await ask({ question: 'Stop?' })]
  const choose = { type: 'select', options: ['blue', 'green'] }
  const colour = await ask({ question: 'Which?', ...choose })
  const form = await proveForm(id, 'bob', YES)
  const signature = JSON.stringify(passkey.signIn(form.challenge))
  const theirs = await register('fay')
  const blue = await proveForm(colour, 'bob', { value: 'blue' })
  const later = await proveForm(other, 'bob', YES)
  const wrong: Array<[QuestionId, Name, Record<string, string>]> = [
    [other, 'bob', { ...form.fields, signature }],
    [other, 'bob', { ...later.fields, signature }],
    [id, 'fay', { ...form.fields, signature }],
    [
      colour,
      'bob',
      { ...blue.fields, value: 'green', signature: JSON.stringify(passkey.signIn(blue.challenge)) },
    ],
    ...[
      JSON.stringify(passkey.signIn(form.challenge, { verified: false })),
      JSON.stringify(theirs.signIn(form.challenge)),
      JSON.stringify(softPasskey('evil.example', world.url).signIn(form.challenge)),
      JSON.stringify(passkey.signIn(later.challenge)),
      ...['', 'null', '{}', '{"id":{}}', '[', JSON.stringify({ id: 'x', type: 'public-key' })],
    ].map((one): [QuestionId, Name, Record<string, string>] => [
      id,
      'bob',
      { ...form.fields, signature: one },
    ]),
  ]
  for (const [of, who, fields] of wrong) {
    const { status, html } = await send(of, who, fields)
    expect([status, html.includes('The passkey did not count')]).toEqual([422, true])
  }
  for (const of of [id, other, colour]) expect(await votesOn(of)).toEqual([])
  // None of it used the challenge up.
  expect((await send(id, 'bob', { ...form.fields, signature })).status).toBe(303)
  expect(await votesOn(id)).toEqual(['bob yes passkey'])
})

test('a no needs nothing more, and a yes of a chat or a button is refused with the reason', async () => {
  await rule({ fresh: 'passkey', need: 2 })
  const id = await ask()
  const deps = { db: world.db, clock, onEnded: [] }
  const { workspaceId } = world
  const yes = { workspaceId, questionId: id, value: 'yes', by: people.bob.id }
  for (const kind of ['chat', 'device', 'link'] as const) {
    const on = answeredOn(kind, { id: 'sub_1', label: 'Phone', personId: people.bob.id })
    const refused = await answerQuestion(deps, { ...yes, on }).catch(({ message }) => message)
    expect(refused).toContain('a passkey, which nothing but its page takes')
  }
  expect(await votesOn(id)).toEqual([])
  expect((await restAnswer(id, 'bob', 'no')).status).toBe(200)
  expect((await findQuestion(world.db.read, workspaceId, id))?.value).toBe('no')
})

const age = (who: Name, ms: number) =>
  world.db.write((tx) =>
    tx
      .update(session)
      .set({ createdAt: new Date(Date.now() - ms) })
      .where(eq(session.userId, people[who].id)),
  )

test('a yes under a fresh sign-in counts for 15 minutes, then it leads through the sign-in and back', async () => {
  await rule({ fresh: 'sign_in', need: 2 })
  const id = await ask()
  expect((await restAnswer(id, 'fay', 'yes')).status).toBe(200)
  expect(await votesOn(id)).toEqual(['fay yes sign_in'])

  await age('bob', 16 * MINUTE_MS)
  expect((await restAnswer(id, 'bob', 'yes')).code).toBe('proof_needed')
  const { html } = await send(id, 'bob', YES)
  const again = /href="(\/sign-in\?[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(await votesOn(id)).toHaveLength(1)
  const next = new URL(again, world.url).searchParams.get('next') ?? ''
  const door = await (await world.get(again, cookies.bob)).text()
  expect(door).toContain('type="password"')
  const entry = { email: 'bob@example.org', password: PASSWORD, next }
  const entered = await world.post('/sign-in', entry, { cookie: cookies.bob })
  expect(entered.headers.get('location')).toBe(next)
  const before = cookies.bob
  cookies.bob = cookieOf(entered.headers)
  const back = await (await world.get(next, cookies.bob)).text()
  expect([back.includes('Nothing was sent yet'), back.includes('looks right')]).toEqual([
    true,
    true,
  ])
  expect(await votesOn(id)).toHaveLength(1)
  // The earlier session, which somebody may have planted or copied, is none any more.
  const [fresh] = [cookies.bob]
  cookies.bob = before
  expect((await restAnswer(id, 'bob', 'yes')).status).toBe(401)
  cookies.bob = fresh
  expect((await restAnswer(id, 'bob', 'yes')).status).toBe(200)
  expect(await votesOn(id)).toEqual(['fay yes sign_in', 'bob yes sign_in'])
})

test('a phone that scanned a code has no fresh sign-in, and adds no passkey', async () => {
  await rule({ fresh: 'sign_in' })
  const id = await ask()
  const pairedAt = new Date()
  const ofBob = eq(session.userId, people.bob.id)
  await world.db.write((tx) => tx.update(session).set({ pairedAt }).where(ofBob))
  expect((await restAnswer(id, 'bob', 'yes')).code).toBe('proof_needed')
  expect(await votesOn(id)).toEqual([])
  const options = await fetch(`${world.url}${AUTH}/generate-register-options`, {
    headers: { cookie: cookies.bob },
  })
  expect(options.status).toBe(403)
})

test('an open browser adds no passkey of its own, which would prove somebody else', async () => {
  await age('bob', 16 * MINUTE_MS)
  const options = await fetch(`${world.url}${AUTH}/generate-register-options`, {
    headers: { cookie: cookies.bob },
  })
  expect(options.status).toBe(403)
  const page = await (await world.get('/settings/passkeys', cookies.bob)).text()
  expect(page).toContain('Sign in again to add a passkey')
})

/** The receipt of a question, once it is signed. */
async function receiptOf(id: QuestionId): Promise<Receipt> {
  let receipt: Receipt | undefined
  await until(async () => {
    const response = await world.get(`/api/v1/receipts/${id}`)
    if (response.ok) receipt = (await response.json()) as Receipt
    return receipt !== undefined
  })
  return receipt as Receipt
}

const strangerKey = readPrivatePem(makePrivatePem())
/** A receipt with this content, which somebody else signed. */
function forged(payload: object): string {
  if (!strangerKey) throw new Error('no key')
  const text = canonicalText({ ...payload, kid: strangerKey.kid })
  const signature = signText(strangerKey, text)
  const publicKey = publicPem(strangerKey)
  return JSON.stringify({
    payload: text,
    alg: 'Ed25519',
    kid: strangerKey.kid,
    signature,
    publicKey,
  })
}

type Voter = { id: string; passkey: Record<string, string> }
type Payload = {
  version: number
  server: string
  question: Record<string, string>
  decision: { value: string; by: { people: Voter[] } }
}

test('the receipt carries what a passkey signed, and each changed part of it is noticed', async () => {
  await rule({ fresh: 'passkey' })
  const id = await ask({ action: 'terraform apply' })
  const passkey = await register('bob')
  const form = await proveForm(id, 'bob', { ...YES, sure: 'yes' })
  const signature = JSON.stringify(passkey.signIn(form.challenge))
  expect((await send(id, 'bob', { ...form.fields, signature })).status).toBe(303)
  const receipt = await receiptOf(id)
  expect(await verifyReceipt(JSON.stringify(receipt))).toMatchObject({ ok: true })
  const payload = JSON.parse(receipt.payload) as Payload
  const [voter] = payload.decision.by.people
  if (!voter) throw new Error('nobody voted')
  expect([payload.version, Object.keys(voter.passkey).sort()]).toEqual([
    5,
    'approvalSha256 authenticatorData clientData credentialId nonce publicKey signature'.split(' '),
  ])
  const withVoter = (changes: object) => ({
    ...payload,
    decision: {
      ...payload.decision,
      by: { ...payload.decision.by, people: [{ ...voter, ...changes }] },
    },
  })
  const other = await register('fay')
  const theirs = other.signIn(form.challenge).response as Record<string, string>
  const changed: Record<string, object> = {
    person: withVoter({ id: people.fay.id }),
    question: { ...payload, question: { ...payload.question, id: 'q_other' } },
    text: { ...payload, question: { ...payload.question, textSha256: 'a'.repeat(64) } },
    action: { ...payload, question: { ...payload.question, actionSha256: 'a'.repeat(64) } },
    value: { ...payload, decision: { ...payload.decision, value: 'no' } },
    server: { ...payload, server: 'https://other.example' },
    'another key': withVoter({ passkey: { ...voter.passkey, signature: theirs.signature } }),
  }
  for (const name of Object.keys(voter.passkey)) {
    // No authenticator signs the id of its credential: the key of the server does.
    if (name === 'credentialId') continue
    const text = voter.passkey[name] ?? ''
    const at = Math.floor(text.length / 2)
    const spoiled = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
    changed[name] = withVoter({ passkey: { ...voter.passkey, [name]: spoiled } })
  }
  expect(await verifyReceipt(forged(payload))).toMatchObject({ ok: true })
  const results = Object.entries(changed).map(async ([name, one]) => {
    const result = await verifyReceipt(forged(one))
    return [name, result.ok, 'why' in result && result.why.includes('passkey')]
  })
  expect(await Promise.all(results)).toEqual(
    Object.keys(changed).map((name) => [name, false, true]),
  )
})

test('of several rules the strictest proof holds', () => {
  const of = (fresh?: RuleApprove['fresh']) => ({
    ...{ id: newId('rule', 1), workspaceId: 'ws_1' as const, match: {}, set: {} },
    ...{ decision: undefined, createdAt: 1 },
    approve: { from: ['group_1'], ...(fresh && { fresh }) },
  })
  const nameOf = (id: string) => ({ id: id as 'group_1', name: id })
  const strictest = (...all: Array<RuleApprove['fresh']>) =>
    merged(all.map(of), nameOf, undefined).fresh
  expect(strictest(undefined)).toBeUndefined()
  expect(strictest(undefined, 'sign_in')).toBe('sign_in')
  expect(strictest('passkey', 'sign_in')).toBe('passkey')
})
