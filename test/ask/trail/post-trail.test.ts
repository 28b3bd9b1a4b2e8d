import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditRecord, auditStamp } from '../../../src/ask/audit/model/audit.ts'
import { recordAudit } from '../../../src/ask/audit/model/store.ts'
import { type PostDeps, postTrail } from '../../../src/ask/trail/post-trail.ts'
import { sealAudit, sealPurge } from '../../../src/ask/trail/seal-audit.ts'
import type { Clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { loadServerKey } from '../../../src/platform/db/server-key.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { isSignedBy, publicPem } from '../../../src/platform/signing/ed25519.ts'
import { beckon } from '../../support/beckon.ts'
import { tempFolder } from '../../support/temp-folder.ts'

setDefaultTimeout(60_000)

type Got = { id: string; seconds: string; signature: string; body: string }

let folder: ReturnType<typeof tempFolder>
let db: OpenDb
let deps: PostDeps
let status = 200
const got: Got[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const header = (name: string) => request.headers.get(`webhook-${name}`) ?? ''
    const headers = {
      id: header('id'),
      seconds: header('timestamp'),
      signature: header('signature'),
    }
    got.push({ ...headers, body: await request.text() })
    return new Response(null, { status })
  },
})
let now = 0
const clock: Clock = { now: () => now, elapsed: () => now, after: () => () => {} }

beforeEach(() => {
  folder = tempFolder()
  db = openDataFolder(folder.path)
  now = Date.UTC(2026, 0, 31, 12)
  status = 200
  got.length = 0
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  deps = { db, clock, holder: 'here', fetch, url: `${receiver.url.origin}/trail` }
})
afterEach(async () => {
  await db[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** Some rows, sealed as one link. */
async function link(rows: number): Promise<void> {
  for (let i = 0; i < rows; i++) {
    const change = { workspaceId: 'ws_1', kind: 'token.created', detail: `é\n${i}` } as const
    await db.write((tx) => recordAudit(tx, auditRecord(auditStamp(now + i), change)))
  }
  await sealAudit({ db, clock, holder: 'here' })
  now += 60_000
}

const ids = () => got.map(({ id }) => id)

test('each link is posted once, in order, signed, and the collection is verified', async () => {
  await link(3)
  await link(2)
  expect(await postTrail(deps)).toBe(2)
  expect(await postTrail({ ...deps, holder: 'here' })).toBe(0)
  await link(1)
  await db.write((tx) => sealPurge(tx, { now, before: now - 90_000 }))
  expect(await postTrail(deps)).toBe(2)
  expect(ids()).toEqual(['audit_1', 'audit_2', 'audit_3', 'audit_4'])

  const key = await loadServerKey({ db, clock })
  for (const { id, seconds, signature, body } of got) {
    expect(signature).toStartWith('v1a,')
    expect(isSignedBy(key, `${id}.${seconds}.${body}`, signature.slice(4))).toBe(true)
    expect(isSignedBy(key, `${id}.${seconds}.${body} `, signature.slice(4))).toBe(false)
  }
  const file = join(folder.path, 'trail.ndjson')
  const pem = join(folder.path, 'key.pem')
  writeFileSync(file, got.map(({ body }) => body).join(''))
  writeFileSync(pem, publicPem(key))
  const verified = await beckon(['audit', 'verify', file, '--key', pem])
  expect([verified.code, verified.err]).toEqual([0, expect.any(String)])
  writeFileSync(file, got.map(({ body }) => body.replace('\\n2', '\\n7')).join(''))
  expect((await beckon(['audit', 'verify', file, '--key', pem])).code).toBe(1)
})

test('what was not accepted is said, and sent again under the same id', async () => {
  await link(1)
  await link(1)
  for (const refusal of [500, 404, 302]) {
    status = refusal
    const failed = await postTrail(deps).catch((error: Error) => error.message)
    expect(failed).toContain(`Link 1 of the audit trail was not accepted by 127.0.0.1`)
    expect(failed).toContain(String(refusal))
  }
  const away = { ...deps, url: 'http://127.0.0.1:1/trail' }
  expect(await postTrail(away).catch((error: Error) => error.message)).toContain('sent again')
  status = 204
  expect(await postTrail(deps)).toBe(2)
  expect(ids()).toEqual(['audit_1', 'audit_1', 'audit_1', 'audit_1', 'audit_2'])
})

test('of two processes one posts', async () => {
  for (let i = 0; i < 5; i++) await link(1)
  const posted = await Promise.all([postTrail(deps), postTrail({ ...deps, holder: 'there' })])
  expect(posted.sort()).toEqual([0, 5])
  expect(ids()).toEqual(['audit_1', 'audit_2', 'audit_3', 'audit_4', 'audit_5'])
})
