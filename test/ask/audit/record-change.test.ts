import { expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { rotateCallbackSecret } from '../../../src/ask/callbacks/callback-secret.ts'
import { forgetDevice } from '../../../src/ask/devices/devices.ts'
import { sendTestPush } from '../../../src/ask/devices/send-test-push.ts'
import { subscribe } from '../../../src/ask/devices/subscribe.ts'
import { addPerson, resetPerson } from '../../../src/ask/people/people.ts'
import {
  addRule,
  changeRule,
  removeRule,
  setPolicy,
} from '../../../src/ask/policy/change-policy.ts'
import { openSetUp, setUp } from '../../../src/ask/sign-in/set-up.ts'
import { exportAudit } from '../../../src/ask/trail/read-audit.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { workspaceId } from '../../support/devices.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { postOffice, quickAnswerSecret } from '../../support/post-office.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

test('people, policy, rules and secrets leave their mark, with who did it', async () => {
  using folder = tempFolder()
  await using db = openDataFolder(folder.path)
  const world = { db, clock: fakeClock() }
  const step = () => world.clock.advance(1_000)
  const password = 'correct horse battery'
  const code = (await openSetUp(world)) ?? ''
  const ann = await setUp(world, { code, name: 'Ann', email: 'ann@example.org', password })
  await step()
  await addPerson(world, { email: 'bob@example.org', name: 'Bob', password })
  await step()
  await resetPerson(world, { email: 'bob@example.org' })
  await step()
  const owner = await findPersonByEmail(db.read, 'ann@example.org')
  if (!owner) throw new Error('nobody was set up')
  const home = owner.workspaceId
  await setPolicy(world, home, { waitMs: 5_000 }, ann)
  await step()
  const match = { toolName: 'Bash' }
  const rule = await addRule(world, home, { match, set: { waitMs: 2_000 } }, ann)
  await step()
  await changeRule(world, home, rule.id, { set: { waitMs: 3_000 } }, ann)
  await step()
  await removeRule(world, home, rule.id, ann)
  await step()
  await rotateCallbackSecret(world, home, ann)
  await step()
  const refused = setPolicy(world, home, {
    quietHours: { from: '22:00', to: '07:00', zone: 'X/Y' },
  })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })

  const trail = await Array.fromAsync(exportAudit(world, { workspaceId: home }, NO_FILTER))
  expect(trail.map(({ kind, person, outcome }) => [kind, person, outcome?.slice(0, 20)])).toEqual([
    ['callback.changed', 'Ann', 'new signing secret'],
    ['rule.changed', 'Ann', 'removed: {"match":{"'],
    ['rule.changed', 'Ann', 'changed: {"match":{"'],
    ['rule.changed', 'Ann', 'added: {"match":{"to'],
    ['policy.changed', 'Ann', '{"waitMs":5000}'],
    ['person.reset', undefined, undefined],
    ['person.added', undefined, 'member'],
    ['sign_in.set_up', 'Ann', 'password'],
  ])
  expect(JSON.stringify(trail)).not.toContain(password)
  expect(JSON.stringify(trail)).not.toContain('whsec_')
})

test('devices leave their mark when they come, are removed, or are gone by themselves', async () => {
  await using office = await postOffice()
  const deps = { ...office, quickAnswerSecret }
  const by = { workspaceId, personId: 'ann', userAgent: undefined }
  const connect = async (
    label: string,
    ...behaviour: Parameters<typeof office.push.subscribe>[1][]
  ) => {
    const keys = office.push.subscribe(label, ...behaviour)
    const input = { kind: 'browser', transport: 'webpush', label, ...keys } as const
    const { device } = await subscribe(deps, input, by)
    await subscribe(deps, input, by)
    return device
  }
  const ann = {
    id: 'ann',
    name: 'Ann',
    email: 'a@example.org',
    workspaceId,
    role: 'owner',
  } as const
  const laptop = await connect('Laptop')
  const phone = await connect('Old phone', { status: 410 })
  await forgetDevice(office, ann, laptop.id)
  await sendTestPush(office, ann, phone.id)
  const trail = () => Array.fromAsync(exportAudit(office, { workspaceId }, NO_FILTER))
  await until(async () => (await trail()).length >= 4)
  const changes = (await trail()).map(({ kind, person, subject }) => [kind, subject, person])
  expect(changes.sort()).toEqual(
    [
      ['device.connected', 'Laptop', undefined],
      ['device.connected', 'Old phone', undefined],
      ['device.removed', 'Laptop', 'Ann'],
      ['device.removed', 'Old phone', undefined],
    ].sort(),
  )
})
