import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { listGroupMembers, listGroups } from '../../../src/ask/groups/model/store.ts'
import { GROUPS_OF_GONE } from '../../../src/ask/groups/person-gone.ts'
import { ACCOUNT_OF_GONE } from '../../../src/ask/people/person-gone.ts'
import { removePerson } from '../../../src/ask/people/remove-person.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { listRules, readOrigin, readPolicy } from '../../../src/ask/policy/model/store.ts'
import { applyFile, compareFile, releaseFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import { lintHere } from '../../../src/ask/policy-file/lint-file.ts'
import { differenceLines } from '../../../src/ask/policy-file/model/difference.ts'
import { tryFile } from '../../../src/ask/policy-file/try-file.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

let world: PageWorld
beforeEach(async () => {
  world = await pageWorld()
  for (const name of ['ana', 'bob']) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    await addPersonWithPassword({ db: world.db, clock }, who)
  }
})
afterEach(() => world[Symbol.asyncDispose]())

const FILE = `beckon: policy/1
policy:
  waitMs: 50s   # as long as clients wait
groups:
  engineers: [ana@example.org, bob@example.org]
rules:
  # production
  - id: prod-apply
    match: { toolName: Bash, toolTarget: "terraform apply*" }
    approve: { from: [engineers], need: 2 }
  - id: no-force
    match: { toolName: Bash, toolTarget: "git push --force*" }
    decision: deny
`

const deps = () => ({ db: world.db, clock })
const compare = (text: string) => compareFile(deps(), world.workspaceId, { text, name: 'p.yaml' })
const apply = async (text: string, more: { base?: string; because?: string } = {}) =>
  applyFile(deps(), world.workspaceId, { text, name: 'p.yaml', ...more })
const applyNow = async (text: string) => apply(text, { base: (await compare(text)).state })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  )
const names = async (text: string) =>
  (await compare(text)).differences.map(({ part, name, change }) => `${part} ${name} ${change}`)

test('a file is compared, applied whole, and is then what is in force', async () => {
  expect(await names(FILE)).toEqual([
    'policy waitMs changed',
    'group engineers added',
    'rule prod-apply added',
    'rule no-force added',
  ])
  await applyNow(FILE)
  expect(await names(FILE)).toEqual([])
  const { db, workspaceId } = world
  expect((await readPolicy(db.read, workspaceId)).waitMs).toBe(50_000)
  const [group] = await listGroups(db.read, workspaceId)
  expect(group).toMatchObject({ name: 'engineers', source: 'file' })
  expect(await listGroupMembers(db.read, workspaceId)).toHaveLength(2)
  const rules = await listRules(db.read, workspaceId)
  expect(rules.map(({ name }) => name)).toEqual(['prod-apply', 'no-force'])
  expect(rules[0]?.approve?.from).toEqual([group?.id ?? ''])

  // What stays keeps its id; what is no longer in the file is gone.
  const next = FILE.replace('need: 2', 'need: 1').replace(/ {2}- id: no-force[\s\S]*$/, '')
  expect(await names(next)).toEqual(['rule prod-apply changed', 'rule no-force removed'])
  await apply(next)
  const [rule, ...others] = await listRules(db.read, workspaceId)
  expect(rule).toMatchObject({ id: rules[0]?.id, approve: { need: 1 } })
  expect(others).toEqual([])
})

test('the trail has one row of each time it was applied, with both digests', async () => {
  const { state } = await compare(FILE)
  await apply(FILE, { base: state, because: 'two for production' })
  const rows = (await world.db.read.select().from(audit)).filter(
    ({ kind }) => kind === 'policy.applied',
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.detail).toContain('two for production')
  expect(rows[0]?.detail).toContain(state.slice(0, 16))
})

test('what was changed meanwhile is not overwritten', async () => {
  expect(await codeOf(apply(FILE))).toBe('conflict')
  const { state } = await compare(FILE)
  await addRule(deps(), world.workspaceId, { match: { toolName: 'Edit' }, decision: 'ask' })
  expect(await codeOf(apply(FILE, { base: state }))).toBe('conflict')
  expect(await listRules(world.db.read, world.workspaceId)).toHaveLength(1)
  expect(await readOrigin(world.db.read, world.workspaceId)).toBeUndefined()
  // A file that was exported says itself which state it replaces.
  const exported = await exportFile(deps(), world.workspaceId, { baseUrl: world.url })
  expect(await names(exported)).toEqual([])
  await apply(exported)
  await apply(FILE)
})

test('a difference says times as a file has them, and of what comes only its values', async () => {
  const quiet = '{ from: "22:00", to: "07:00", zone: Europe/Berlin }'
  const text = `beckon: policy/1\npolicy: { waitMs: 50s, graceMs: 1500ms, quietHours: ${quiet} }\n`
  const lines = async () => (await compare(text)).differences.flatMap(differenceLines)
  expect((await lines()).sort()).toEqual([
    '~ policy graceMs: 0 → 1500ms',
    '~ policy quietHours.from: nothing → "22:00"',
    '~ policy quietHours.to: nothing → "07:00"',
    '~ policy quietHours.zone: nothing → "Europe/Berlin"',
    '~ policy waitMs: 45s → 50s',
  ])
})

test('what hides or steers is refused in names, and removed from words', async () => {
  const hidden = FILE.replace('engineers: [', '"engin\\u202eeers": [')
  expect(await codeOf(compare(hidden))).toBe('invalid_input')
  const { state } = await compare(FILE)
  const words = { because: 'two\u202e people\nfor it', commit: 'a\u0007b' }
  await applyFile(deps(), world.workspaceId, {
    text: FILE,
    name: 'p\u202e.yaml',
    base: state,
    ...words,
  })
  const origin = JSON.stringify(await readOrigin(world.db.read, world.workspaceId))
  const details = (await world.db.read.select().from(audit)).map(({ detail }) => detail).join()
  expect(origin + details).not.toMatch(/\u202e|\\[nu]/)
})

test('a file with a mistake changes nothing', async () => {
  for (const text of [
    FILE.replace('bob@', 'cleo@'),
    FILE.replace('[engineers]', '[managers]'),
    FILE.replace('decision: deny', 'decision: maybe'),
  ]) {
    expect(await codeOf(compare(text))).toBe('invalid_input')
    expect(await codeOf(apply(text))).toBe('invalid_input')
  }
  expect(await listRules(world.db.read, world.workspaceId)).toEqual([])
})

test('while a file is in force, pages and REST show it and change nothing', async () => {
  await applyNow(FILE)
  const { cookie, db, workspaceId } = world
  const before = await exportFile(deps(), workspaceId, { baseUrl: world.url })
  const [rule] = await listRules(db.read, workspaceId)
  const [group] = await listGroups(db.read, workspaceId)
  for (const [path, fields] of [
    ['/settings/policy/preset', { preset: 'quiet' }],
    ['/settings/policy/programs', { name: 'lex', kind: 'words' }],
    ['/settings/rules/new', { toolName: 'Bash', decision: 'allow' }],
    [`/settings/rules/${rule?.id}/remove`, {}],
    [`/settings/groups/${group?.id}/remove`, {}],
  ] as const) {
    expect([path, (await world.post(path, fields, { cookie })).status]).toEqual([path, 409])
  }
  const patched = await fetch(`${world.url}/api/v1/policy`, {
    method: 'PATCH',
    headers: { cookie, origin: world.url, 'content-type': 'application/json' },
    body: '{"waitMs":5000}',
  })
  expect(patched.status).toBe(409)
  expect(await exportFile(deps(), workspaceId, { baseUrl: world.url })).toBe(before)
  for (const path of ['/settings/rules', '/settings/policy']) {
    const page = await (await world.get(path)).text()
    expect(page).toContain('p.yaml')
    expect(page).not.toMatch(/action="\/settings\/(rules|policy)[^"]*" class|>\s*Add a rule/)
  }
  expect((await world.get('/settings/rules/new')).headers.get('location')).toBe('/settings/rules')
})

test('an owner gives it back to the pages, and nothing else changes', async () => {
  await applyNow(FILE)
  const { cookie, db, workspaceId } = world
  expect(await (await world.get('/settings/policy/file')).text()).toContain('prod-apply')
  expect((await world.post('/settings/policy/file/release', {}, { cookie })).status).toBe(303)
  expect(await names(FILE)).toEqual([])
  expect(await listGroups(db.read, workspaceId)).toMatchObject([{ source: 'hand' }])
  await addRule(deps(), workspaceId, { match: { toolName: 'Edit' }, decision: 'ask' })
  expect(await codeOf(releaseFile(deps(), workspaceId))).toBe('conflict')
})

test('bringing a file up to date keeps its comments and what did not change', async () => {
  await applyNow(FILE)
  const next = FILE.replace('50s   #', '40s   #').replace('git push --force*', 'git push -f*')
  await apply(next)
  const { workspaceId } = world
  const updated = await exportFile(deps(), workspaceId, { baseUrl: world.url, before: FILE })
  const lines = updated.split('\n').filter((line) => !line.startsWith('# beckon-state:'))
  const changed = lines.filter((line, at) => line !== FILE.split('\n')[at])
  expect(lines).toHaveLength(FILE.split('\n').length)
  expect(changed).toHaveLength(2)
  expect(updated).toContain('# as long as clients wait')
  expect(await names(updated)).toEqual([])
  // Nothing changed: the text stays, byte by byte.
  expect(await exportFile(deps(), workspaceId, { baseUrl: world.url, before: updated })).toBe(
    updated,
  )
})

test('what was empty is filled in lines of its own', async () => {
  const empty = await exportFile(deps(), world.workspaceId, { baseUrl: world.url })
  expect(empty).toContain('rules: []')
  expect(empty).toContain('policy: {}')
  await apply(FILE, { base: (await compare(FILE)).state })
  const filled = await exportFile(deps(), world.workspaceId, { baseUrl: world.url, before: empty })
  expect(filled).toMatch(/^rules:\n {2}- id: /m)
  expect(filled).not.toMatch(/\{.*match/)
  expect(await names(filled)).toEqual([])
})

test('bringing a file up to date adds no policy and no part that says nothing', async () => {
  const { workspaceId } = world
  const rules = FILE.slice(FILE.indexOf('rules:'))
  const before = `beckon: policy/1\n${rules.replaceAll('[engineers]', '[ana@example.org, bob@example.org]')}`
  await applyNow(before)
  const body = async (text: string) => {
    const updated = await exportFile(deps(), workspaceId, { baseUrl: world.url, before: text })
    return updated.replace(/^# beckon-state:.*\n/m, '')
  }
  expect(await body(before)).toBe(before)
  const fewer = before.replace('need: 2', 'need: 1')
  expect(await body(fewer)).not.toMatch(/^(policy|groups)/m)
  expect(await body('beckon: policy/1\n')).toStartWith('beckon: policy/1\nrules:\n')
  await applyNow('beckon: policy/1\nrules: []\n')
  expect(await body('beckon: policy/1\n')).toBe('beckon: policy/1\n')
  expect(await body('beckon: policy/1\npolicy: {}\n')).toBe('beckon: policy/1\npolicy: {}\n')
})

test('a dry run says which calls of the last days would end otherwise', async () => {
  const bash = (toolTarget: string) => ({
    detail: { toolName: 'Bash', toolTarget, action: toolTarget },
  })
  const day = 24 * 3_600_000
  await world.ask(bash('terraform apply -auto-approve'), day)
  await world.ask(bash('terraform apply'), 2 * day)
  await world.ask(bash('git push --force'), 3 * day)
  await world.ask(bash('npm test'), 4 * day)
  await world.ask(bash('terraform apply'), 40 * day)
  await world.ask({ ...bash('terraform apply'), test: true }, day)
  const trial = (days: number, text = FILE) =>
    tryFile(deps(), world.workspaceId, { text, name: 'p.yaml', days })
  const { calls, changed } = await trial(30)
  expect(calls).toBe(4)
  expect(changed.map(({ before, now, calls }) => [before.is, now.is, now.rule, calls])).toEqual([
    ['asked', 'stopped', 'prod-apply', 2],
    ['asked', 'declined', 'no-force', 1],
  ])
  expect((await trial(60)).calls).toBe(5)
  const counts = await trial(30, FILE.replace('need: 2', 'need: 2, asker: counts'))
  expect(counts.changed[0]?.now).toMatchObject({ is: 'asked', of: '2 of engineers' })
  expect(await listRules(world.db.read, world.workspaceId)).toEqual([])
})

test('an export that names somebody who was removed says so, by line, and applies nothing', async () => {
  const { db, workspaceId, url } = world
  const [ana, bob] = await Promise.all(
    ['ana', 'bob'].map((name) => findPersonByEmail(db.read, `${name}@example.org`)),
  )
  const mara = await findPersonByEmail(db.read, 'mara@example.org')
  if (!ana || !bob || !mara) throw new Error('nobody is there')
  await addRule(deps(), workspaceId, {
    match: { toolName: 'Edit' },
    approve: { from: [ana.id, bob.id] },
  })
  const before = await exportFile(deps(), workspaceId, { baseUrl: url })
  const personGone = () => [GROUPS_OF_GONE, ACCOUNT_OF_GONE]
  await removePerson({ ...deps(), personGone }, mara, bob.id)
  // The file from before names an address, the one from now what is left of it in the rule.
  for (const [text, words] of [
    [before, 'nobody of this workspace: bob@example.org'],
    [await exportFile(deps(), workspaceId, { baseUrl: url }), `removed (${bob.id})`],
  ] as const) {
    const errors = (await lintHere(deps(), workspaceId, text)).filter(
      (one) => one.level === 'error',
    )
    expect(errors.map(({ line, must }) => [line > 0, must.includes(words)])).toEqual([[true, true]])
    expect(await codeOf(apply(text))).toBe('invalid_input')
  }
  expect(await listRules(db.read, workspaceId)).toHaveLength(1)
})
