import { expect, test } from 'bun:test'
import { insertPerson, listOwners } from '../../src/ask/accounts/model/person-store.ts'
import { addToken, putOwner, tokensOwnedBy } from '../../src/ask/accounts/model/token-store.ts'
import {
  homeWorkspace,
  putVisibility,
  readVisibility,
} from '../../src/ask/accounts/model/workspace-store.ts'
import {
  groupsOf,
  insertGroup,
  listPeopleIn,
  peopleBeside,
  putGroupMembers,
} from '../../src/ask/groups/model/store.ts'
import * as notices from '../../src/ask/notifications/model/store.ts'
import { listVisibleNotifications } from '../../src/ask/notifications/model/trail-store.ts'
import {
  insertQuestion,
  listQuestions,
  listRequirements,
} from '../../src/ask/questions/model/store.ts'
import { questions } from '../../src/ask/questions/model/table.ts'
import { listVisibleQuestions } from '../../src/ask/questions/model/trail-store.ts'
import * as visible from '../../src/ask/questions/model/visible-store.ts'
import { seesSession } from '../../src/ask/sessions/model/store.ts'
import * as store from '../../src/ask/visibility/model/store.ts'
import { aNotification, aQuestion } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const WS = 'ws_1'
type Viewer = { workspaceId: typeof WS; id: string; sees?: 'group' | 'own' }
const GROUP = {
  id: 'group_1',
  workspaceId: WS,
  name: 'engineers',
  source: 'hand',
  externalId: undefined,
  createdAt: 0,
} as const
const of = (id: string, sees?: 'group' | 'own'): Viewer =>
  sees ? { workspaceId: WS, id, sees } : { workspaceId: WS, id }

onBothDatabases('viewers', (db) => {
  const see = (visibility: 'workspace' | 'group' | 'own') =>
    db().write((tx) => putVisibility(tx, WS, visibility))
  const ids = async (viewer: Viewer) =>
    (await listQuestions(db().read, viewer, { before: undefined, limit: 9 })).map(({ id }) => id)

  /** Ana, Bob and Eve, each with a token that asked; Ana and Bob are in a group. */
  async function team() {
    await db().write(async (tx) => {
      await homeWorkspace(tx, WS, 1)
      await insertGroup(tx, GROUP)
      await putGroupMembers(tx, GROUP, 'hand', ['ana', 'bob'])
      for (const name of ['ana', 'bob', 'eve', 'own']) {
        const role = name === 'own' ? ('owner' as const) : ('member' as const)
        const email = `${name}@example.org`
        await insertPerson(tx, { id: name, name, email, workspaceId: WS, role }, 1)
        const key = { workspaceId: WS, tail: 'x', test: false, createdAt: 1 } as const
        await addToken(tx, { ...key, id: `key_${name}`, name, hash: name, createdBy: name })
        await insertQuestion(tx, aQuestion(name, { tokenId: `key_${name}` }))
      }
    })
  }

  test('a viewer sees what their tokens asked, or those of their groups, and what they are shown', async () => {
    await team()
    expect(await ids(of('ana'))).toHaveLength(4)
    expect(await ids(of('ana', 'own'))).toEqual(['q_ana'])
    expect(await ids(of('ana', 'group'))).toEqual(['q_bob', 'q_ana'])
    expect(await ids(of('eve', 'group'))).toEqual(['q_eve'])
    const eve = of('eve', 'own')
    const row = { tokenId: 'key_ana', subjectId: 'q_ana' } as const
    expect(await store.sees(db().read, eve, row)).toBe(false)
    const viewerRow = { subjectId: 'q_ana', who: 'eve' } as const
    await db().write((tx) => store.addViewers(tx, [viewerRow, viewerRow]))
    expect([await ids(eve), await store.sees(db().read, eve, row)]).toEqual([
      ['q_eve', 'q_ana'],
      true,
    ])
    await db().write((tx) => store.dropViewer(tx, 'eve'))
    expect(await ids(eve)).toEqual(['q_eve'])
    await db().write((tx) => store.addViewers(tx, [{ subjectId: 'q_eve', who: 'group_1' }]))
    expect(await ids(of('bob', 'own'))).toEqual(['q_eve', 'q_bob'])
    await db().write((tx) => store.deleteViewers(tx, ['q_eve']))
    expect(await ids(of('bob', 'own'))).toEqual(['q_bob'])
  })

  test('each store asks with the same condition', async () => {
    await team()
    const read = db().read
    const [ana, eve] = [of('ana', 'group'), of('eve', 'group')]
    const notice = aNotification('1', { workspaceId: WS, tokenId: 'key_bob' })
    await db().write((tx) => notices.insertNotification(tx, notice))
    const both = async (viewer: Viewer) => [
      ...(await listVisibleQuestions(read, viewer, ['q_bob', 'q_eve'])),
      ...(await listVisibleNotifications(read, viewer, [notice.id])),
      await visible.seesQuestion(read, viewer, { id: 'q_bob', tokenId: 'key_bob' }),
      await seesSession(read, viewer, { tokenId: 'key_bob' }),
      await seesSession(read, viewer, { tokenId: undefined }),
    ]
    expect(await both(ana)).toEqual(['q_bob', notice.id, true, true, false])
    expect(await both(eve)).toEqual(['q_eve', false, false, false])
    expect([visible.isShown(read, of('ana')), notices.isShown(read, eve)]).not.toContain(undefined)
    const requirement = { rules: [], places: [], excluded: [], veto: 'any' as const, usableMs: 1 }
    const ruled = aQuestion('vote', { tokenId: 'key_bob', requirement })
    await db().write((tx) => insertQuestion(tx, ruled))
    const open = (viewer: Viewer) => listRequirements(read, viewer, ruled.createdAt)
    expect(await open(ana)).toEqual([{ id: 'q_vote', requirement }])
    expect(await open(eve)).toEqual([])
    const { tokenId } = questions
    expect(store.isVisible(read, { tokenId }, of('ana'))).toBeUndefined()
    expect(await listOwners(read, WS)).toEqual(['own'])
    expect(await groupsOf(read, 'ana')).toEqual([{ id: 'group_1' }])
    const people = peopleBeside(read, 'ana')
    expect((await people).map(({ personId }) => personId).sort()).toEqual(['ana', 'bob'])
    expect((await listPeopleIn(read, 'group_1')).map((one) => one.personId).sort()).toEqual([
      'ana',
      'bob',
    ])
    const beside = { people, groups: groupsOf(read, 'ana') }
    const owned = async () => {
      const tokens = await tokensOwnedBy(read, { workspaceId: WS, id: 'ana', beside })
      return tokens.map(({ id }) => id).sort()
    }
    expect(await owned()).toEqual(['key_ana', 'key_bob'])
    const ofGroup = { createdBy: null, ownerGroup: 'group_1' } as const
    await db().write((tx) => putOwner(tx, 'key_eve', ofGroup))
    expect(await owned()).toEqual(['key_ana', 'key_bob', 'key_eve'])
    const subject = { tokenId: 'key_eve', subjectId: 'q_eve' } as const
    expect(await store.sees(read, of('ana', 'group'), subject)).toBe(true)
    expect(await store.sees(read, of('ana', 'own'), subject)).toBe(false)
    expect(await store.sees(read, of('eve', 'group'), subject)).toBe(false)
    await see('group')
    const audience = await store.readAudience(read, WS, 'key_eve')
    expect([...(audience ?? [])].sort()).toEqual(['ana', 'bob', 'own'])
  })

  test('a message is for whoever sees it, and an agent sees what its owner does', async () => {
    await team()
    const audience = async () => {
      const people = await store.readAudience(db().read, WS, 'key_ana')
      return people && [...people].sort()
    }
    const viewer = (tokenId: 'key_ana' | 'key_own') =>
      store.readTokenViewer(db().read, { workspaceId: WS, tokenId })
    expect([await audience(), await viewer('key_ana')]).toEqual([undefined, { workspaceId: WS }])
    await see('group')
    expect(await readVisibility(db().read, WS)).toBe('group')
    expect(await audience()).toEqual(['ana', 'bob', 'own'])
    expect(await viewer('key_ana')).toEqual(of('ana', 'group'))
    expect(await viewer('key_own')).toEqual({ workspaceId: WS })
    await see('own')
    expect(await audience()).toEqual(['ana', 'own'])
  })
})
