import { afterEach, beforeEach, expect, test } from 'bun:test'
import { NeedsAgreement } from '../../../src/ask/accounts/model/guarded-change.ts'
import { addRule, changeRule, removeRule } from '../../../src/ask/policy/change-policy.ts'
import { decidesHere } from '../../../src/ask/policy/guard.ts'
import type { RuleId } from '../../../src/ask/policy/model/rule.ts'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import type { RuleInput } from '../../../src/ask/policy/write-rule.ts'
import { applyFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type ProtectWorld, protectWorld } from '../../support/protect-world.ts'

let world: ProtectWorld
beforeEach(async () => {
  world = await protectWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

const deps = () => ({ db: world.db, clock })
const rules = () => listRules(world.db.read, world.workspaceId)
const add = (input: RuleInput) => addRule(deps(), world.workspaceId, input, world.id('mara'))
const change = (id: RuleId, parts: RuleInput) =>
  changeRule(deps(), world.workspaceId, id, parts, world.id('mara'))
const isProposed = (work: Promise<unknown>) =>
  work.then(
    () => false,
    (error) => error instanceof NeedsAgreement,
  )
const approve = () => ({ from: [world.security.id], need: 2 })

test('a rule that only watches is added, changed and removed without agreement', async () => {
  const { id } = await add({ match: { toolName: 'Write' }, approve: approve(), mode: 'watch' })
  await change(id, { approve: { ...approve(), need: 1 } })
  await change(id, { mode: 'watch' })
  expect(await decidesHere(world.db.read, world.workspaceId, world.id('eve'))).toBe(false)
  await change(id, { approve: { from: [world.id('eve')] } })
  expect(await decidesHere(world.db.read, world.workspaceId, world.id('eve'))).toBe(false)
  await removeRule(deps(), world.workspaceId, id, world.id('mara'))
  expect(await rules()).toHaveLength(1)
})

test('to make it act, or to let one that acts only watch, needs agreement over every way', async () => {
  const { id } = await add({ match: { toolName: 'Write' }, approve: approve(), mode: 'watch' })
  const acting = (await rules()).find((rule) => rule.id !== id)
  if (!acting) throw new Error('no rule acts')
  expect(await isProposed(change(id, { mode: 'enforce' }))).toBe(true)
  expect(await isProposed(change(id, { approve: approve(), mode: 'enforce' }))).toBe(true)
  expect(await isProposed(change(acting.id, { mode: 'watch' }))).toBe(true)
  // As a part of anything else as well.
  expect(await isProposed(change(acting.id, { match: acting.match, mode: 'watch' }))).toBe(true)
  const text = await exportFile(deps(), world.workspaceId, { baseUrl: world.url })
  expect(text).toContain('mode: watch')
  const apply = (changed: string) =>
    applyFile(deps(), world.workspaceId, { text: changed, name: 'p.yaml' })
  expect(await isProposed(apply(text.replace(/^ *mode: watch\n/m, '')))).toBe(true)
  expect(await isProposed(apply(text.replace('mode: watch', 'mode: enforce')))).toBe(true)
  const weaker = text.replace(/^( *)(approve:)/m, '$1mode: watch\n$1$2')
  expect(weaker).not.toBe(text)
  expect(await isProposed(apply(weaker))).toBe(true)
  expect(await rules()).toMatchObject([{ mode: undefined }, { mode: 'watch' }])
})

test('who agrees reads what changes, and the last yes makes it act', async () => {
  const { id } = await add({ match: { toolName: 'Write' }, approve: approve(), mode: 'watch' })
  const response = await fetch(`${world.url}/api/v1/rules/${id}`, {
    method: 'PATCH',
    headers: {
      ...{ cookie: world.cookies.mara ?? '', origin: world.url },
      'content-type': 'application/json',
    },
    body: JSON.stringify({ mode: 'enforce' }),
  })
  expect(response.status).toBe(409)
  const place = new URL((await response.json()).question).pathname
  const page = await (await world.get(place, world.cookies.bob)).text()
  expect(page).toContain('mode: &quot;watch&quot; → nothing')
  await world.agree(place, 'bob')
  expect((await rules()).find((rule) => rule.id === id)?.mode).toBe('watch')
  await world.agree(place, 'fay')
  expect((await rules()).find((rule) => rule.id === id)).toMatchObject({ mode: undefined })
})
