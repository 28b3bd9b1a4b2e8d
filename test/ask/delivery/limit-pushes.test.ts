import { expect, test } from 'bun:test'
import { TOKEN_LIMITS } from '../../../src/ask/accounts/model/token-limits.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { createSender } from '../../../src/ask/delivery/fan-out.ts'
import { listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import type { AskInput } from '../../../src/ask/wire/ask-fields.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { retryDeliveries } from '../../support/retry-deliveries.ts'

const MOST = TOKEN_LIMITS.pushesAMinute
const NOTE = { title: 'Built', body: 'All green.', agentName: 'Codex' }

type As = Parameters<FlowWorld['call']>[0]

async function people() {
  const world = await flowWorld()
  await world.device('phone', { kind: 'phone', personId: 'ann' })
  await world.device('laptop', { personId: 'ann' })
  let count = 0
  const tell = (more: object = {}, as: As = {}) =>
    sendNotification(world.deps, { ...NOTE, ...more }, world.call(as))
  const ask = (more: Partial<AskInput> = {}, as: As = {}) => {
    const requestId = `call-${++count}`
    const input = { question: 'Deploy?', requestId, wait: false, agentName: 'Codex', ...more }
    return askUser(world.deps, input, world.call(as))
  }
  const titles = (label = 'phone') =>
    world.deliveries.filter(({ to }) => to.label === label).map(({ message }) => message.title)
  /** What goes by itself in a server. */
  const nextMinute = async () => {
    await world.clock.advance(60_000)
    const deps = { db: world.db, clock: world.clock, sender: world.deps.sender as never }
    await retryDeliveries(deps)
    await world.clock.advance(1)
  }
  const times = async (number: number, work: () => Promise<unknown>) => {
    for (let i = 0; i < number; i++) await work()
  }
  return {
    world,
    tell,
    ask,
    titles,
    nextMinute,
    times,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('the sixty-first notification of a minute comes together with others, in one push, and says so', async () => {
  await using at = await people()
  const { world, tell, titles } = at
  await at.times(MOST, async () => expect((await tell()).sent).toBe(2))
  for (let i = 0; i < 5; i++) {
    const { sent: count, delivery, hint, warning } = await tell()
    const together = { recipients: 0, status: expect.stringContaining('together') }
    expect([count, delivery]).toEqual([0, { web: together, mobile: together } as never])
    expect([hint, warning]).toEqual([expect.stringContaining('the most pushes'), undefined])
  }
  expect([titles(), titles('laptop')].map(({ length }) => length)).toEqual([MOST, MOST])
  await at.nextMinute()
  const common = '5 more notifications from Codex'
  expect([titles().slice(MOST), titles('laptop').slice(MOST)]).toEqual([[common], [common]])
  expect(world.deliveries.at(-1)?.message.url).toBe('/activity')
  expect((await tell()).sent).toBe(2)
  const { workspaceId } = world.call().caller
  // Ids of one millisecond are in no order.
  const all = await readActivity({ db: world.db }, { workspaceId }, { limit: 100 })
  const heldOf = all.items.map((item) => item.kind === 'notification' && item.notification.held)
  expect(heldOf.filter((one) => one === 'collapsed')).toHaveLength(5)
})

test('another token, and another person, are not touched', async () => {
  await using at = await people()
  await at.world.device('bob', { kind: 'phone', personId: 'bob', externalId: 'bob' })
  await at.world.device('nobody', { externalId: 'nobody' })
  await at.times(MOST + 3, () => at.tell({ externalIds: ['bob'] }))
  expect(at.titles('bob')).toHaveLength(MOST)
  expect((await at.tell({ externalIds: ['bob'] }, { tokenId: 'key_other' })).sent).toBe(1)
  const { sent: count, delivery, hint } = await at.tell()
  expect([count, delivery.mobile.recipients, delivery.web.recipients]).toEqual([3, 1, 2])
  expect(hint).toContain('For one person')
  await at.nextMinute()
  expect(at.titles('bob').at(-1)).toBe('4 more notifications from Codex')
  expect(at.titles()).toEqual(['Built'])
})

test('questions come first: they give way to questions alone, and a permission ask to nothing', async () => {
  await using at = await people()
  await at.times(MOST + 1, () => at.tell())
  await at.times(MOST, () => at.ask())
  await at.world.clock.advance(1)
  expect(at.titles()).toHaveLength(2 * MOST)
  expect((await at.ask()).hint).toContain('together with others')
  expect(at.titles()).toHaveLength(2 * MOST)
  await at.times(20, async () => {
    await at.ask({ toolName: 'Bash', toolTarget: 'npm publish' })
    await at.world.clock.advance(1)
  })
  expect(at.titles()).toHaveLength(2 * MOST + 20)
  await at.nextMinute()
  expect(at.titles().at(-1)).toBe('2 more messages from Codex')
  expect(at.world.deliveries.at(-1)?.message.url).toBe('/inbox')
})

test('a question that comes together with others waits all the same, a retry of it too, and says so', async () => {
  await using at = await people()
  await at.times(MOST, () => at.ask())
  const call = { wait: true, timeoutMs: 90_000, requestId: 'late' }
  const waiting = at.ask(call)
  await at.world.clock.advance(1_000)
  const again = at.ask({ ...call, wait: false })
  await at.world.clock.advance(1)
  const joined = await again
  expect(joined).toMatchObject({ status: 'pending', nextAction: 'wait_for_answer' })
  expect(joined).not.toHaveProperty('noDevices')
  expect(joined.hint).toContain('together with others')
  await at.nextMinute()
  expect(at.titles().at(-1)).toBe('1 more question from Codex')
  await at.world.clock.advance(60_000)
  expect(await waiting).toMatchObject({ timedOut: true })
  await at.ask({ requestId: 'next minute' })
  await at.world.clock.advance(1)
  expect(at.titles()).toHaveLength(MOST + 2)
})

test('a retry counts no push, nor does what a person has switched off or what reaches nobody', async () => {
  await using at = await people()
  await at.times(2 * MOST, () => at.ask({ requestId: 'once' }))
  await at.times(2 * MOST, () => at.tell({ tags: ['nobody'] }))
  expect(at.titles()).toHaveLength(1)
  expect((await at.tell()).sent).toBe(2)
})

test('after a restart the common push is sent once, with the whole number', async () => {
  await using at = await people()
  const { world } = at
  await at.times(MOST + 7, () => at.tell())
  await world.clock.advance(61_000)
  const titles: string[] = []
  const channel = {
    transport: 'webpush' as const,
    async send({ message }: { message: { title: string } }) {
      titles.push(message.title)
      return { outcome: 'accepted' as const, status: 201 }
    },
  }
  const more = { channels: [channel], log: silentLog, holder: 'next' }
  await using sender = createSender({ db: world.db, clock: world.clock, ...more })
  const next = { db: world.db, clock: world.clock, sender }
  expect([await retryDeliveries(next), await retryDeliveries(next)]).toEqual([2, 0])
  await world.clock.advance(1)
  expect(titles).toEqual(Array(2).fill('7 more notifications from Codex'))
})

test('many at once are counted one by one', async () => {
  await using at = await people()
  const results = await Promise.all(Array.from({ length: MOST + 40 }, () => at.tell()))
  expect(results.filter((result) => result.sent === 2)).toHaveLength(MOST)
  await at.nextMinute()
  expect(at.titles().filter((title) => title === '40 more notifications from Codex')).toHaveLength(
    1,
  )
  const { workspaceId } = at.world.call().caller
  const { items } = await readActivity({ db: at.world.db }, { workspaceId }, { limit: 1 })
  const [first] = items
  if (first?.kind !== 'notification') throw new Error('no notification')
  const rows = await listDeliveries(at.world.db.read, workspaceId, first.notification.id)
  expect(rows.every(({ state }) => state === 'accepted')).toBe(true)
})
