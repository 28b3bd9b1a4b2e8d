import { expect, test } from 'bun:test'
import { insertDeliveries } from '../../../src/ask/delivery/model/store.ts'
import type { SubscriberId } from '../../../src/ask/subscribers/model/subscriber.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

type Row = Parameters<typeof insertDeliveries>[1][number]

const AT = Date.UTC(2026, 0, 5, 14, 2)

async function storeDeliveries(world: PageWorld, subjectId: QuestionId, rows: Array<Partial<Row>>) {
  const all = rows.map((row, i) => ({
    id: `dl_${i}`,
    workspaceId: world.workspaceId,
    subjectId,
    kind: 'phone',
    message: { kind: 'question', title: '', body: '', tag: 'q', url: '/', urgency: 'high' },
    state: 'accepted',
    attempts: 1,
    nextAt: 1,
    expiresAt: 9,
    claimedBy: null,
    claimedUntil: 0,
    createdAt: 1,
    endedAt: AT,
    lastStatus: 201,
    lastError: null,
    shownAt: null,
    openedAt: null,
    seal: null,
    messageRef: null,
    ...row,
  })) as Row[]
  await world.db.write((tx) => insertDeliveries(tx, all))
}

function textOf(page: string): string {
  const part = page.slice(page.indexOf('id="receipts"'), page.indexOf('</details>'))
  return part.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')
}

test('the page of a question says what is known of each device, and no more', async () => {
  await using world = await pageWorld()
  const { db, workspaceId } = world
  const labels = ['Pixel', 'Desk', 'Tablet <b>', 'Old phone']
  const all = labels.map((label) => ({
    label,
    workspaceId,
    endpoint: `https://p.example/${label}`,
  }))
  const ids = (await connect(db, ...all)).map(({ id }) => id)
  const [pixel, desk, tablet, old] = ids as [SubscriberId, SubscriberId, SubscriberId, SubscriberId]
  const id = await world.ask({ status: 'answered', value: 'yes', endedAt: Date.now() })
  const outcome = { kind: 'outcome', title: '', body: '', tag: 'q', url: '/', urgency: 'normal' }
  await storeDeliveries(world, id, [
    { subscriberId: pixel, shownAt: AT + 60_000, openedAt: AT + 120_000 },
    { subscriberId: desk },
    { subscriberId: tablet, state: 'waiting', lastError: 'It answered 503.' },
    { subscriberId: old, state: 'gone', lastError: 'It answered 410.' },
    { subscriberId: 'sub_removed', state: 'accepted' },
    { subscriberId: pixel, message: outcome as Row['message'], shownAt: AT + 180_000 },
  ])
  const text = textOf(await (await world.get(`/d/${id}`)).text())
  expect(text).toContain('Opened on one device; one device did not get it.')
  expect(text).toContain('Pixel shown 14:03 UTC, opened 14:04 UTC; its outcome shown 14:05 UTC')
  expect(text).toContain('Desk accepted 14:02 UTC')
  expect(text).toContain('Tablet &lt;b> on its way: It answered 503.')
  expect(text).toContain('Old phone no longer takes messages: It answered 410.')
  expect(text).toContain('A device that was removed accepted 14:02 UTC')
})

test('a notification that carries a question says where that one message got', async () => {
  await using world = await pageWorld()
  const { db, workspaceId } = world
  const [device] = await connect(db, { workspaceId, label: 'Pixel' })
  const questionId = await world.ask()
  const { id } = await world.tell({ questionId })
  const subscriberId = device?.id as SubscriberId
  await storeDeliveries(world, questionId, [{ subscriberId, shownAt: AT }])
  const text = textOf(await (await world.get(`/n/${id}`)).text())
  expect(text).toContain('Shown on one device.')
  expect(text).toContain('Pixel shown 14:02 UTC')
})

test('of six devices, four that failed are said beside the two that accepted', async () => {
  await using world = await pageWorld()
  const { db, workspaceId } = world
  const id = await world.ask()
  const states = ['accepted', 'accepted', 'gone', 'refused', 'lapsed', 'refused'] as const
  const labels = states.map((_, i) => ({ label: `Phone ${i}`, workspaceId }))
  const all = await connect(db, ...labels)
  const rows = all.map(({ id: subscriberId }, i) => {
    const state = states[i] ?? 'refused'
    return { subscriberId, state, ...(state !== 'accepted' && { lastError: 'It answered 410.' }) }
  })
  await storeDeliveries(world, id, rows)
  const text = textOf(await (await world.get(`/d/${id}`)).text())
  expect(text).toContain('Accepted for 2 devices; 4 devices did not get it.')
})
