import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { putOff } from '../../../src/ask/accounts/model/person-store.ts'
import { listTokens } from '../../../src/ask/accounts/model/token-store.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { countInbox } from '../../../src/ask/inbox/read-questions.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { receiptSentence, verifyReceipt } from '../../../src/ask/receipts/verify-receipt.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { readVoters } from '../../../src/ask/votes/read-voters.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

let world: PageWorld
const cookies: Record<string, string> = {}
const people: Record<string, Person> = {}
let engineers: Group
let token: string
const YES = 'name="value" value="yes"'

beforeEach(async () => {
  world = await pageWorld()
  cookies.owner = world.cookie
  const { db, workspaceId, app } = world
  for (const name of ['ana', 'bob', 'fay', 'eve']) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    const person = await addPersonWithPassword({ db, clock }, who)
    people[name] = person
    cookies[name] = await signInAs(app, person.id)
  }
  const id = newId('group', clock.now())
  const of = { id, workspaceId, name: 'engineers', source: 'hand' } as const
  engineers = { ...of, externalId: undefined, createdAt: 1 }
  const ids = ['ana', 'bob', 'fay'].map((name) => people[name]?.id ?? '')
  await db.write(async (tx) => {
    await insertGroup(tx, engineers)
    await putGroupMembers(tx, engineers, 'hand', ids)
  })
  const by = people.ana?.id ?? ''
  token = (await createToken({ db, clock }, { workspaceId, name: 'agent', by })).token
})
afterEach(() => world[Symbol.asyncDispose]())

async function api(path: string, body?: object) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Record<string, string>
}
/** Makes the rule on its page, and asks. */
async function ask(need: number, more: object = {}) {
  const rule = { toolName: 'Bash', approvers: 'yes', approver: engineers.id, need: String(need) }
  expect((await world.post('/settings/rules/new', rule, { cookie: world.cookie })).status).toBe(303)
  const reply = await api('/questions', { question: 'Go?', toolName: 'Bash', wait: false, ...more })
  return reply.correlationId ?? ''
}
const page = async (path: string, who: string) => (await world.get(path, cookies[who])).text()
const post = (path: string, who: string, fields: Record<string, string> = {}) =>
  world.post(path, fields, { cookie: cookies[who] ?? '' })

test('the page of a rule says who may decide, and keeps it when something else is saved', async () => {
  await ask(2)
  const [rule] = await listRules(world.db.read, world.workspaceId)
  const approve: RuleApprove = { from: [engineers.id], need: 2, asker: 'excluded' }
  expect(rule?.approve).toEqual(approve)
  const list = await (await world.get('/settings/rules')).text()
  expect(list).toContain('2 of engineers')
  const path = `/settings/rules/${rule?.id}`
  await world.post(path, { toolName: 'Write' }, { cookie: world.cookie })
  const [later] = await listRules(world.db.read, world.workspaceId)
  expect(later).toMatchObject({ match: { toolName: 'Write' }, approve })
  const wrong = { toolName: 'Bash', approvers: 'yes', approver: engineers.id, need: '0' }
  expect((await world.post(path, wrong, { cookie: world.cookie })).status).toBe(422)
  const both = { ...wrong, need: '1', decision: 'allow' }
  expect((await world.post(path, both, { cookie: world.cookie })).status).toBe(422)
})

test('the form of a rule has everybody who has to agree, for how long, and whose agent it is for', async () => {
  const id = newId('group', clock.now())
  const managers: Group = { ...engineers, id, name: 'managers of all' }
  await world.db.write((tx) => insertGroup(tx, managers))
  const fields = {
    ...{ toolName: 'Bash', owner: 'ana@example.org', approvers: 'yes', approver: engineers.id },
    ...{ need: '2', and: '1 of managers of all\n1 eve@example.org', life: '6 h', usable: '20 min' },
  }
  const post = (path: string, form: Record<string, string>) =>
    world.post(path, form, { cookie: world.cookie })
  const rules = () => listRules(world.db.read, world.workspaceId)
  expect((await post('/settings/rules/new', fields)).status).toBe(303)
  const [ana, eve] = [people.ana?.id, people.eve?.id]
  const and = [
    { from: [id], need: 1 },
    { from: [eve], need: 1 },
  ]
  const approve = { from: [engineers.id], need: 2, asker: 'excluded' as const }
  const whole = { ...approve, and, lifeMs: 6 * 3_600_000, usableMs: 20 * 60_000 }
  const [rule] = await rules()
  expect(rule).toMatchObject({ match: { toolName: 'Bash', owner: ana }, approve: whole })
  const path = `/settings/rules/${rule?.id}`
  const html = await page(path, 'owner')
  for (const text of ['1 of managers of all', '1 of eve@example.org', '6 h', '20 min']) {
    expect(html).toContain(text)
  }
  // What stands in the form comes back as it was, and what is emptied goes.
  const again = { ...fields, and: '1 of managers of all\n1 of eve@example.org', owner: ana ?? '' }
  expect((await post(path, again)).status).toBe(303)
  expect((await rules())[0]).toMatchObject({ match: { owner: ana }, approve: whole })
  expect((await post(path, { ...fields, owner: '', and: '', life: '', usable: '' })).status).toBe(
    303,
  )
  expect((await rules())[0]).toMatchObject({ match: { toolName: 'Bash' }, approve })
  expect((await rules())[0]?.match).toEqual({ toolName: 'Bash' })
  expect((await rules())[0]?.approve).toEqual(approve)
  const wrong: Array<[string, string]> = [
    ['and', 'managers of all'],
    ['and', '0 of managers of all'],
    ['and', '1 of nobody'],
    ['and', '1 of owners'],
    ['and', Array.from({ length: 5 }, () => '1 of managers of all').join('\n')],
    ['owner', 'nobody@example.org'],
    ['life', '1 min'],
    ['usable', '25 h'],
  ]
  for (const [field, text] of wrong) {
    const reply = await post(path, { ...fields, [field]: text })
    expect([field, text, reply.status]).toEqual([field, text, 422])
    expect(await reply.text()).toContain(`id="${field}-wrong"`)
  }
  expect((await post(path, { ...fields, approver: '' })).status).toBe(422)
})

test('a rule for one owner and token stays so when its page is saved', async () => {
  const [{ id: tokenId } = { id: '' }] = await listTokens(world.db.read, world.workspaceId)
  const proven = { owner: people.ana?.id ?? '', token: tokenId }
  const { id } = await addRule({ db: world.db, clock }, world.workspaceId, {
    match: { toolName: 'Bash', ...proven },
    decision: 'allow',
  })
  const path = `/settings/rules/${id}`
  const form = { toolName: 'Bash', toolTarget: 'npm test*', owner: 'ana@example.org' }
  expect((await world.post(path, form, { cookie: world.cookie })).status).toBe(303)
  const [rule] = await listRules(world.db.read, world.workspaceId)
  expect(rule?.match).toEqual({ toolName: 'Bash', toolTarget: 'npm test*', ...proven })
  const { owner: _, ...without } = form
  expect((await world.post(path, without, { cookie: world.cookie })).status).toBe(303)
  expect((await listRules(world.db.read, world.workspaceId))[0]?.match).toEqual(rule?.match ?? {})
})

test('what others decide is in the list as such, and does not count as waiting', async () => {
  const id = await ask(2)
  const deps = { db: world.db, clock }
  const waiting = async (who: string) => {
    const person = people[who]
    if (!person) throw new Error(`nobody is ${who}`)
    const list = await page('/inbox', who)
    return [await countInbox(deps, person), list.includes('Waiting for others')]
  }
  expect(await waiting('bob')).toEqual([1, false])
  expect([await waiting('eve'), await waiting('ana')]).toEqual([
    [0, true],
    [0, true],
  ])
  await post(`/d/${id}/answer`, 'bob', { value: 'yes' })
  expect([await waiting('bob'), await waiting('fay')]).toEqual([
    [0, true],
    [1, false],
  ])
})

test('whoever is switched off does not count, and a rule that needs them cannot be satisfied', async () => {
  const id = await ask(2)
  await post(`/d/${id}/answer`, 'bob', { value: 'yes' })
  const whose = { workspaceId: world.workspaceId, personId: people.bob?.id ?? '' }
  await world.db.write((tx) => putOff(tx, whose, clock.now()))
  await post(`/d/${id}/answer`, 'fay', { value: 'yes' })
  expect(await api(`/questions/${id}?timeoutMs=1000`)).toMatchObject({ answered: false })
  const voters = await readVoters(world.db.read, world.workspaceId)
  expect(voters.has(whose.personId)).toBe(false)
})

test('the page of a question says who has agreed and who is missing, and offers what each may do', async () => {
  const id = await ask(2)
  const path = `/d/${id}`
  expect(await page(path, 'bob')).toContain('2 of engineers')
  expect(await page(path, 'bob')).toContain('(1 of 2)')
  expect(await page(path, 'bob')).toContain('An agent of <b>ana</b> asks.')
  expect(await page(path, 'ana')).not.toContain('An agent of')
  const eve = await page(path, 'eve')
  expect([eve.includes(YES), eve.includes('You are not among')]).toEqual([false, true])
  const ana = await page(path, 'ana')
  expect([ana.includes(YES), ana.includes('Your own agent')]).toEqual([false, true])
  const reply = await post(`${path}/answer`, 'bob', { value: 'yes' })
  expect([reply.status, reply.headers.get('location')]).toEqual([303, path])
  expect(await page(path, 'bob')).toContain('You said yes, and it counts.')
  expect(await page(path, 'fay')).toContain('(2 of 2)')
  await post(`${path}/vote`, 'bob')
  expect(await page(path, 'fay')).toContain('(1 of 2)')
  await post(`${path}/answer`, 'bob', { value: 'yes' })
  await post(`${path}/answer`, 'fay', { value: 'yes' })
  expect(await page(path, 'eve')).toContain('Needed')
})

test('whoever has voted is pressed to nothing: no button of theirs is solid', async () => {
  const id = await ask(2)
  const solid = async (who: string) =>
    (await page(`/d/${id}`, who)).match(/<button[^>]* class="big"/g)?.length ?? 0
  expect(await solid('bob')).toBe(2)
  await post(`/d/${id}/answer`, 'bob', { value: 'yes' })
  expect([await solid('bob'), await solid('fay')]).toEqual([0, 2])
  expect(await page(`/d/${id}`, 'bob')).toContain('value="no"')
})

test('the receipt names everybody whose vote counted, and what had been asked for', async () => {
  const id = await ask(2)
  await post(`/d/${id}/answer`, 'fay', { value: 'yes' })
  await post(`/d/${id}/answer`, 'bob', { value: 'yes' })
  let text = ''
  for (let n = 0; n < 100 && !text.includes('payload'); n++) {
    text = await (await world.get(`/api/v1/receipts/${id}`)).text()
    if (!text.includes('payload')) await Bun.sleep(100)
  }
  const verified = await verifyReceipt(text)
  if (!verified.ok) throw new Error(verified.why)
  const { payload } = verified
  expect(payload).toMatchObject({
    version: 3,
    decision: {
      value: 'yes',
      by: {
        kind: 'people',
        need: 2,
        people: [{ name: 'fay' }, { name: 'bob' }],
        rules: [{ words: 'Bash' }],
        excluded: [people.ana?.id],
      },
    },
  })
  expect(receiptSentence(payload)).toContain('fay (')
})

test('where several people have to agree, all agree to the same call: nobody changes its arguments', async () => {
  const id = await ask(2, {
    requestId: 'action:abc',
    actionBody: '{"amount":20}',
    edit: { type: 'object', properties: { amount: { type: 'number' } } },
  })
  const html = await page(`/d/${id}`, 'bob')
  expect(html).toContain(YES)
  expect(html).not.toContain('f.amount')
  const changed = { value: 'yes', editing: 'yes', 'f.amount': '12' }
  expect((await post(`/d/${id}/answer`, 'bob', changed)).status).toBe(422)
  expect((await api(`/questions/${id}?timeoutMs=1000`)).status).toBe('pending')
  const reply = await fetch(`${world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { cookie: cookies.bob ?? '', origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ value: 'yes', arguments: { amount: 12 } }),
  })
  expect(await reply.json()).toMatchObject({ fields: [{ field: 'arguments' }] })
})

const ASKER = 'You will be asked to confirm'
const DANGEROUS = { action: 'terraform apply', toolTarget: 'terraform apply' }

test('before anybody voted the page asks for all of them, and afterwards for the rest', async () => {
  const id = await ask(2)
  const before = await page(`/d/${id}`, 'fay')
  expect(before).toContain('2 of engineers: ')
  expect(before).not.toContain('more of engineers')
  await post(`/d/${id}/answer`, 'bob', { value: 'yes' })
  expect(await page(`/d/${id}`, 'fay')).toContain('1 more of engineers: ')
})

test('whoever has said yes is offered no second yes, but to take it back or to decline', async () => {
  const id = await ask(2)
  await post(`/d/${id}/answer`, 'bob', { value: 'yes' })
  const bob = await page(`/d/${id}`, 'bob')
  expect([bob.includes(YES), bob.includes('value="no"'), bob.includes('Take it back')]).toEqual([
    ...[false, true, true],
  ])
})

test('whose yes would change nothing now is offered none, and told what is missing', async () => {
  const { db, workspaceId } = world
  const managers = { ...engineers, id: newId('group', clock.now()), name: 'managers' }
  await db.write(async (tx) => {
    await insertGroup(tx, managers)
    await putGroupMembers(tx, managers, 'hand', [people.eve?.id ?? ''])
  })
  await addRule({ db, clock }, workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [engineers.id], and: [{ from: [managers.id] }] },
  })
  const { correlationId: id } = await api('/questions', {
    ...{ question: 'Go?', toolName: 'Bash', wait: false },
  })
  await post(`/d/${id}/answer`, 'bob', { value: 'yes' })
  const fay = await page(`/d/${id}`, 'fay')
  expect([fay.includes(YES), fay.includes('It waits for 1 of managers.')]).toEqual([false, true])
  expect(await page(`/d/${id}`, 'eve')).toContain(YES)
})

test('a row of the inbox offers nobody an answer that only its page can explain', async () => {
  const id = await ask(2, DANGEROUS)
  await world.ask({ question: 'Another?' })
  for (const who of ['ana', 'bob', 'eve']) {
    const list = await page('/inbox', who)
    const [card = ''] = list.slice(list.indexOf(`id="card-${id}"`)).split('</article>')
    expect([who, card.includes('name="value"'), card.includes('Look closer')]).toEqual([
      ...[who, false, true],
    ])
    expect(card.replace(/<[^>]+>/g, '')).toContain('Needs 2 of engineers')
  }
})

test('only whoever may say yes is told that they will be asked to confirm it', async () => {
  const id = await ask(2, DANGEROUS)
  expect(await page(`/d/${id}`, 'bob')).toContain(ASKER)
  for (const who of ['ana', 'eve']) expect(await page(`/d/${id}`, who)).not.toContain(ASKER)
})

test('the outcome names everybody who decided', async () => {
  const id = await ask(2)
  for (const who of ['fay', 'bob']) await post(`/d/${id}/answer`, who, { value: 'yes' })
  expect(await page(`/d/${id}`, 'eve')).toContain('by fay and bob, the last')
  expect(await page(`/d/${id}`, 'bob')).toContain('by fay and you, the last')
})

test('an auditor is not asked to sign in', async () => {
  const who = { email: 'sec@example.org', name: 'sec', role: 'auditor' } as const
  const auditor = await addPersonWithPassword({ db: world.db, clock }, who)
  cookies.sec = await signInAs(world.app, auditor.id)
  const id = await ask(2)
  const seen = await page(`/d/${id}`, 'sec')
  expect([seen.includes('Sign in to vote'), seen.includes('others decide')]).toEqual([false, true])
})

test('nothing waits for an auditor, who reads what waits for others', async () => {
  const who = { email: 'sec@example.org', name: 'sec', role: 'auditor' } as const
  const auditor = await addPersonWithPassword({ db: world.db, clock }, who)
  cookies.sec = await signInAs(world.app, auditor.id)
  await api('/questions', { question: 'Does this work?', wait: false })
  await ask(2, { toolTarget: 'terraform apply' })
  expect(await countInbox({ db: world.db, clock }, auditor)).toBe(0)
  const [own, others] = (await page('/inbox', 'sec')).split('Waiting for others')
  expect([own?.includes('Does this work?'), others?.includes('Does this work?')]).toEqual([
    false,
    true,
  ])
  // Nor is whoever cannot say yes told that they will be asked to confirm it.
  const danger = { toolTarget: 'terraform apply', action: 'terraform apply' }
  await ask(2, { ...danger, question: 'Run this?' })
  const confirms = async (name: string) => (await page('/inbox', name)).includes('asked to confirm')
  expect([await confirms('bob'), await confirms('eve'), await confirms('sec')]).toEqual([
    true,
    false,
    false,
  ])
})

test('what nobody may decide says so and why, and does not say that it expired', async () => {
  token = (await createToken({ db: world.db, clock }, { ...world, name: 'old' })).token
  const id = await ask(2)
  const seen = await page(`/d/${id}`, 'bob')
  expect(seen).toContain('Nobody may decide')
  expect(seen).toContain('has no owner')
  expect(seen).not.toContain('Expired')
})

test('the list of rules says in words who decides and who is notified, and is searched by them', async () => {
  const { db, workspaceId } = world
  await addRule({ db, clock }, workspaceId, {
    match: { toolName: 'Bash' },
    approve: {
      ...{ from: [engineers.id], need: 2, and: [{ from: [people.eve?.id ?? ''] }] },
      ...{ tell: ['oncall:platform', 'channel:deploys'], where: ['page'], lifeMs: 600_000 },
    },
  })
  const list = await page('/settings/rules', 'eve')
  expect(list).toContain('let 2 of engineers and 1 of eve decide')
  expect(list).toContain('Notifies whoever is on call in platform, the channel deploys.')
  expect(list).not.toContain('oncall:')
  expect(await page('/settings/rules?q=engineers', 'eve')).toContain('let 2 of engineers')
  const [rule] = await listRules(db.read, workspaceId)
  const form = await (await world.get(`/settings/rules/${rule?.id}`)).text()
  expect(form).toContain('It also takes a yes on the page alone.')
  expect(form).toContain('1 of eve@example.org')
})

test('a question that lives for a week says the day until when, and counts no hours', async () => {
  await addRule({ db: world.db, clock }, world.workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [engineers.id], lifeMs: 7 * 24 * 3_600_000 },
  })
  const { correlationId: id } = await api('/questions', {
    ...{ question: 'Go?', toolName: 'Bash', wait: false },
  })
  const seen = await page(`/d/${id}`, 'bob')
  expect(seen).not.toContain(' h 0 min left')
  expect(seen).toMatch(/until <time[^>]*>[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d/)
})

test('removing the last who may decide says which rule then stops all calls', async () => {
  await world.db.write((tx) => putGroupMembers(tx, engineers, 'hand', [people.bob?.id ?? '']))
  await ask(1)
  const form = await page(`/settings/people/${people.bob?.id}/remove`, 'owner')
  expect(form).toContain('Too few people are left for 1 rule')
})
