import { afterEach, beforeEach, expect, test } from 'bun:test'
import { putOff, putRole } from '../../../src/ask/accounts/model/person-store.ts'
import { approverChecks } from '../../../src/ask/health/approver-check.ts'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { compareFile } from '../../../src/ask/policy-file/apply-file.ts'
import { lintHere } from '../../../src/ask/policy-file/lint-file.ts'
import { tryFile } from '../../../src/ask/policy-file/try-file.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type ProtectWorld, protectWorld } from '../../support/protect-world.ts'

// Ana and Bob are engineers; the page, REST and a file say the same of a rule.
let world: ProtectWorld
beforeEach(async () => {
  world = await protectWorld(0)
})
afterEach(() => world[Symbol.asyncDispose]())

const deps = () => ({ db: world.db, clock })

async function rest(approve: object, method = 'POST', path = '/api/v1/rules') {
  const response = await fetch(world.url + path, {
    method,
    headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ match: { toolName: 'Edit' }, approve }),
  })
  const { fields } = (await response.json()) as { fields?: Array<{ field: string; must: string }> }
  return { status: response.status, errors: fields ?? [] }
}

const fileWith = (steps: string) => `beckon: policy/1
rules:
  - id: edits
    match: { toolName: Edit }
    approve: { from: [engineers], escalate: [${steps}] }
`

test('a step that reaches nobody who may decide is refused over REST as on the page and in a file', async () => {
  const { engineers, id, submit } = world
  const approve = (more: object) => ({
    from: [engineers.id],
    escalate: [{ afterMs: 600_000, tell: [id('eve')], ...more }],
  })
  const { status, errors } = await rest(approve({}))
  expect([status, errors.map(({ field }) => field)]).toEqual([422, ['approve.escalate[0]']])
  const words = errors[0]?.must ?? ''
  expect(words).toContain('inform: true')
  const step = 'afterMs: 10m, tell: [eve@example.org]'
  const findings = await lintHere(deps(), world.workspaceId, fileWith(`{ ${step} }`))
  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([
    { field: 'rules[0].approve.escalate[0]', must: words },
  ])
  const form = { toolName: 'Edit', approvers: 'yes', approver: engineers.id, need: '1' }
  const page = await submit('/settings/rules/new', { ...form, escalate: '10m eve@example.org' })
  expect([page.status, (await page.text()).includes(words)]).toEqual([422, true])
  expect(await listRules(world.db.read, world.workspaceId)).toHaveLength(1)
  // What is meant to inform is taken everywhere.
  expect((await rest(approve({ inform: true }))).status).toBe(201)
  const informing = fileWith(`{ ${step}, inform: true }`)
  expect(
    (await lintHere(deps(), world.workspaceId, informing)).filter(({ level }) => level === 'error'),
  ).toEqual([])
})

test('a rule keeps its steps when another part of it changes, though its groups are empty now', async () => {
  const { engineers, id, db, workspaceId } = world
  const escalate = [{ afterMs: 600_000, tell: [id('bob')] }]
  expect((await rest({ from: [engineers.id], escalate })).status).toBe(201)
  const rule = (await listRules(db.read, workspaceId)).find(
    ({ match }) => match.toolName === 'Edit',
  )
  await db.write((tx) => putOff(tx, { workspaceId, personId: id('bob') }, clock.now()))
  await db.write((tx) => putOff(tx, { workspaceId, personId: id('ana') }, clock.now()))
  const response = await fetch(`${world.url}/api/v1/rules/${rule?.id}`, {
    method: 'PATCH',
    headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ set: { waitMs: 5_000 } }),
  })
  expect(response.status).not.toBe(422)
})

test('whoever is switched off, or an auditor, counts in a file as little as on the server', async () => {
  const { db, workspaceId, id } = world
  const text = `beckon: policy/1
groups:
  engineers: [ana@example.org, bob@example.org]
  security: [bob@example.org, fay@example.org]
rules:
  - id: shell
    match: { toolName: Bash }
    approve: { from: [engineers], need: 2, asker: counts }
`
  const warnings = async () =>
    (await lintHere(deps(), workspaceId, text)).filter(({ level }) => level === 'warning').length
  const health = async () =>
    (await approverChecks(db.read, [workspaceId])).filter(({ state }) => state !== 'ok').length
  const outcome = async () => {
    const { state } = await compareFile(deps(), workspaceId, { text, name: 'p.yaml' })
    expect(state).toHaveLength(64)
    const trial = await tryFile(deps(), workspaceId, { text, name: 'p.yaml', days: 30 })
    return trial.outcomes.map(({ outcome: { is } }) => is)
  }
  await world.ask({ detail: { toolName: 'Bash', toolTarget: 'ls', action: 'ls' } }, 60_000)
  expect([await warnings(), await outcome()]).toEqual([0, ['asked']])
  await db.write((tx) => putOff(tx, { workspaceId, personId: id('ana') }, clock.now()))
  expect([await warnings(), await outcome()]).toEqual([1, ['stopped']])
  await db.write(async (tx) => {
    await putOff(tx, { workspaceId, personId: id('ana') }, null)
    await putRole(tx, { workspaceId, personId: id('bob'), role: 'auditor' })
  })
  expect([await warnings(), await outcome()]).toEqual([1, ['stopped']])
  expect(await health()).toBe(1)
})
