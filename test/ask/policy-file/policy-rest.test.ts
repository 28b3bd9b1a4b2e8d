import { afterAll, beforeAll, expect, test } from 'bun:test'
import { putOff, putRole } from '../../../src/ask/accounts/model/person-store.ts'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { makePolicyToken } from '../../../src/ask/policy-file/policy-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const FILE = `beckon: policy/1
rules:
  - id: no-force
    match: { toolName: Bash, toolTarget: "git push --force*" }
    decision: deny
`

async function makeToken(fields: Record<string, string>): Promise<string> {
  const path = '/settings/policy/file/tokens'
  const reply = await world.post(path, fields, { cookie: world.cookie })
  return /bp_[0-9a-z]{40}/.exec(await reply.text())?.[0] ?? ''
}

async function call(path: string, token: string, body?: object) {
  const response = await fetch(`${world.url}/api/v1/policy/file${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { code: response.status, body: text === '' ? {} : JSON.parse(text) }
}

test('a token that reads compares and tries; one that writes also applies', async () => {
  const reads = await makeToken({ name: 'watcher' })
  const writes = await makeToken({ name: 'ci', may: 'write' })
  expect((await call('', reads)).body.text).toContain('beckon: policy/1')
  const { code, body } = await call('/diff', reads, { text: FILE })
  expect([code, body.differences.length, body.isFromFile]).toEqual([200, 1, false])
  expect((await call('/try', reads, { text: FILE, days: 7 })).body).toMatchObject({ calls: 0 })
  const wrong = FILE.replace('deny', 'never')
  expect((await call('/lint', reads, { text: wrong })).body.findings).toMatchObject([
    { level: 'error', line: 5, field: 'rules[0].decision' },
  ])
  const apply = { text: FILE, name: 'policy.yaml', base: body.state }
  expect((await call('/apply', reads, apply)).code).toBe(403)
  expect((await call('/apply', writes, { ...apply, text: wrong })).code).toBe(422)
  expect((await call('/apply', writes, { ...apply, base: 'f'.repeat(64) })).code).toBe(409)
  expect(await listRules(world.db.read, world.workspaceId)).toEqual([])
  expect((await call('/apply', writes, apply)).code).toBe(200)
  expect(await listRules(world.db.read, world.workspaceId)).toHaveLength(1)
  expect(await (await world.get('/settings/rules')).text()).toContain('the token ci')
  expect((await call('/update', reads, { text: `# ours\n${FILE}` })).body.text).toContain('# ours')
  expect((await call('/release', writes, {})).code).toBe(204)
})

test('the token is good for nothing else, and for nothing once it is revoked', async () => {
  const token = await makeToken({ name: 'gone', may: 'write' })
  for (const path of ['/api/v1/policy', '/api/v1/rules', '/api/v1/questions', '/scim/v2/Users']) {
    const headers = { authorization: `Bearer ${token}` }
    expect([path, (await fetch(world.url + path, { headers })).status]).toEqual([path, 401])
  }
  const page = await (await world.get('/settings/policy/file')).text()
  const id = [...page.matchAll(/id="(ptk_[0-9a-z]+)"/g)].at(-1)?.[1]
  const path = '/settings/policy/file/tokens/revoke'
  const revoked = await world.post(path, { token: id ?? '' }, { cookie: world.cookie })
  expect(revoked.status).toBe(303)
  expect((await call('', token)).code).toBe(401)
  expect((await call('', `bp_${'0'.repeat(40)}`)).code).toBe(401)
})

test('the schema is at the address that exported files name', async () => {
  const { schema } = { schema: await (await fetch(`${world.url}/policy.schema.json`)).json() }
  expect(schema).toMatchObject({ type: 'object', properties: { rules: { type: 'array' } } })
})

test('a token is refused once its maker was switched off, is no owner any more, or was removed', async () => {
  const { db, workspaceId } = world
  const who = { email: 'ola@example.org', name: 'Ola', role: 'owner' } as const
  const ola = await addPersonWithPassword({ db, clock }, who)
  const token = await makePolicyToken({ db, clock }, ola, { name: 'theirs', may: 'write' })
  const of = { workspaceId, personId: ola.id }
  const codes = async () => [
    (await call('', token)).code,
    (await call('/apply', token, { text: FILE })).code,
  ]
  expect((await call('', token)).code).toBe(200)
  await db.write((tx) => putOff(tx, of, clock.now()))
  expect(await codes()).toEqual([403, 403])
  await db.write((tx) => putOff(tx, of, null))
  expect((await call('', token)).code).toBe(200)
  await db.write((tx) => putRole(tx, { ...of, role: 'member' }))
  expect(await codes()).toEqual([403, 403])
  const form = await (await world.get(`/settings/people/${ola.id}/remove`)).text()
  expect(form).toContain('1 token for the policy file')
  expect((await world.post(`/settings/people/${ola.id}/remove`, {})).status).toBe(303)
  const { code, body } = await call('/apply', token, { text: FILE })
  expect([code, body.detail]).toEqual([403, expect.stringContaining('theirs')])
})
