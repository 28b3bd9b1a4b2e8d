import { expect, test } from 'bun:test'
import type { Group } from '../../src/ask/groups/model/group.ts'
import * as store from '../../src/ask/groups/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const ENGINEERS: Group = {
  ...{ id: 'group_1', workspaceId: 'ws_1', name: 'engineers', source: 'hand' },
  ...{ externalId: undefined, createdAt: 1_000 },
}
const MANAGERS: Group = { ...ENGINEERS, id: 'group_2', name: 'Managers' }
const ELSEWHERE: Group = { ...ENGINEERS, id: 'group_3', workspaceId: 'ws_2' }

onBothDatabases('groups', (db) => {
  const insert = (group: Group) => db().write((tx) => store.insertGroup(tx, group))
  const put = (group: Group, source: Group['source'], people: string[]) =>
    db().write((tx) => store.putGroupMembers(tx, group, source, people))
  const members = async (workspaceId: Group['workspaceId'] = 'ws_1') =>
    (await store.listGroupMembers(db().read, workspaceId)).map(
      ({ groupId, personId, source }) => `${groupId} ${personId} ${source}`,
    )

  test('a name is one group’s of a workspace', async () => {
    expect(await insert(ENGINEERS)).toBe(true)
    expect(await insert({ ...ENGINEERS, id: 'group_9' })).toBe(false)
    expect(await insert(ELSEWHERE)).toBe(true)
    const directory = { ...MANAGERS, source: 'directory:acme', externalId: 'e1' } as const
    await insert(directory)
    expect(await store.listGroups(db().read, 'ws_1')).toHaveLength(2)
    expect(await store.findGroup(db().read, 'ws_1', 'group_2')).toEqual(directory)
    expect(await store.findGroup(db().read, 'ws_2', 'group_2')).toBeUndefined()
    await db().write((tx) => store.putGroupName(tx, ENGINEERS, 'builders'))
    expect((await store.findGroupByName(db().read, 'ws_1', 'builders'))?.id).toBe('group_1')
    expect(await store.findGroupByName(db().read, 'ws_1', 'engineers')).toBeUndefined()
    expect((await store.findGroupByName(db().read, 'ws_2', 'engineers'))?.id).toBe('group_3')
    await db().write((tx) => store.putGroupSource(tx, ENGINEERS, 'file'))
    expect((await store.findGroup(db().read, 'ws_1', 'group_1'))?.source).toBe('file')
    expect((await store.findGroup(db().read, 'ws_2', 'group_3'))?.source).toBe('hand')
  })

  test('what one source says of a group leaves what another says', async () => {
    await insert(ENGINEERS)
    await put(ENGINEERS, 'hand', ['ana', 'bob', 'ana'])
    await put(ENGINEERS, 'provider:acme', ['bob', 'cleo'])
    await put(ENGINEERS, 'hand', ['ana'])
    expect(await members()).toEqual([
      'group_1 ana hand',
      'group_1 bob provider:acme',
      'group_1 cleo provider:acme',
    ])
    const bobs = await store.listGroupMembers(db().read, 'ws_1', ['bob', 'dev'])
    expect(bobs.map(({ personId }) => personId)).toEqual(['bob'])
    expect(await store.listGroupMembers(db().read, 'ws_1', [])).toEqual([])
    await put(ENGINEERS, 'provider:acme', [])
    expect(await members()).toEqual(['group_1 ana hand'])
  })

  test('the groups that a source gives a person are of one workspace', async () => {
    await Promise.all([ENGINEERS, MANAGERS, ELSEWHERE].map(insert))
    await put(ELSEWHERE, 'provider:acme', ['ana'])
    await put(ENGINEERS, 'hand', ['ana'])
    const ana = { workspaceId: 'ws_1', personId: 'ana' } as const
    const set = (...ids: Group['id'][]) =>
      db().write((tx) => store.putGroupsOf(tx, ana, 'provider:acme', ids))
    await set('group_1', 'group_2')
    await set('group_2')
    expect(await members()).toEqual(['group_1 ana hand', 'group_2 ana provider:acme'])
    await set()
    expect(await members()).toEqual(['group_1 ana hand'])
    await db().write((tx) => store.dropFromGroups(tx, ana))
    expect(await members()).toEqual([])
    expect(await members('ws_2')).toEqual(['group_3 ana provider:acme'])
  })

  test('a deleted group has nobody', async () => {
    await insert(ENGINEERS)
    await put(ENGINEERS, 'hand', ['ana'])
    const drop = (workspaceId: Group['workspaceId']) =>
      db().write((tx) => store.deleteGroup(tx, workspaceId, 'group_1'))
    expect(await drop('ws_2')).toBe(false)
    expect(await drop('ws_1')).toBe(true)
    await insert(ENGINEERS)
    expect(await members()).toEqual([])
  })
})
