import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setup } from '../../../src/agent/clients/claude/setup.ts'
import { contactCheck } from '../../../src/ask/channels/web-push/contact.ts'
import { type Check, exitCodeOf, failedCheck, warnedCheck } from '../../../src/ask/check.ts'
import { raiseAlarm } from '../../../src/ask/delivery/model/store.ts'
import { certificateCheck, httpsCheck } from '../../../src/ask/health/address-checks.ts'
import { makeChallenge, proofFor } from '../../../src/ask/health/model/mirror.ts'
import { deviceChecks } from '../../../src/ask/health/people-checks.ts'
import { alarmChecks, clockCheck } from '../../../src/ask/health/push-checks.ts'
import { storageChecks } from '../../../src/ask/health/storage-checks.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { aDevice } from '../../support/devices.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NOW = Date.UTC(2026, 0, 31)
const DAY = 24 * 3600 * 1000
const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())

const states = (checks: Check[]) => checks.map(({ name, link, state }) => [name, link, state])

test('the first broken link decides the exit code, warnings do not', () => {
  const people = failedCheck('people', 'a', 'b', 'c')
  expect(exitCodeOf([people, failedCheck('server', 'a', 'b', 'c')])).toBe(4)
  expect(exitCodeOf([people, warnedCheck('storage', 'a', 'b', 'c')])).toBe(7)
  expect(exitCodeOf([warnedCheck('storage', 'a', 'b', 'c')])).toBe(0)
})

const CERTIFICATES: Array<[days: number, distrust: string | undefined, state: string]> = [
  [90, undefined, 'ok'],
  [14, undefined, 'ok'],
  [13, undefined, 'warn'],
  [-1, undefined, 'fail'],
  [90, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'fail'],
]
test.each(CERTIFICATES)('a certificate for %p more days (%p) is %p', (days, distrust, state) => {
  expect(certificateCheck({ distrust, validUntil: NOW + days * DAY }, NOW).state).toBe(
    state as Check['state'],
  )
})

test('a port that does not speak TLS is said to be none', async () => {
  const plain = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const check = await httpsCheck(`https://localhost:${plain.port}`, NOW)
  await plain.stop(true)
  expect([check.state, check.said]).toEqual(['fail', 'A TLS connection to the base URL fails.'])
})

test('a certificate of nobody that this machine trusts is said to be that', async () => {
  const files = join(import.meta.dir, '../../fixtures/tls')
  const tls = { key: Bun.file(`${files}/key.pem`), cert: Bun.file(`${files}/cert.pem`) }
  const own = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch: () => new Response() })
  const check = await httpsCheck(`https://localhost:${own.port}`, Date.now())
  await own.stop(true)
  expect([check.state, check.said]).toEqual([
    'fail',
    expect.stringContaining('This machine does not trust the certificate ('),
  ])
})

const CLOCKS: Array<[skewMs: number, state: string]> = [
  [0, 'ok'],
  [60_000, 'ok'],
  [61_000, 'fail'],
  [-61_000, 'fail'],
]
test.each(CLOCKS)('a clock that is %p ms ahead is %p', (skewMs, state) => {
  const headers = new Headers({ date: new Date(NOW).toUTCString() })
  const fetched = { outcome: 'answered', status: 200, headers, body: new Uint8Array(), cut: false }
  const service = { origin: 'https://push.example', fetched, at: NOW + skewMs } as const
  expect(clockCheck([service as never], undefined).state).toBe(state as Check['state'])
  expect(clockCheck([], { headers, at: NOW + skewMs }).state).toBe(state as Check['state'])
})

test('a date that is none is no clock', () => {
  const headers = new Headers({ date: 'yesterday' })
  expect(clockCheck([], { headers, at: NOW }).state).toBe('skip')
})

test('without a contact Apple devices are broken, others only warn', () => {
  const apple = aDevice({ endpoint: 'https://web.push.apple.com/abc' })
  expect(contactCheck(undefined, 'http://localhost:8484', [apple]).state).toBe('fail')
  expect(contactCheck(undefined, 'http://localhost:8484', [aDevice()]).state).toBe('warn')
  expect(contactCheck('mailto:a@example.com', 'http://localhost:8484', [apple]).state).toBe('ok')
})

test('one device that fails is a warning, all of them are a broken link', () => {
  const bad = aDevice({ label: 'Old', lastErrorAt: NOW, lastError: 'Refused\u001b[2J.' })
  const good = aDevice({ label: 'New', lastSuccessAt: NOW - DAY, lastShownAt: NOW - DAY })
  expect(states(deviceChecks([bad, good], NOW))).toEqual([
    ['Device Old', 'push', 'warn'],
    ['Device New', 'people', 'ok'],
  ])
  const silent = aDevice({ label: 'Mute', lastSuccessAt: NOW, silentWhy: 'permission' })
  expect(states(deviceChecks([silent, good], NOW))).toEqual([
    ['Device Mute', 'push', 'warn'],
    ['Device New', 'people', 'ok'],
  ])
  expect(states(deviceChecks([silent], NOW))[0]).toEqual(['Devices', 'push', 'fail'])
  const all = deviceChecks([bad], NOW)
  expect(states(all)[0]).toEqual(['Devices', 'push', 'fail'])
  expect(JSON.stringify(all)).not.toContain('u001b')
  const many = Array.from({ length: 500 }, () => good)
  expect(deviceChecks(many, NOW).length).toBeLessThan(50)
})

test('a standing alarm is a broken link, in its own words', async () => {
  await using db = openDataFolder(join(folder.path, 'alarms'))
  expect((await alarmChecks(db.read, new Set())).map(({ state }) => state)).toEqual(['ok'])
  const alarm = { name: 'https://push.example', text: 'It refuses our key.', at: NOW }
  await db.write((tx) => raiseAlarm(tx, alarm))
  expect(await alarmChecks(db.read, new Set())).toMatchObject([
    { name: 'Alarm: https://push.example', link: 'push', state: 'fail', said: alarm.text },
  ])
})

test('little space warns, hardly any is broken', () => {
  const read = { state: 'read', path: 'x', bytes: 1, damage: undefined, checked: true } as const
  const stateAt = (freeBytes: number) =>
    storageChecks({
      path: 'x',
      exists: true,
      refusal: undefined,
      openToOthers: true,
      freeBytes,
      database: { ...read, isOfBeckon: true, missing: [], foreign: [] },
    }).find(({ name }) => name === 'Disk space')?.state
  expect([stateAt(1e6), stateAt(1e8), stateAt(1e10)]).toEqual(['fail', 'warn', 'ok'])
})

test('a challenge proves itself for a minute, with the same secret only', () => {
  const { header, proof } = makeChallenge('secret', NOW)
  expect(proofFor(header, 'secret', NOW + 60_000)).toBe(proof)
  expect(proofFor(header, 'secret', NOW + 60_001)).toBeUndefined()
  expect(proofFor(header, 'other', NOW)).toBeUndefined()
  expect(proofFor(header.replace(/\./, '1.'), 'secret', NOW)).toBeUndefined()
  expect(proofFor(null, 'secret', NOW)).toBeUndefined()
})

test('what Claude Code remembers of beckon is named, whatever the file holds', () => {
  const home = join(folder.path, 'home')
  const file = join(home, '.claude/mcp-needs-auth-cache.json')
  mkdirSync(join(home, '.claude'), { recursive: true })
  expect(setup.findTrouble?.(home)).toBeUndefined()
  for (const text of ['', '[]', 'null', '{"other":1}', '{', 'x'.repeat(300_000)]) {
    writeFileSync(file, text)
    expect(setup.findTrouble?.(home)).toBeUndefined()
  }
  writeFileSync(file, '{"beckon":{"timestamp":1}}')
  expect(setup.findTrouble?.(home)?.said).toContain('may skip it')
})
