import { expect, test } from 'bun:test'
import * as store from '../../src/ask/delivery/model/link-store.ts'
import type { AnswerLink } from '../../src/ask/delivery/model/links.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('answer links', (db) => {
  const link = (more: Partial<AnswerLink> = {}): AnswerLink => ({
    questionId: 'q_1',
    subscriberId: 'sub_1',
    purpose: 'page',
    ...more,
  })
  const use = (one: AnswerLink) => db().write((tx) => store.useLink(tx, one, 5))
  const isUsed = (one: AnswerLink) => store.isLinkUsed(db().read, one)

  test('one link is used once; its neighbours are not touched', async () => {
    expect(await isUsed(link())).toBe(false)
    expect([await use(link()), await use(link())]).toEqual([true, false])
    expect(await isUsed(link())).toBe(true)
    const others = [{ questionId: 'q_2' }, { subscriberId: 'sub_2' }, { purpose: 'yes' }] as const
    for (const other of others) expect(await isUsed(link(other))).toBe(false)
    const both = await Promise.all([use(link(others[0])), use(link(others[0]))])
    expect(both.sort()).toEqual([false, true])
  })

  test('answer links are deleted with their question', async () => {
    await use(link())
    await use(link({ questionId: 'q_2' }))
    await db().write((tx) => store.deleteLinks(tx, []))
    await db().write((tx) => store.deleteLinks(tx, ['q_1', 'n_1']))
    expect([await isUsed(link()), await isUsed(link({ questionId: 'q_2' }))]).toEqual([false, true])
  })
})
