import { passkey } from '../../src/ask/accounts/model/auth-tables.ts'
import { addIdentity } from '../../src/ask/accounts/model/identity-store.ts'
import type { PersonId, WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import { findPersonByEmail, insertPerson } from '../../src/ask/accounts/model/person-store.ts'
import { addToken } from '../../src/ask/accounts/model/token-store.ts'
import { auditRecord, auditStamp, RECORDED_KINDS } from '../../src/ask/audit/model/audit.ts'
import { audit } from '../../src/ask/audit/model/table.ts'
import { callbackOf } from '../../src/ask/callbacks/model/callback.ts'
import { insertCallback } from '../../src/ask/callbacks/model/store.ts'
import { callbackAttempts } from '../../src/ask/callbacks/model/table.ts'
import { putAccount, putAccountCode, putPrompt } from '../../src/ask/chat-accounts/model/store.ts'
import { addFlow } from '../../src/ask/company/model/flow-store.ts'
import { addProvider } from '../../src/ask/company/model/provider-store.ts'
import { linkPath } from '../../src/ask/delivery/model/links.ts'
import { insertDeliveries, raiseAlarm } from '../../src/ask/delivery/model/store.ts'
import { addDirectory, addDirectoryPerson } from '../../src/ask/directory/model/store.ts'
import { saveListing } from '../../src/ask/gates/model/listing-store.ts'
import {
  confirmGateTool,
  noteGateYes,
  saveGate,
  saveGateTool,
} from '../../src/ask/gates/model/store.ts'
import { saveUpstream } from '../../src/ask/gates/model/upstream-store.ts'
import { setGateVersionAside } from '../../src/ask/gates/model/version-store.ts'
import { insertGrant } from '../../src/ask/grants/model/store.ts'
import { insertGroup, putGroupMembers } from '../../src/ask/groups/model/store.ts'
import { putClient } from '../../src/ask/oauth/model/client-store.ts'
import { href } from '../../src/ask/pages/paths.ts'
import { insertPermit } from '../../src/ask/permits/model/store.ts'
import { addPolicyToken } from '../../src/ask/policy-file/model/store.ts'
import { addProposal } from '../../src/ask/protect/model/store.ts'
import { holdAnswer } from '../../src/ask/questions/model/held-answer-store.ts'
import { insertJoinedCall } from '../../src/ask/questions/model/joined-store.ts'
import { insertLateAnswer } from '../../src/ask/questions/model/store.ts'
import { putTallies } from '../../src/ask/questions/model/tally-store.ts'
import { insertReceipts, insertUnsigned } from '../../src/ask/receipts/model/store.ts'
import { putFeedUrl, putReading } from '../../src/ask/rota/model/feed-store.ts'
import { insertRota } from '../../src/ask/rota/model/store.ts'
import { sightHook } from '../../src/ask/scopes/model/hook-store.ts'
import { insertWidening } from '../../src/ask/scopes/model/store.ts'
import { recordPresence } from '../../src/ask/sessions/model/store.ts'
import { beginPairing, pairDevice } from '../../src/ask/sign-in/pair-device.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { insertInstruction } from '../../src/ask/turns/model/instruction-store.ts'
import { setQuickReplies, sightTurn } from '../../src/ask/turns/model/turn-store.ts'
import { putVote } from '../../src/ask/votes/model/store.ts'
import type { Watched } from '../../src/ask/votes/model/watched.ts'
import { noteItems } from '../../src/ask/watches/model/news-store.ts'
import { postOf } from '../../src/ask/watches/model/post.ts'
import { insertPost } from '../../src/ask/watches/model/post-store.ts'
import { insertWatch } from '../../src/ask/watches/model/store.ts'
import type { Watch } from '../../src/ask/watches/model/watch.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import type { Tx } from '../../src/platform/db/database.ts'
import { unsent } from '../../src/platform/db/outbox-store.ts'
import { newId } from '../../src/platform/ids.ts'
import { aDevice, connect } from './devices.ts'
import { pagesFull } from './full-pages.ts'
import { aGate } from './gate-world.ts'
import type { PageWorld } from './page-world.ts'
import { pagesToVisit } from './pages-to-visit.ts'
import { aQuestion } from './question.ts'
import { newsItem } from './watch-world.ts'

const watchedAs = (text: string): Watched => ({
  rule: { id: 'rule_1', words: text },
  approve: { places: [{ from: [{ id: 'group_1', name: text }], need: 2 }], excluded: [] },
})

/**
 * Fills every table that has words of others in it with `text`, past every door, and names every
 * page that shows some of it. Nothing of it waits to be sent.
 */
export async function fullHouse(world: PageWorld, text: string): Promise<string[]> {
  const paths = await pagesFull(world, text)
  const { db, workspaceId, app } = world
  const deps = { db, clock }
  const now = clock.now()
  const owner = await findPersonByEmail(db.read, 'mara@example.org')
  if (!owner) throw new Error('nobody owns it')
  const { record } = await createToken(deps, { workspaceId, name: text.slice(0, 100) || 'a' })
  const leaving = { id: 'leaving', name: text, email: 'leaving@example.org' }
  const failed = { lastError: text, lastErrorAt: now, userAgent: text, externalId: text }
  const [browser, phone] = await connect(
    db,
    aDevice({ workspaceId, personId: owner.id, label: text, tags: [text], ...failed }),
    aDevice({ workspaceId, personId: owner.id, label: text, kind: 'phone', transport: 'ntfy' }),
    aDevice({ workspaceId, label: text, kind: 'chat', transport: 'slack', endpoint: 'slack:C1' }),
    aDevice({ workspaceId, label: text, personId: leaving.id }),
  )
  const questionId = await world.ask({ question: text, agentName: text, sessionId: text })
  const answered = await world.ask({
    ...{ question: text, status: 'answered', value: text, note: text, answeredAs: text },
    ...{ endedAt: now, answerSource: 'slack', callbackUrl: 'https://ci.example/hook' },
    watched: [watchedAs(text)],
  })
  const scope = await world.ask({
    question: text,
    origin: 'scope',
    detail: { contract: NO_BOUNDS },
  })
  const held = await world.ask({ question: text, type: 'input' })
  const notification = await world.tell({ title: text, body: text })
  const session = await world.work()
  await db.write(async (tx) => {
    const turn = { machineId: 'm1', sessionId: 's1', client: 'claude-code', lastWords: text }
    const seen = { state: 'finished', seenAt: now, isNew: true, typed: false } as const
    await sightTurn(tx, { id: session, workspaceId, tokenId: record.id, ...turn, ...seen }, now)
    const of = { workspaceId, session, personId: owner.id, personName: text }
    const times = {
      createdAt: now,
      handedOverAt: undefined,
      takenAt: undefined,
      endedAt: undefined,
    }
    const words = { id: newId('ins', now), text, via: 'slack', state: 'waiting' } as const
    await insertInstruction(tx, { ...words, ...of, ...times })
    await setQuickReplies(tx, owner.id, [text])
    await fillGates(tx, { workspaceId, text, by: owner.id, at: now })
    const group = { id: newId('group', now), workspaceId, name: text, createdAt: now } as const
    await insertGroup(tx, { ...group, source: 'hand', externalId: text })
    await putGroupMembers(tx, group, 'hand', [owner.id])
    await fillRota(tx, { workspaceId, text, personId: owner.id, at: now })
    const vote = { questionId, workspaceId, personId: owner.id, value: text, note: text } as const
    await putVote(tx, {
      ...vote,
      source: 'slack',
      proof: 'chat',
      at: now,
      name: text,
      passkey: undefined,
    })
    const account = { service: 'slack', account: text, workspaceId, label: text } as const
    await putAccount(tx, { ...account, personId: owner.id, createdAt: now })
    const later = now + 1_000_000
    const link = { ...account, hash: 'hash', personId: owner.id, expiresAt: later }
    await putAccountCode(tx, link, now)
    const prompt = { ref: '1 2', account: text, act: 'tell', subject: session } as const
    await putPrompt(tx, { ...prompt, expiresAt: later }, now)
    await fillCompany(tx, { workspaceId, text, personId: owner.id, at: now })
  })
  const pairings = await Promise.all([1, 2].map(() => beginPairing(deps, owner)))
  await pairDevice(deps, {
    code: pairings[0]?.code ?? '',
    userAgent: text,
    signIn: async () => 's',
  })
  const ended = { state: 'refused', endedAt: now, attempts: 2, lastStatus: 500, lastError: text }
  const owed = { ...aQuestion('x'), id: answered, workspaceId, status: 'answered' as const }
  const callback = callbackOf(owed, 'https://ci.example/hook', newId('cb', now), now)
  if (!browser || !phone) throw new Error('there is nothing to tell')
  const message = {
    kind: 'question',
    title: text,
    body: text,
    tag: questionId,
    urgency: 'high',
  } as const
  const deliveries = [questionId, answered, scope, notification.id].flatMap((subjectId, i) =>
    [browser, phone].map(({ id: subscriberId, kind }, k) => ({
      ...unsent(now, now),
      ...{ ...ended, state: 'refused' as const, endedAt: now - 7_200_000 - 10 * i - k },
      ...{ id: newId('dl', now), workspaceId, subjectId, subscriberId, kind, messageRef: text },
      message: { ...message, url: `/d/${questionId}` },
      shownAt: null,
      openedAt: null,
      seal: null,
    })),
  )
  await db.write(async (tx) => {
    await insertPerson(tx, { ...leaving, workspaceId, role: 'member' }, now)
    await insertDeliveries(tx, deliveries)
    await insertCallback(tx, { ...callback, ...ended, state: 'lapsed' })
    const attempt = { id: 'attempt', callbackId: callback.id, at: now, status: 500 }
    await tx.insert(callbackAttempts).values({ ...attempt, error: text })
    await raiseAlarm(tx, { name: text, text, at: now })
    await insertLateAnswer(tx, {
      ...{ id: 'late', workspaceId, questionId: answered, value: text, note: text },
      ...{ answerSource: 'slack', answeredBy: null, answeredAs: text, at: now },
      answeredOn: { kind: 'chat', id: phone.id, label: text },
    })
    const ending = { value: text, note: text }
    const contract = { ...NO_BOUNDS, doneWhen: text }
    const answer = { questionId: held, workspaceId, personId: owner.id, ending, edited: contract }
    await holdAnswer(tx, { ...answer, at: now }, now + 50_000)
    await insertJoinedCall(tx, {
      id: newId('q', now),
      workspaceId,
      questionId,
      key: text,
      callbackUrl: 'https://example.com/',
    })
    await insertWidening(tx, {
      questionId,
      contractId: scope,
      workspaceId,
      path: text,
      at: now,
    })
    const place = { workspaceId, sessionId: text, machineId: text }
    await sightHook(tx, {
      ...{ ...place, client: 'claude', tokenId: record.id, clientVersion: text, hookVersion: text },
      ...{ contractEtag: text, examplePaths: [text], ended: false, at: now },
    })
    await insertWatches(tx, { workspaceId, personId: owner.id }, text, now)
    await insertUnsigned(tx, {
      questionId,
      workspaceId,
      deliveryMode: 'push_first',
      waitMs: 1,
      decidedAt: now,
    })
    await insertReceipts(tx, [
      {
        questionId: answered,
        workspaceId,
        payload: text,
        signature: text,
        createdAt: now,
      },
    ])
    await insertPermit(tx, {
      id: newId('permit', now),
      workspaceId,
      questionId: answered,
      tokenId: record.id,
      actionHash: 'a'.repeat(64),
      createdAt: now,
      expiresAt: now,
      consumedAt: now,
      outcome: 'failed',
      detail: text,
      outcomeAt: now,
    })
    await insertGrant(tx, {
      ...{ ...place, id: newId('grant', now), tokenId: record.id, questionId },
      ...{ personId: owner.id, toolName: text, cwd: text, agentName: text, action: text },
      ...{ argumentsHash: 'none', length: 'session', createdAt: now, expiresAt: now + 3_600_000 },
      ...{ uses: 0, usedAt: undefined, endedAt: undefined, endedBecause: undefined },
    })
    await addToken(tx, {
      ...{ id: newId('key', now), workspaceId, name: text, hash: 'two', tail: '', test: false },
      ...{ createdAt: now, createdBy: leaving.id },
    })
    const host = text.slice(0, 50) || 'a'
    await addToken(tx, {
      ...{ id: newId('key', now), workspaceId, name: text, hash: 'none', tail: '', test: false },
      ...{ createdAt: now, createdBy: owner.id, clientId: 'app_one' },
      connection: { host, returnsTo: host, scopes: ['ask'], agreedTo: 'x' },
    })
    await putClient(tx, {
      ...{ id: 'app_one', kind: 'made', name: text, redirectUris: [CALLBACK], authMethod: 'none' },
      ...{ secretHash: null, refreshes: true, workspaceId, createdBy: owner.id, createdAt: now },
      ...{ usedAt: null, freshUntil: null },
    })
    await recordPresence(tx, workspaceId, text, now)
    const tally = { workspaceId, repoKey: text, at: now, byRule: 1, unanswered: 1, withdrawn: 1 }
    await putTallies(tx, workspaceId, [{ ...tally, byPerson: 1, times: { 30: 1 } }], now)
    await tx.insert(passkey).values({
      ...{ id: 'passkey', userId: owner.id, name: text, publicKey: 'k', counter: 0 },
      ...{ credentialID: 'passkey', deviceType: 'x', backedUp: false, transports: text },
    })
    const rows = RECORDED_KINDS.map((kind, i) => ({
      // Older than all else, each at a time of its own: a list has one order.
      ...auditRecord(auditStamp(now - 3_600_000 - i), {
        workspaceId,
        kind,
        personName: text,
        subjectName: text,
      }),
      detail: text,
    }))
    await tx.insert(audit).values(rows)
  })
  const link = (questionId: QuestionId) =>
    linkPath(app.secrets.quickAnswerSecret, {
      ...{ questionId, subscriberId: browser.id, purpose: 'page' },
    })
  const places = [
    ...paths,
    // Also without a query, which would count as visited.
    ...['/activity', '/audit', '/repositories', '/settings/rules'],
    href.repository(text),
    href.removePerson(leaving.id),
    ...[questionId, answered, scope, held].map((id) => `/d/${id}`),
    ...[link(questionId), link(answered), `/n/${notification.id}`],
    ...pairings.map(({ id }) => `/settings/pair/${id}`),
    `/pair/${pairings[1]?.code}`,
    `/oauth2/authorize?${authorization(world.app.baseUrl)}`,
  ]
  return [...places, ...(await pagesToVisit(world, places))]
}

/** What a client asks for whose page shows its name. */
function authorization(baseUrl: string): URLSearchParams {
  return new URLSearchParams({
    ...{ response_type: 'code', client_id: 'app_one', redirect_uri: CALLBACK, scope: 'ask' },
    ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
    resource: `${baseUrl}/mcp`,
  })
}

const CALLBACK = 'https://client.example/callback'
const NO_BOUNDS = { allowedPaths: [], offLimitsPaths: [], doneWhen: 'green' }

type Filled = { workspaceId: WorkspaceId; text: string; by: PersonId; at: number }

/** A gate whose tool says the text, and said it otherwise when a person saw it. */
async function fillGates(tx: Tx, { workspaceId, text, by, at }: Filled): Promise<void> {
  const { id } = await saveGate(
    tx,
    aGate({
      id: newId('gate', at),
      workspaceId,
      name: text,
      server: text,
      machineId: text,
      machineName: text,
      instructions: text,
      instructionsHash: 'hash',
      seenAt: at,
    }),
  )
  const definition = { name: text, title: text, description: text, inputSchema: { text } }
  const tool = { gateId: id, name: text, definition, listed: true, changedAt: at } as const
  await saveGateTool(tx, { ...tool, fingerprint: 'before' })
  const seen = { fingerprint: 'before', definition, at }
  await confirmGateTool(tx, id, text, { ...seen, by, unasked: true })
  await noteGateYes(tx, id, text, seen)
  const version = { ...tool, fingerprint: 'before', lastYes: seen }
  const confirmed = { ...seen, by, unasked: true }
  await setGateVersionAside(tx, { ...version, confirmed }, at)
  await saveListing(tx, { key: text, workspaceId, tools: { [text]: 'before' }, listedAt: at })
  await saveUpstream(tx, {
    ...{ workspaceId, name: text, url: text },
    ...{ headerName: 'X-Key', headerValue: 'secret', tokenId: undefined, changedAt: at },
  })
  const after = { ...definition, description: `${text} ${text}` }
  await saveGateTool(tx, { ...tool, definition: after, fingerprint: 'after' })
}

async function fillRota(tx: Tx, { workspaceId, text, personId, at }: Company): Promise<void> {
  const rota = { id: newId('rota', at), workspaceId, name: text, zone: 'UTC' } as const
  const schedule = { startsOn: '2026-01-01', at: '09:00', everyDays: 7, people: [personId] }
  await insertRota(tx, { ...rota, source: 'hand', schedule, createdAt: at })
  const fed = { ...rota, id: newId('rota', at), name: `${text} 2` } as const
  await insertRota(tx, { ...fed, source: 'hand', schedule: undefined, createdAt: at + 1 })
  const feed = { rotaId: fed.id, workspaceId, url: 'https://calendar.example.com/secret.ics' }
  await putFeedUrl(tx, fed.id, feed.url)
  const shifts = [
    { from: at, to: at + 1_000_000, attendees: [text], organizer: text, summary: text },
  ]
  await putReading(tx, feed, { is: 'read', shifts, etag: text }, at)
  await putReading(tx, feed, { is: 'failed', problem: text }, at)
}

type Company = { workspaceId: WorkspaceId; text: string; personId: PersonId; at: number }

async function fillCompany(tx: Tx, { workspaceId, text, personId, at }: Company): Promise<void> {
  const issuer = 'https://login.example.com'
  const account = { provider: 'acme', issuer, subject: 'sub' }
  await addIdentity(tx, {
    ...account,
    ...{ workspaceId, personId, label: text, groups: [text], createdAt: at, usedAt: at },
  })
  const texts = { name: text, clientId: text, groupsClaim: text }
  await addProvider(
    tx,
    {
      ...texts,
      ...{ id: 'acme', workspaceId, secret: 's', isFixed: false, issuer, clientAuth: 'post' },
      ...{ scopes: [text], domains: [text], requiredGroups: [text], ownerGroups: [text] },
      groups: [text],
      ...{ joins: true, links: true, hours: 12 },
    },
    at,
  )
  await addProposal(tx, {
    ...{ questionId: newId('q', at), workspaceId, basis: 'basis', toldAt: at },
    change: { workspaceId, by: { name: text }, kind: 'file.apply', input: { text } },
  })
  await addPolicyToken(tx, {
    ...{ id: newId('ptk', at), workspaceId, name: text, may: 'read', hash: 'policy', tail: 'tail' },
    ...{ createdAt: at, createdBy: null, lastUsedAt: null },
  })
  await addDirectory(tx, { id: 'dir_0', workspaceId, name: text, createdAt: at })
  await addDirectoryPerson(tx, {
    ...{ id: 'usr_0', directoryId: 'dir_0', personId, userName: 'u', externalId: null },
    ...{ attributes: { userName: text }, createdAt: at, updatedAt: at },
  })
  const arrival = {
    account,
    ...{ sid: null, email: text, claimedEmail: null, domain: text },
    ...{ name: text, groups: { names: [text] }, claims: [text] },
  }
  const secrets = { hash: 'flow', browserHash: 'b', nonce: 'n', verifier: 'v' }
  await addFlow(tx, {
    ...secrets,
    ...{ provider: 'acme', next: '/', purpose: 'confirm', personId, arrival },
    ...{ createdAt: at, expiresAt: at + 1_000_000 },
  })
}

/** A watch of a list, news in it, and a program whose address failed. */
async function insertWatches(
  tx: Tx,
  of: { workspaceId: WorkspaceId; personId: string },
  text: string,
  now: number,
): Promise<void> {
  const list: Watch = {
    ...{ ...of, id: newId('wat', now), tokenId: undefined, kind: 'list', target: text },
    ...{ records: [text], news: ['endings'], url: undefined, secret: undefined, createdAt: now },
    ...{ upTo: 0, stoppedAt: undefined, stoppedWhy: undefined },
  }
  const url = 'https://ci.example/news'
  const why = { stoppedAt: now, stoppedWhy: 'The receiver did not accept news for a day.' }
  const program = { ...list, ...why, id: newId('wat', now), personId: undefined, url, secret: 's' }
  await insertWatch(tx, list)
  await insertWatch(tx, { ...program, tokenId: 'key_none' })
  const item = { ...newsItem('subject'), tool: text, name: text, category: text, title: text }
  await noteItems(tx, [{ ...item, capabilities: [text] }], now)
  const post = postOf(program, { news: [], gone: [text] }, newId('wp', now), now)
  await insertPost(tx, { ...post, state: 'lapsed', endedAt: now, lastError: text })
}
