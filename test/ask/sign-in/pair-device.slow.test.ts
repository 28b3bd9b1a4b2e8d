import { expect, test } from 'bun:test'
import { hashToken } from '../../../src/ask/accounts/model/agent.ts'
import { session } from '../../../src/ask/accounts/model/auth-tables.ts'
import { PAIRING_MS } from '../../../src/ask/accounts/model/pairing.ts'
import { findPairingCode } from '../../../src/ask/accounts/model/pairing-store.ts'
import { listAudit } from '../../../src/ask/audit/model/store.ts'
import { addPerson, resetPerson } from '../../../src/ask/people/people.ts'
import {
  beginPairing,
  cancelPairing,
  pairDevice,
  readPairing,
  readPairingOffer,
} from '../../../src/ask/sign-in/pair-device.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1'
const ANDROID = 'Mozilla/5.0 (Linux; Android 15) Chrome/131.0.0.0 Mobile Safari/537.36'
const GONE = { code: 'gone' }

async function world() {
  const folder = tempFolder()
  const db = openDataFolder(folder.path)
  const clock = fakeClock()
  const deps = { db, clock }
  const add = async (name: string) =>
    (await addPerson(deps, { email: `${name}@example.com`, name, password: PASSWORD })).person
  let signIns = 0
  async function signIn(userId: string) {
    const id = `s${signIns++}`
    const at = new Date(clock.now())
    const times = { expiresAt: at, createdAt: at, updatedAt: at }
    await db.write(async (tx) => {
      await tx.insert(session).values({ id, userId, token: id, ...times })
    })
    return id
  }
  return {
    ...deps,
    ada: await add('ada'),
    bob: await add('bob'),
    pair: (code: string, userAgent = ANDROID) => pairDevice(deps, { code, userAgent, signIn }),
    signedIn: () => db.read.select({ id: session.id, who: session.userId }).from(session),
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

test('a code signs one phone in, as the person who began, and is kept only as its hash', async () => {
  await using w = await world()
  const { id, code, fingerprint } = await beginPairing(w, w.ada)
  expect(fingerprint).toMatch(/^\d{6}$/)
  expect(JSON.stringify(await findPairingCode(w.db.read, hashToken(code)))).not.toContain(code)
  expect(await readPairing(w, w.ada, id)).toMatchObject({ state: 'waiting', devices: [] })
  expect(await w.pair(code)).toEqual({ appCode: undefined })
  expect(await w.signedIn()).toEqual([{ id: 's0', who: w.ada.id }])
  expect(await readPairing(w, w.ada, id)).toMatchObject({
    state: 'paired',
    fingerprint,
    devices: [{ name: 'Chrome on Android', app: false }],
  })
  await expect(w.pair(code)).rejects.toMatchObject(GONE)
  expect(await w.signedIn()).toHaveLength(1)
  const of = { kinds: ['sign_in.paired' as const], personId: undefined }
  const range = { from: 0, before: { at: w.clock.now() + 1, id: undefined }, limit: 9 }
  expect(await listAudit(w.db.read, w.ada.workspaceId, of, range)).toMatchObject([
    { personName: 'ada', subjectName: 'Chrome on Android' },
  ])
})

test('looking at a link, however often, spends nothing', async () => {
  await using w = await world()
  const { code, fingerprint } = await beginPairing(w, w.ada)
  for (let i = 0; i < 3; i++) {
    expect(await readPairingOffer(w, code)).toEqual({ person: w.ada, step: 'phone', fingerprint })
  }
  await w.pair(code)
  expect(await readPairingOffer(w, code)).toBeUndefined()
})

test('of phones that race for one code, one is signed in', async () => {
  await using w = await world()
  const { id, code } = await beginPairing(w, w.ada)
  const all = await Promise.allSettled([w.pair(code), w.pair(code, IPHONE), w.pair(code)])
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await w.signedIn()).toHaveLength(1)
  expect((await readPairing(w, w.ada, id)).devices).toHaveLength(1)
})

test('a code is good for 5 minutes', async () => {
  await using w = await world()
  const early = await beginPairing(w, w.ada)
  await w.clock.advance(PAIRING_MS - 1)
  expect(await readPairingOffer(w, early.code)).toBeDefined()
  await w.clock.advance(1)
  expect(await readPairingOffer(w, early.code)).toBeUndefined()
  await expect(w.pair(early.code)).rejects.toMatchObject(GONE)
  expect(await readPairing(w, w.ada, early.id)).toMatchObject({ state: 'expired' })
  expect(await w.signedIn()).toEqual([])
})

test('an iPhone gets a second code for its home-screen app: once, its own minutes, same digits', async () => {
  await using w = await world()
  const { id, code, fingerprint } = await beginPairing(w, w.ada)
  const { appCode = '' } = await w.pair(code, IPHONE)
  expect(appCode).not.toBe(code)
  expect(await readPairingOffer(w, appCode)).toMatchObject({ step: 'app', fingerprint })
  expect(await w.pair(appCode, IPHONE)).toEqual({ appCode: undefined })
  await expect(w.pair(appCode, IPHONE)).rejects.toMatchObject(GONE)
  expect((await readPairing(w, w.ada, id)).devices.map(({ app }) => app)).toEqual([false, true])
  const late = await beginPairing(w, w.ada)
  const next = await w.pair(late.code, IPHONE)
  await w.clock.advance(PAIRING_MS)
  await expect(w.pair(next.appCode ?? '', IPHONE)).rejects.toMatchObject(GONE)
})

test('cancelling ends the codes and signs out, at once, whatever they had signed in', async () => {
  await using w = await world()
  const first = await beginPairing(w, w.ada)
  await cancelPairing(w, w.ada, first.id)
  await expect(w.pair(first.code)).rejects.toMatchObject(GONE)
  const { id, code } = await beginPairing(w, w.ada)
  const { appCode = '' } = await w.pair(code, IPHONE)
  await cancelPairing(w, w.ada, id)
  expect(await w.signedIn()).toEqual([])
  await expect(w.pair(appCode, IPHONE)).rejects.toMatchObject(GONE)
  expect(await readPairing(w, w.ada, id)).toMatchObject({ state: 'cancelled' })
})

test('cancelled in the moment of signing in: the sign-in is ended again', async () => {
  await using w = await world()
  const { id, code } = await beginPairing(w, w.ada)
  const at = new Date(w.clock.now())
  const pairing = pairDevice(w, {
    code,
    userAgent: IPHONE,
    async signIn(userId) {
      const times = { expiresAt: at, createdAt: at, updatedAt: at }
      await w.db.write(async (tx) => {
        await tx.insert(session).values({ id: 'late', userId, token: 'late', ...times })
      })
      await cancelPairing(w, w.ada, id)
      return 'late'
    },
  })
  await expect(pairing).rejects.toMatchObject(GONE)
  expect(await w.signedIn()).toEqual([])
})

test('a pairing is its own person’s alone, and ends when they start again', async () => {
  await using w = await world()
  const { id, code } = await beginPairing(w, w.ada)
  await expect(readPairing(w, w.bob, id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(cancelPairing(w, w.bob, id)).rejects.toMatchObject({ code: 'not_found' })
  await resetPerson(w, { email: 'ada@example.com', password: 'another long password' })
  await expect(w.pair(code)).rejects.toMatchObject(GONE)
})

test('what is no code is no code', async () => {
  await using w = await world()
  const { code } = await beginPairing(w, w.ada)
  for (const wrong of ['', code.slice(1), `${code}0`, `%${code}`, code.toUpperCase(), '\0']) {
    expect(await readPairingOffer(w, wrong)).toBeUndefined()
    await expect(w.pair(wrong)).rejects.toMatchObject(GONE)
  }
  expect(await readPairingOffer(w, code)).toBeDefined()
})
