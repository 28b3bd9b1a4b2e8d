import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { putName } from '../../../src/ask/accounts/model/person-store.ts'
import { listAbout } from '../../../src/ask/audit/model/store.ts'
import { endQuestion } from '../../../src/ask/questions/end-question.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import type { Receipt } from '../../../src/ask/receipts/model/receipt.ts'
import { deleteReceipts, findReceipt, findUnsigned } from '../../../src/ask/receipts/model/store.ts'
import { noteDecision, signReceipts } from '../../../src/ask/receipts/sign-receipts.ts'
import { forgetQuestions } from '../../../src/ask/retention/forget.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { loadServerKey } from '../../../src/platform/db/server-key.ts'
import { newId } from '../../../src/platform/ids.ts'
import { beckon } from '../../support/beckon.ts'
import { CORPUS } from '../../support/hostile-corpus.ts'
import { aQuestion } from '../../support/question.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type As, HOME, type RestWorld, restWorld } from '../http/rest-world.ts'

setDefaultTimeout(60_000)

let world: RestWorld
let folder: ReturnType<typeof tempFolder>
beforeAll(async () => {
  world = await restWorld()
  folder = tempFolder()
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const HASH = 'a'.repeat(64)

async function post(path: string, body: object, as: As = 'agent') {
  const { status, body: receipt } = await world.call({
    as,
    method: 'POST',
    path: `/api/v1${path}`,
    body,
  })
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(receipt)}`)
  return receipt as Record<string, string>
}

async function ask(body: object = {}, as: As = 'agent'): Promise<string> {
  const question = { question: `Run it? ${randomUUID()}`, wait: false, ...body }
  return (await post('/questions', question, as)).correlationId ?? ''
}

const answer = (id: string, body: object = { value: 'yes' }, as: As = 'member') =>
  post(`/questions/${id}/answer`, body, as)

const get = (id: string, as: As = 'agent') => world.call({ as, path: `/api/v1/receipts/${id}` })

async function readReceipt(id: string, as: As = 'agent'): Promise<Receipt> {
  const { status, body, text } = await get(id, as)
  if (status !== 200) throw new Error(text)
  return body as Receipt
}

const signing = () => ({ ...world.deps, baseUrl: 'http://localhost:8484' })

const payloadOf = (of: Receipt) => JSON.parse(of.payload)

let files = 0
async function saved(content: string): Promise<string> {
  files++
  const path = join(folder.path, `${files}.json`)
  await Bun.write(path, content)
  return path
}

const verify = async (content: string, ...more: string[]) =>
  beckon(['receipts', 'verify', await saved(content), ...more])

/** What a verifier without this program does. */
async function output(command: string[]): Promise<[code: number, out: string]> {
  const child = Bun.spawn(command, { cwd: folder.path, stdout: 'pipe', stderr: 'pipe' })
  const out = await new Response(child.stdout).text()
  return [await child.exited, out.trim()]
}

test('a receipt says who decided what, when, where, under which policy', async () => {
  const text = `Deploy “build 41”? ${randomUUID()}`
  const id = await ask({ question: text, requestId: `action:${HASH}`, action: 'make deploy' })
  await answer(id, { value: 'yes', note: 'after lunch', surface: 'mobile_app' })
  const receipt = await readReceipt(id)
  const sha256 = (of: string) => createHash('sha256').update(of).digest('hex')
  expect(payloadOf(receipt)).toEqual({
    type: 'beckon-receipt',
    version: 2,
    kid: receipt.kid,
    server: 'http://localhost:8484',
    workspace: { id: 'ws_home', name: 'ws_home' },
    question: {
      id,
      type: 'confirm',
      askedAt: expect.stringMatching(/^20.*Z$/),
      ...{ agent: expect.any(String), tokenId: expect.stringMatching(/^key_/) },
      ...{ textSha256: sha256(text), actionSha256: sha256('{"action":"make deploy"}') },
    },
    decision: {
      value: 'yes',
      note: 'after lunch',
      at: expect.stringMatching(/^20.*Z$/),
      surface: 'mobile_app',
      by: { kind: 'person', id: 'ann', name: 'ann' },
    },
    actionHash: HASH,
    policy: { deliveryMode: 'push_first', waitMs: expect.any(Number) },
  })
  expect(receipt.payload).toBe(canonicalize(payloadOf(receipt)) ?? '')
  expect(await readReceipt(id, 'member')).toEqual(receipt)
})

test('a receipt is signed with the answer, and says what held at that moment, whatever changes', async () => {
  const id = await ask()
  await answer(id, { value: 'yes', note: 'first' })
  await Promise.all([1, 2, 3].map(() => signReceipts(signing())))
  const stored = await findReceipt(world.db.read, id as QuestionId)
  const receipt = await readReceipt(id)
  expect(stored).toMatchObject({ payload: receipt.payload, signature: receipt.signature })

  const rows = await listAbout(world.db.read, { subjectId: id, kind: 'receipt.signed' }, 9)
  expect(rows).toHaveLength(1)

  const later = await ask()
  const changed = await world.call({
    as: 'member',
    method: 'PATCH',
    path: '/api/v1/policy',
    body: { waitMs: 23_000, deliveryMode: 'push_only' },
  })
  expect(changed.body as object).toMatchObject({ waitMs: 23_000 })
  await world.db.write((tx) => putName(tx, { personId: 'ann', name: 'Ann Other' }, 0))
  await answer(later)
  await world.call({
    as: 'member',
    method: 'PATCH',
    path: '/api/v1/policy',
    body: { waitMs: 31_000, deliveryMode: 'push_first' },
  })
  expect(payloadOf(await readReceipt(later))).toMatchObject({
    decision: { by: { name: 'Ann Other' } },
    policy: { deliveryMode: 'push_only', waitMs: 23_000 },
  })
  await post(`/questions/${id}/permit`, { actionHash: HASH })
  expect(await readReceipt(id)).toEqual(receipt)
  await world.db.write((tx) => putName(tx, { personId: 'ann', name: 'ann' }, 0))
})

test('the digest of a receipt is in the audit trail', async () => {
  const id = await ask()
  await answer(id)
  const { payload } = await readReceipt(id)
  const digest = createHash('sha256').update(payload).digest('hex')
  const trail = async (query: string) =>
    JSON.stringify((await world.call({ as: 'member', path: `/api/v1/audit${query}` })).body)
  expect(await trail('?kind=receipt.signed')).toContain(digest)
  expect(await trail('')).not.toContain('receipt.signed')
})

test('an answer that is lost with its transaction leaves no receipt', async () => {
  const id = await ask()
  const fails = async () => {
    throw new Error('the disk is full')
  }
  const lost = endQuestion({ ...world.deps, onEnded: [noteDecision, fails] }, 'answer', {
    workspaceId: HOME,
    id: id as QuestionId,
    ending: { value: 'yes' },
  })
  await expect(lost).rejects.toThrow('the disk is full')
  expect(await findUnsigned(world.db.read, id as QuestionId)).toBeUndefined()
  expect((await get(id)).status).toBe(409)
})

test('the receipt of an answer by an earlier version is made when it is fetched', async () => {
  const id = await ask()
  await answer(id)
  const receipt = await readReceipt(id)
  await world.db.write((tx) => deleteReceipts(tx, [id as QuestionId]))
  expect(payloadOf(await readReceipt(id)).decision).toEqual(payloadOf(receipt).decision)
})

test('what a program answered in test traffic says so', async () => {
  const id = await ask({}, 'tester')
  await answer(id, { value: 'no' }, 'tester')
  const payload = payloadOf(await readReceipt(id, 'tester'))
  const by = { kind: 'program', id: payload.question.tokenId }
  expect(payload).toMatchObject({ test: true, decision: { value: 'no', by } })
})

const byRule = { id: 'rule_1', words: 'Bash' }
const byGrant = { id: 'grant_1', words: 'Ann’s yes for 15 minutes' }

test.each<[string, Partial<Question>, object]>([
  ['a rule', { detail: { byRule }, answeredAs: 'the rule' }, { kind: 'rule', ...byRule }],
  ['a grant', { detail: { byGrant }, answeredAs: 'the grant' }, { kind: 'grant', ...byGrant }],
  ['a chat', { answeredAs: 'Bea', answerSource: 'slack' }, { kind: 'chat', name: 'Bea' }],
  ['who is gone', { answeredBy: 'gone' }, { kind: 'person', id: 'gone' }],
])('what was decided by %s says so', async (_, more, by) => {
  const now = world.deps.clock.now()
  const answered = { status: 'answered', value: 'no', endedAt: now, createdAt: now } as const
  const own = { id: newId('q', now), workspaceId: HOME }
  const question = aQuestion('', { ...own, ...answered, ...more })
  await world.db.write((tx) => insertQuestion(tx, question, 0))
  expect(payloadOf(await readReceipt(question.id, 'member')).decision.by).toEqual(by)
})

test('only the token that asked and people of the workspace get it', async () => {
  const id = await ask()
  await answer(id)
  for (const [as, status] of [
    ['nobody', 401],
    ['wrong', 401],
    ['tester', 404],
    ['otherAgent', 404],
    ['otherMember', 404],
  ] as const) {
    expect([as, (await get(id, as)).status]).toEqual([as, status])
  }
  for (const strange of ['q_none', 'key_1', '%00', "q_'--", 'x'.repeat(2_000)]) {
    expect([strange, (await get(strange)).status]).toEqual([strange, 404])
  }
})

test('what was not answered has none', async () => {
  const [open, withdrawn, stopped] = [await ask(), await ask(), await ask()]
  await post(`/questions/${withdrawn}/cancel`, {})
  await post(`/questions/${stopped}/stop`, {}, 'member')
  for (const id of [open, withdrawn, stopped]) {
    expect(await get(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  }
})

test('the key is public, and stays the same, also for processes that make it at once', async () => {
  const { status, body } = await world.call({ path: '/api/v1/receipts/key' })
  expect(status).toBe(200)
  const id = await ask()
  await answer(id)
  const { kid, publicKey, alg } = await readReceipt(id)
  expect(body as object).toEqual({ alg, kid, publicKey })
  await using other = await restWorld()
  const kids = await Promise.all([1, 2, 3, 4].map(() => loadServerKey(other.deps)))
  expect(new Set(kids.map((key) => key.kid)).size).toBe(1)
  expect(kids[0]?.kid).not.toBe(kid)
})

test('openssl alone verifies a receipt, and node alone', async () => {
  const id = await ask({ question: `Größe “gut”? 🦊 ${randomUUID()}`, type: 'input' })
  await answer(id, { value: 'Füchsin 🦊 \\ "so"' })
  const receipt = await readReceipt(id)
  const file = await saved(JSON.stringify(receipt))
  const script = /```sh openssl\n([\s\S]*?)```/.exec(await docs())?.[1] ?? ''
  const run = (of: string) =>
    output([
      'sh',
      '-c',
      `cp ${of} receipt.json\n${script.replace(/^curl .*$/m, 'jq -r .publicKey receipt.json > beckon-key.pem')}`,
    ])
  expect(await run(file)).toEqual([0, 'Signature Verified Successfully'])
  const forged = await saved(
    JSON.stringify({ ...receipt, payload: receipt.payload.replace('so', 'no') }),
  )
  expect((await run(forged))[0]).not.toBe(0)

  const node = /```js node\n([\s\S]*?)```/.exec(await docs())?.[1] ?? ''
  await Bun.write(join(folder.path, 'check.mjs'), node)
  const byNode = (of: string) => output(['sh', '-c', `cp ${of} receipt.json && node check.mjs`])
  expect(await byNode(file)).toEqual([0, 'true'])
  expect(await byNode(forged)).toEqual([0, 'false'])
})

const docs = () => Bun.file(join(import.meta.dir, '../../../docs/receipts.md')).text()

test('beckon receipts verify needs no server and says who decided', async () => {
  const id = await ask()
  await answer(id)
  const receipt = await readReceipt(id)
  const plain = await verify(JSON.stringify(receipt))
  expect(plain).toMatchObject({ code: 0, err: expect.stringContaining(receipt.kid) })
  expect(plain.out).toContain(`ann (ann) answered “yes” to the question ${id}`)
  for (const key of [
    receipt.publicKey,
    await saved(receipt.publicKey),
    await saved(JSON.stringify({ publicKey: receipt.publicKey })),
  ]) {
    const trusted = await verify(JSON.stringify(receipt), `--key=${key}`, '--json')
    expect(trusted).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(trusted.out)).toEqual({
      ...{ valid: true, trusted: true, kid: receipt.kid, payload: payloadOf(receipt) },
    })
  }
})

test('the check refuses a receipt that was changed, or that another key signed', async () => {
  const id = await ask()
  await answer(id)
  const receipt = await readReceipt(id)
  await using other = await restWorld()
  const foreign = (await other.call({ as: 'nobody', path: '/api/v1/receipts/key' })).body as Pick<
    Receipt,
    'kid' | 'publicKey'
  >
  const changed: Array<[string, Receipt | object | string]> = [
    ['answer', { ...receipt, payload: receipt.payload.replace('"value":"yes"', '"value":"no"') }],
    ['spaces', { ...receipt, payload: `${receipt.payload} ` }],
    [
      'signature',
      { ...receipt, signature: receipt.signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) },
    ],
    ['longer signature', { ...receipt, signature: `${receipt.signature}AAAA` }],
    ['no signature', { ...receipt, signature: '' }],
    ['kid', { ...receipt, kid: foreign.kid }],
    ['key', { ...receipt, ...foreign }],
    ['key alone', { ...receipt, publicKey: foreign.publicKey }],
    ['not PEM', { ...receipt, publicKey: 'x' }],
    ['no payload', { ...receipt, payload: undefined }],
    ['not JSON', 'receipt'],
    ['null', 'null'],
    ['nested', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['empty', ''],
  ]
  for (const [name, content] of changed) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const { code, out, err } = await verify(text)
    expect([name, code, out]).toEqual([name, 1, ''])
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  }
  const json = await verify('{}', '--json')
  expect([json.code, JSON.parse(json.out)]).toEqual([1, { valid: false, why: expect.any(String) }])
  const own = JSON.stringify(receipt)
  expect((await verify(own, `--key=${foreign.publicKey}`)).code).toBe(1)
  expect((await verify(own, '--key', 'nowhere.pem')).code).toBe(2)
  expect((await beckon(['receipts', 'verify', 'nowhere.json'])).code).toBe(2)
  expect((await beckon(['receipts', 'verify', folder.path])).code).toBe(1)
})

/** Forgets a question; one whose deliveries are under way is forgotten when they have ended. */
async function forget(id: QuestionId) {
  while ((await world.db.write((tx) => forgetQuestions(tx, [id], Date.now()))).length === 0) {
    await Bun.sleep(20)
  }
}

test('a purge takes the receipt away; a saved one still verifies', async () => {
  const id = await ask()
  await answer(id)
  const receipt = await readReceipt(id)
  await forget(id as QuestionId)
  expect(await findReceipt(world.db.read, id as QuestionId)).toBeUndefined()
  expect((await get(id)).status).toBe(404)
  expect((await verify(JSON.stringify(receipt), `--key=${receipt.publicKey}`)).code).toBe(0)
})

test('hostile text is signed as it is, and does not steer the terminal', async () => {
  const rows = CORPUS.filter((_, i) => i % 9 === 0)
  for (const word of rows) {
    const id = await ask({ type: 'input', question: `Name? ${randomUUID()} ${word}` })
    const reply = await world.call({
      ...{ as: 'member' as const, method: 'POST', path: `/api/v1/questions/${id}/answer` },
      body: { value: `x ${word}`, note: `n ${word}` },
    })
    if (reply.status !== 200) continue
    const receipt = await readReceipt(id)
    const result = await verify(JSON.stringify(receipt))
    expect([word, result.code]).toEqual([word, 0])
    expect(result.out + result.err).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
    expect(result.out.trimEnd().split('\n').length).toBeLessThanOrEqual(1)
  }
})
