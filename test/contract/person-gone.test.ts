import { expect, test } from 'bun:test'
import { verification } from '../../src/ask/accounts/model/auth-tables.ts'
import * as account from '../../src/ask/accounts/model/gone-store.ts'
import { addInvitation, listInvitationsBy } from '../../src/ask/accounts/model/invitation-store.ts'
import { addPairingCode, listPairingCodes } from '../../src/ask/accounts/model/pairing-store.ts'
import { dropTurnsOf, findFailover, insertFailover } from '../../src/ask/fail-over/model/store.ts'
import type { Grant } from '../../src/ask/grants/model/grant.ts'
import { endGrantsOfGone, insertGrant } from '../../src/ask/grants/model/store.ts'
import type { OAuthClient } from '../../src/ask/oauth/model/client.ts'
import { listMadeClients, putClient } from '../../src/ask/oauth/model/client-store.ts'
import { passClientsOn } from '../../src/ask/oauth/model/gone-store.ts'
import { dropFromFailover } from '../../src/ask/policy/model/gone-store.ts'
import { changePolicy, insertRule, listRules } from '../../src/ask/policy/model/store.ts'
import * as questions from '../../src/ask/questions/model/gone-store.ts'
import { findSnooze, putSnooze } from '../../src/ask/questions/model/snooze-store.ts'
import { insertQuestion } from '../../src/ask/questions/model/store.ts'
import * as scopes from '../../src/ask/scopes/model/gone-store.ts'
import { findContract, insertContract } from '../../src/ask/scopes/model/store.ts'
import * as devices from '../../src/ask/subscribers/model/gone-store.ts'
import { findSubscriber } from '../../src/ask/subscribers/model/store.ts'
import { setSwitch } from '../../src/ask/subscribers/model/switch-store.ts'
import { switchedOff } from '../../src/ask/subscribers/model/table.ts'
import { connect } from '../support/devices.ts'
import { aQuestion, OPENED_AT } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const NOW = OPENED_AT
const LATER = NOW + 60_000
const ANN = { workspaceId: 'ws_1', personId: 'ann' } as const
const ELSEWHERE = { workspaceId: 'ws_2', personId: 'ann' } as const

onBothDatabases('what a person leaves', (db) => {
  test('invitations and pairings are those of the person', async () => {
    const invitation = { hash: 'h', personId: 'new', expiresAt: LATER }
    const code = { pairingId: 'pair_1', step: 'phone', fingerprint: '1', createdAt: NOW } as const
    await db().write(async (tx) => {
      await addInvitation(tx, { ...invitation, id: '1', invitedBy: 'ann' }, NOW)
      await addInvitation(tx, { ...invitation, id: '2', invitedBy: 'ben' }, NOW)
      await addInvitation(tx, { ...invitation, id: '3' }, NOW)
      await addPairingCode(tx, { ...code, ...ANN, hash: 'a', expiresAt: LATER })
      await addPairingCode(tx, { ...code, ...ELSEWHERE, hash: 'b', expiresAt: LATER })
    })
    expect(await listInvitationsBy(db().read, 'ann', NOW)).toEqual(['new'])
    expect(await listInvitationsBy(db().read, 'ann', LATER)).toEqual([])
    await db().write(async (tx) => {
      await account.dropInvitationsBy(tx, 'ann')
      await account.dropPairings(tx, ANN)
    })
    const left = await db().read.select().from(verification)
    expect(left.map(({ id }) => id).sort()).toEqual(['2', '3'])
    expect((await listPairingCodes(db().read, 'ann', 'pair_1')).map(({ hash }) => hash)).toEqual([
      'b',
    ])
  })

  test('a device is left to the workspace, what is one’s own is dropped', async () => {
    const [device] = await connect(db() as never, { ...ANN })
    const id = device?.id ?? 'sub_'
    const off = { sort: 'info', kind: 'phone', on: false } as const
    await db().write(async (tx) => {
      await setSwitch(tx, ANN, off)
      await setSwitch(tx, ELSEWHERE, off)
      await devices.leaveToWorkspace(tx, id)
      await devices.dropOwnSettings(tx, ANN)
    })
    expect((await findSubscriber(db().read, 'ws_1', id))?.personId).toBeUndefined()
    const left = await db().read.select().from(switchedOff)
    expect(left.map(({ workspaceId }) => workspaceId)).toEqual(['ws_2'])
  })

  test('open questions are found by their tokens, snoozes and turns end', async () => {
    const times = { stepAt: LATER, dueAt: LATER }
    const turns = { workspaceId: ANN.workspaceId, told: [], waiting: [], ...times }
    const steps = (...tell: string[]) => [{ afterMs: 1, tell }]
    await db().write(async (tx) => {
      await insertQuestion(tx, aQuestion('1', { tokenId: 'key_1' }))
      await insertQuestion(tx, aQuestion('2', { tokenId: 'key_2' }))
      await insertQuestion(tx, aQuestion('3', { tokenId: 'key_1', status: 'answered' }))
      await putSnooze(tx, { personId: 'ann', questionId: 'q_1', until: LATER })
      await putSnooze(tx, { personId: 'ben', questionId: 'q_1', until: LATER })
      await insertFailover(tx, { ...turns, questionId: 'q_1', steps: steps('ann', 'ben') })
      const waiting = [{ personId: 'ann', at: NOW }]
      await insertFailover(tx, { ...turns, questionId: 'q_2', steps: steps('ann'), waiting })
    })
    const open = (...tokens: Array<`key_${string}`>) =>
      questions.listOpenOf(db().read, 'ws_1', tokens)
    expect(await open('key_1')).toEqual(['q_1'])
    expect(await open()).toEqual([])
    await db().write(async (tx) => {
      await questions.dropSnoozesOf(tx, 'ann')
      await dropTurnsOf(tx, { ...ANN, at: NOW })
    })
    expect(await findSnooze(db().read, 'ann', 'q_1', NOW)).toBeUndefined()
    expect(await findSnooze(db().read, 'ben', 'q_1', NOW)).toBe(LATER)
    expect(await findFailover(db().read, 'ws_1', 'q_1')).toMatchObject({ steps: steps('ben') })
    const second = await findFailover(db().read, 'ws_1', 'q_2')
    expect(second).toMatchObject({ steps: steps(), waiting: [], dueAt: LATER })
  })

  test('grants that they gave end, and those for tokens that end', async () => {
    const grant = {
      ...{ workspaceId: 'ws_1', machineId: 'm', sessionId: 's', toolName: 'Bash', cwd: '/' },
      ...{ argumentsHash: 'x', length: 'session', questionId: 'q_1', action: 'ls', uses: 0 },
      ...{ agentName: undefined, createdAt: NOW, expiresAt: LATER },
      ...{ usedAt: undefined, endedAt: undefined, endedBecause: undefined },
    } as const
    const of = (id: Grant['id'], tokenId: Grant['tokenId'], personId: string) =>
      ({ ...grant, id, tokenId, personId }) as Grant
    const ended = await db().write(async (tx) => {
      await insertGrant(tx, of('grant_1', 'key_1', 'ann'))
      await insertGrant(tx, of('grant_2', 'key_2', 'ben'))
      await insertGrant(tx, of('grant_3', 'key_3', 'ben'))
      return endGrantsOfGone(tx, { ...ANN, revoked: ['key_2'] }, NOW)
    })
    expect(ended.map(({ id }) => id).sort()).toEqual(['grant_1', 'grant_2'])
    expect(ended[0]).toMatchObject({ endedAt: NOW, endedBecause: 'person_gone' })
  })

  test('scopes that they agreed to end', async () => {
    const scope = {
      workspaceId: ANN.workspaceId,
      ...{ allowedPaths: [], offLimitsPaths: [], promises: [], test: false },
      ...{ doneWhen: 'x', edited: false, ratifiedAt: NOW, expiresAt: LATER },
    }
    await db().write(async (tx) => {
      await insertContract(tx, { ...scope, sessionId: 's1', questionId: 'q_1', ratifiedBy: 'ann' })
      await insertContract(tx, { ...scope, sessionId: 's2', questionId: 'q_2', ratifiedBy: 'ben' })
    })
    expect(await scopes.listRatifiedBy(db().read, ANN, NOW)).toEqual(['s1'])
    await db().write((tx) => scopes.endContractsOf(tx, ANN, NOW + 1))
    expect(await scopes.listRatifiedBy(db().read, ANN, NOW + 1)).toEqual([])
    expect((await findContract(db().read, 'ws_1', 'q_1'))?.expiresAt).toBe(NOW + 1)
    expect((await findContract(db().read, 'ws_1', 'q_2'))?.expiresAt).toBe(LATER)
  })

  test('nobody who is gone is told next, and clients go to another', async () => {
    const rule = { id: 'rule_1', workspaceId: 'ws_1', decision: undefined, createdAt: NOW } as const
    const client: OAuthClient = {
      ...({ id: 'app_1', kind: 'made', name: 'C', authMethod: 'none' } as const),
      redirectUris: [],
      ...{ secretHash: null, refreshes: true, workspaceId: ANN.workspaceId, createdBy: 'ann' },
      ...{ createdAt: NOW, usedAt: null, freshUntil: null },
    }
    const changed = await db().write(async (tx) => {
      await changePolicy(tx, 'ws_1', { failoverTo: ['ann', 'ben'] }, NOW)
      await insertRule(tx, { ...rule, match: { toolName: 'a' }, set: { failoverTo: ['ann'] } })
      await insertRule(tx, { ...rule, id: 'rule_2', match: { toolName: 'b' }, set: {} })
      await putClient(tx, client)
      await passClientsOn(tx, { workspaceId: 'ws_1', from: 'ann', to: 'ben' })
      return dropFromFailover(tx, ANN, NOW)
    })
    expect(changed).toMatchObject({ policy: true, rules: [{ id: 'rule_1' }] })
    expect((await listRules(db().read, 'ws_1')).map(({ set }) => set)).toEqual([
      { failoverTo: [] },
      {},
    ])
    expect((await listMadeClients(db().read, 'ws_1'))[0]?.createdBy).toBe('ben')
  })
})
