import { afterEach, beforeEach, expect, test } from 'bun:test'
import { listGroups } from '../../../src/ask/groups/model/store.ts'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { applyFile, compareFile, releaseFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import { lintFile, lintHere } from '../../../src/ask/policy-file/lint-file.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

let world: PageWorld
let bob: string
beforeEach(async () => {
  world = await pageWorld()
  const add = (name: string) =>
    addPersonWithPassword(
      { db: world.db, clock },
      { email: `${name}@example.org`, name, role: 'member' },
    )
  await add('ana')
  bob = (await add('bob')).id
  const of = { workspaceId: world.workspaceId, kind: 'chat', transport: 'slack' } as const
  await connect(world.db, { ...of, label: '#deploys', personId: undefined })
})
afterEach(() => world[Symbol.asyncDispose]())

const FILE = `beckon: policy/1
groups:
  engineers: [ana@example.org, bob@example.org]
  leads: [bob@example.org]
rules:
  - id: prod-apply
    match: { toolName: Bash }
    approve:
      from: [engineers]
      fresh: passkey
      where: [page]
      except: [{ toolTarget: "terraform plan*" }]
      tell: [leads, bob@example.org, owners, "oncall:platform", "channel:deploys"]
      urgent: true
      escalate:
        - { afterMs: 10m, tell: ["oncall:platform", leads] }
        - { afterMs: 30m, tell: [owners], inform: true }
rotas:
  platform: { zone: Europe/Berlin, from: 2026-10-19, at: "09:00", every: 7d, people: [bob@example.org] }
`
const deps = () => ({ db: world.db, clock })
const compare = (text: string) => compareFile(deps(), world.workspaceId, { text, name: 'p.yaml' })
const apply = async (text: string) => {
  const { state: base } = await compare(text)
  return applyFile(deps(), world.workspaceId, { text, name: 'p.yaml', base })
}
const approve = async () => (await listRules(world.db.read, world.workspaceId))[0]?.approve

test('who is told and what a vote needs pass through export, lint, diff and apply', async () => {
  const mistakes = (await lintHere(deps(), world.workspaceId, FILE)).filter(
    ({ level }) => level === 'error',
  )
  expect(mistakes).toEqual([])
  await apply(FILE)
  const groups = await listGroups(world.db.read, world.workspaceId)
  const idOf = (name: string) => groups.find((group) => group.name === name)?.id ?? ''
  const before = await approve()
  expect(before).toMatchObject({
    ...{ fresh: 'passkey', where: ['page'], urgent: true, from: [idOf('engineers')] },
    tell: [idOf('leads'), bob, 'owners', 'oncall:platform', 'channel:deploys'],
    escalate: [
      { afterMs: 600_000, tell: ['oncall:platform', idOf('leads')] },
      { afterMs: 1_800_000, tell: ['owners'], inform: true },
    ],
  })
  expect((await compare(FILE)).differences).toEqual([])

  const exported = await exportFile(deps(), world.workspaceId, { baseUrl: world.url })
  expect(exported).toContain('bob@example.org')
  expect(exported).not.toContain('group_')
  expect((await compare(exported)).differences).toEqual([])
  await releaseFile(deps(), world.workspaceId)
  await apply(exported)
  expect(await approve()).toEqual(before)
  const again = await exportFile(deps(), world.workspaceId, {
    ...{ baseUrl: world.url, before: exported },
  })
  expect(again).toBe(exported)

  const other = FILE.replace('fresh: passkey', 'fresh: sign_in').replace('[leads, ', '[')
  const [difference] = (await compare(other)).differences
  expect(difference).toMatchObject({ name: 'prod-apply', change: 'changed' })
  await apply(other)
  expect(await approve()).toMatchObject({ fresh: 'sign_in' })
  expect((await approve())?.tell).not.toContain(idOf('leads'))
})

test('a file tells nobody who is not there', async () => {
  for (const [wrong, field] of [
    ['zed@example.org', 'rules[0].approve.tell[0]'],
    ['managers', 'rules[0].approve.tell[0]'],
  ] as const) {
    const text = FILE.replace('tell: [leads', `tell: [${wrong}`)
    const findings = await lintHere(deps(), world.workspaceId, text)
    const mistakes = findings.filter(({ level }) => level === 'error')
    expect(mistakes.map((one) => one.field)).toEqual([field])
  }
})

test('lint names steps that tell nobody who may decide, and those that come too late', async () => {
  const lint = async (text: string) =>
    (await lintHere(deps(), world.workspaceId, text))
      .filter(({ field }) => field.includes('escalate'))
      .map(({ level, field, line }) => [level, field, line])
  expect(await lint(FILE)).toEqual([])
  const steps = 'rules[0].approve.escalate'
  expect(await lint(FILE.replace(', inform: true', ''))).toEqual([['error', `${steps}[1]`, 17]])
  expect(await lint(FILE.replace('afterMs: 30m', 'afterMs: 9h'))).toEqual([
    ['warning', `${steps}[1]`, 17],
  ])
  const nobody = FILE.replace('leads: [bob@example.org]', 'leads: [bob@example.org]\n  empty: []')
  expect(await lint(nobody.replace('[owners], inform: true', '[empty]'))).toEqual([
    ['warning', `${steps}[1]`, 18],
  ])
  // Without a server owners are not known, and the groups of the file are.
  const alone = (text: string) =>
    lintFile(text).filter(({ field, level }) => field.includes('escalate') && level === 'error')
  expect(alone(FILE.replace(', inform: true', ''))).toEqual([])
  const other = FILE.replace('leads: [bob@', 'leads: [eve@').replace(
    '"oncall:platform", leads',
    'leads',
  )
  expect(alone(other)).toHaveLength(1)
  const { state: base } = await compare(FILE)
  const text = FILE.replace(', inform: true', '')
  const refused = applyFile(deps(), world.workspaceId, { text, name: 'p.yaml', base })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
})
