import { afterEach, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020'
import { parse } from 'yaml'
import { readVisibility } from '../../../src/ask/accounts/model/workspace-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { policyFileChecks } from '../../../src/ask/health/policy-file-check.ts'
import { listRules, readOrigin } from '../../../src/ask/policy/model/store.ts'
import { applyFile, compareFile, releaseFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import { lintFile, lintHere } from '../../../src/ask/policy-file/lint-file.ts'
import { differenceLines } from '../../../src/ask/policy-file/model/difference.ts'
import { editorSchema } from '../../../src/ask/policy-file/model/policy-file.ts'
import { tryFile } from '../../../src/ask/policy-file/try-file.ts'
import { createLook } from '../../../src/ask/protect/watch-file.ts'
import { listSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { silentLog as log } from '../../../src/platform/log.ts'
import { connect } from '../../support/devices.ts'
import { type ProtectWorld, protectWorld, theRule } from '../../support/protect-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// The workspace of Mara, with engineers and security, and nobody who guards it.
let world: ProtectWorld
beforeEach(async () => {
  world = await protectWorld(0)
})
afterEach(() => world[Symbol.asyncDispose]())

const FILE = `beckon: policy/1
visibility: group   # customers' names are in the texts
channels:
  # where people watch deployments
  deploys: { slack: "#deploys" }
rules:
  - id: prod
    match: { toolName: Bash }
    approve:
      from: [engineers]
      tell: [engineers, "channel:deploys"]
      escalate: [{ afterMs: 10m, tell: ["channel:deploys", engineers] }]
`
const deps = () => ({ db: world.db, clock })
const asPosted = (text: string) => ({ text, name: 'p.yaml' })
const compare = (text: string) => compareFile(deps(), world.workspaceId, asPosted(text))
const apply = async (text: string) => {
  const { state: base } = await compare(text)
  return applyFile(deps(), world.workspaceId, { ...asPosted(text), base })
}
const exported = (before?: string) =>
  exportFile(deps(), world.workspaceId, { baseUrl: world.url, before })
const visibility = () => readVisibility(world.db.read, world.workspaceId)
const channel = (label: string, endpoint = label) => {
  const about = { workspaceId: world.workspaceId, kind: 'chat', transport: 'slack' } as const
  return connect(world.db, { ...about, label, endpoint, personId: undefined })
}
const errors = async (text: string) =>
  (await lintHere(deps(), world.workspaceId, text))
    .filter(({ level }) => level === 'error')
    .map(({ field, line, must }) => ({ field, line, must }))
const withoutHead = (text: string) => text.replace(/^# (beckon-state|yaml-language).*\n/gm, '')

test('a channel that is not connected is said by name and line, and nothing is half applied', async () => {
  const findings = await errors(FILE)
  expect(findings.map(({ field, line }) => [field, line])).toEqual([
    ['channels.deploys', 5],
    ['rules[0].approve.tell[1]', 11],
    ['rules[0].approve.escalate[0].tell[0]', 12],
  ])
  for (const { must } of findings) expect(must).toContain('deploys')
  const { db, workspaceId } = world
  const refused = applyFile(deps(), workspaceId, { ...asPosted(FILE), base: 'a'.repeat(64) })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(compare(FILE)).rejects.toMatchObject({ code: 'invalid_input' })
  expect([await visibility(), (await theRule(world))?.name]).toEqual(['workspace', undefined])
  expect(await readOrigin(db.read, workspaceId)).toBeUndefined()
  await channel('#deploys')
  expect(await errors(FILE)).toEqual([])
})

test('both parts are compared, tried, applied and exported, with the comments of the file', async () => {
  await channel('#deploys')
  await channel('#ops')
  const { db, workspaceId } = world
  const { differences } = await compare(FILE)
  expect(differences.flatMap(differenceLines)[0]).toContain('workspace" → "group')
  expect(differences.map(({ part, change }) => [part, change]).slice(0, 1)).toEqual([
    ['visibility', 'changed'],
  ])
  expect((await tryFile(deps(), workspaceId, { ...asPosted(FILE), days: 30 })).calls).toBe(0)
  expect(await visibility()).toBe('workspace')
  await apply(FILE)
  expect(await visibility()).toBe('group')
  expect((await compare(FILE)).differences).toEqual([])
  const rows = await db.read.select().from(audit)
  const row = rows.find(({ kind }) => kind === 'policy.applied')
  expect(row?.detail).toContain('visibility group changed')
  // A channel that the file does not have is still connected.
  const labels = (await listSubscribers(db.read, workspaceId)).map(({ label }) => label)
  expect(labels.toSorted()).toEqual(['#deploys', '#ops'])

  const whole = parse(await exported())
  expect(whole).toMatchObject({
    visibility: 'group',
    channels: { deploys: { slack: '#deploys' }, ops: { slack: '#ops' } },
  })
  const updated = await exported(FILE)
  expect(updated).toContain("visibility: group   # customers' names are in the texts")
  expect(updated).toContain('# where people watch deployments\n  deploys: { slack: "#deploys" }')
  expect(await exported(updated)).toBe(updated)
  expect((await compare(updated)).differences).toEqual([])
})

test('what says nothing stays in the file as it is written', async () => {
  const text = 'beckon: policy/1\nprotect: null # nobody yet\nvisibility: workspace\nrotas: {}\n'
  const all = await exported(text)
  expect(withoutHead(all)).toStartWith(text)
  expect(await exported(all)).toBe(all)
  expect((await compare(all)).differences).toEqual([])
})

test('a part that is missing stays as it is, and the default takes it back', async () => {
  await apply('beckon: policy/1\nvisibility: own\n')
  expect(await visibility()).toBe('own')
  await apply('beckon: policy/1\npolicy: { waitMs: 40s }\n')
  expect(await visibility()).toBe('own')
  const back = 'beckon: policy/1\nvisibility: workspace\n'
  expect((await compare(back)).differences).toMatchObject([
    { part: 'visibility', name: 'workspace' },
  ])
  await apply(back)
  expect(await visibility()).toBe('workspace')
  // So it is for what guards: taking it away is a difference.
  await apply('beckon: policy/1\nprotect: { from: [security] }\n')
  const none = await compare('beckon: policy/1\nprotect: null\n')
  expect(none.differences).toMatchObject([{ part: 'protect', change: 'removed' }])
})

const WRONG: Array<[what: string, text: string, field: string]> = [
  ['another name', 'channels: { deploys: { slack: "#ops" } }', 'channels.deploys.slack'],
  [
    'one twice',
    'channels: { deploys: { slack: deploys }, Deploys: { slack: deploys } }',
    'channels.Deploys',
  ],
  ['a hash', 'channels: { "#deploys": { slack: "#deploys" } }', 'channels'],
  ['an invisible name', 'channels: { "de\\u202eploys": { slack: "de\\u202eploys" } }', 'channels'],
  ['no service', 'channels: { deploys: "#deploys" }', 'channels.deploys'],
  ['another service', 'channels: { deploys: { irc: "#deploys" } }', 'channels.deploys.irc'],
  ['nobody', 'visibility: nobody', 'visibility'],
]
for (const [what, text, field] of WRONG) {
  test(`${what} is refused with its field`, () => {
    const fields = lintFile(`beckon: policy/1\n${text}\n`).map((one) => one.field)
    expect(fields).toContain(field)
  })
}

test('alone, a file knows the channels that it has itself', () => {
  const file = `${FILE}groups: { engineers: [ana@example.org, bob@example.org] }\n`
  expect(lintFile(file).filter(({ level }) => level === 'error')).toEqual([])
  const other = file.replaceAll('channel:deploys', 'channel:ops')
  const words = lintFile(other).filter(({ level }) => level === 'error')
  expect(words.map(({ field }) => field)).toEqual([
    'rules[0].approve.tell[1]',
    'rules[0].approve.escalate[0].tell[0]',
  ])
  const without = other.replace(/channels:\n.*\n.*\n/, '')
  expect(lintFile(without).filter(({ level }) => level === 'error')).toEqual([])
})

test('the schema of editors takes both', () => {
  const valid = new Ajv({ strict: false }).compile(editorSchema())
  expect(valid(parse(FILE))).toBe(true)
  expect(valid(parse(FILE.replace('visibility: group', 'visibility: nobody')))).toBe(false)
  expect(valid(parse(FILE.replace('slack:', 'irc:')))).toBe(false)
})

test('another visibility is drift; another channel is none, as a file changes none', async () => {
  await channel('#deploys')
  await apply(FILE)
  await channel('#ops')
  await applyFile(deps(), world.workspaceId, asPosted(FILE))
  await releaseFile(deps(), world.workspaceId)
  const own = await exported()
  const fields = { visibility: 'own' }
  expect((await world.submit('/settings/visibility', fields)).status).toBe(303)
  const late = applyFile(deps(), world.workspaceId, asPosted(own))
  await expect(late).rejects.toMatchObject({ code: 'conflict' })
  expect(await visibility()).toBe('own')
})

test('while a file is in force the page of what members see shows it and changes nothing', async () => {
  await apply('beckon: policy/1\nvisibility: group\n')
  const page = await (await world.get('/settings/visibility')).text()
  expect(page).toContain('p.yaml')
  expect(page).toContain('Their groups')
  expect(page).not.toContain('action="/settings/visibility"')
  expect((await world.submit('/settings/visibility', { visibility: 'own' })).status).toBe(409)
  expect(await visibility()).toBe('group')
  await releaseFile(deps(), world.workspaceId)
  expect(await visibility()).toBe('group')
  expect((await world.submit('/settings/visibility', { visibility: 'own' })).status).toBe(303)
})

test('where others guard who may decide, what members see is not proposed', async () => {
  await apply('beckon: policy/1\nprotect: { from: [security] }\n')
  await apply('beckon: policy/1\nvisibility: own\n')
  expect(await visibility()).toBe('own')
  // But taking away the guard in the same file is, and then nothing is changed.
  const both = apply('beckon: policy/1\nvisibility: group\nprotect: null\n')
  await expect(both).rejects.toMatchObject({ code: 'needs_agreement' })
  expect(await visibility()).toBe('own')
})

test('the file on the server’s disk waits for its channel, and Health names it', async () => {
  using temp = tempFolder()
  const path = join(temp.path, 'policy.yaml')
  writeFileSync(path, FILE)
  const look = createLook({ ...deps(), log }, path)
  await look()
  const health = async () => {
    const [check] = await policyFileChecks(world.db.read, path)
    return check?.state === 'ok' ? undefined : check?.said
  }
  expect(await health()).toContain('channels.deploys')
  expect(await visibility()).toBe('workspace')
  await channel('deploys')
  await look()
  expect([await health(), await visibility()]).toEqual([undefined, 'group'])
  expect(await listRules(world.db.read, world.workspaceId)).toHaveLength(1)
})
