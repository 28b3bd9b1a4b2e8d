import { expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../src/ask/accounts/model/table.ts'
import { auditRecord, auditStamp } from '../../../src/ask/audit/model/audit.ts'
import { recordAudit } from '../../../src/ask/audit/model/store.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { sealAudit } from '../../../src/ask/trail/seal-audit.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { backUp } from '../../../src/platform/db/backup.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { loadServerKey } from '../../../src/platform/db/server-key.ts'
import { makePrivatePem, publicPem, readPrivatePem } from '../../../src/platform/signing/ed25519.ts'
import { beckon } from '../../support/beckon.ts'
import { aQuestion } from '../../support/question.ts'
import {
  check,
  clock,
  DAY,
  db,
  deps,
  eachInAFolder,
  folder,
  MINUTE,
  now,
  passTime,
  sql,
} from './sealed-folder.ts'

setDefaultTimeout(60_000)

const SRC = join(import.meta.dir, '../../../src')

eachInAFolder(4)

let count = 0
async function write(rows: number, at = now): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < rows; i++) {
    count++
    const change = { workspaceId: 'ws_1', kind: 'token.created', detail: `row ${count}` } as const
    const record = auditRecord(auditStamp(at + i), change)
    await db.write((tx) => recordAudit(tx, record))
    ids.push(record.id)
  }
  return ids
}

/** Three batches, minutes apart: the ids in the order in which they were sealed. */
async function history(): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    ids.push(...(await write(3)))
    await sealAudit(deps)
    passTime(10 * MINUTE)
  }
  return ids
}

test('rows are sealed in batches, once, and verify', async () => {
  await write(10)
  expect(await check()).toMatchObject({ ok: true, sealed: 0, unsealed: 10, links: 0 })
  expect(await sealAudit(deps)).toBe(10)
  expect(await sealAudit(deps)).toBe(0)
  const first = await check()
  expect(first).toMatchObject({ ok: true, sealed: 10, unsealed: 0, links: 3 })
  await write(1)
  await sealAudit(deps)
  const second = await check()
  expect(second).toMatchObject({ ok: true, sealed: 11, links: 4 })
  expect(second).not.toMatchObject({ head: (first as { head: string }).head })
})

const EDITS: Array<[string, (ids: string[]) => void, number | undefined]> = [
  ['a text', (ids) => sql("update audit set detail = 'other' where id = ?", ids[4] ?? ''), 4],
  ['a null', (ids) => sql("update audit set person_name = '' where id = ?", ids[8] ?? ''), 8],
  ['a time', (ids) => sql('update audit set at = at + 1 where id = ?', ids[3] ?? ''), 3],
  [
    'the workspace',
    (ids) => sql("update audit set workspace_id = 'w' where id = ?", ids[0] ?? ''),
    0,
  ],
  ['a removed row', (ids) => sql('delete from audit where id = ?', ids[5] ?? ''), 5],
  ['the last row removed', (ids) => sql('delete from audit where id = ?', ids[8] ?? ''), 8],
  [
    'two removed: the first is named',
    (ids) => {
      sql('delete from audit where id in (?, ?)', ids[7] ?? '', ids[2] ?? '')
    },
    2,
  ],
  [
    'rows that swap what they say',
    (ids) => {
      sql(
        'update audit set detail = (select group_concat(detail) from audit b where b.id = ?) where id = ?',
        ids[2] ?? '',
        ids[1] ?? '',
      )
    },
    1,
  ],
  [
    'a row moved to another link',
    (ids) => sql('update audit set seal = 3 where id = ?', ids[1] ?? ''),
    1,
  ],
  [
    'a row no longer sealed',
    (ids) => sql('update audit set seal = null where id = ?', ids[1] ?? ''),
    1,
  ],
]

test.each(EDITS)('verifying finds %s', async (_, edit, index) => {
  const ids = await history()
  expect(await check()).toMatchObject({ ok: true, sealed: 9 })
  edit(ids)
  expect(await check()).toMatchObject({ ok: false, row: ids[index ?? 0] })
})

test.each<[string, number | null]>([
  ['without a link', null],
  ['in a link', 2],
  ['in a link that is not there', 99],
  ['in a link before all', 0],
])('verifying finds a row put in %s', async (_, seal) => {
  await history()
  const at = now - 25 * MINUTE
  const value = `'au_x', 'ws_1', ${at}, 'token.created', ${seal}`
  sql(`insert into audit (id, workspace_id, at, kind, seal) values (${value})`)
  expect(await check()).toMatchObject({ ok: false, row: 'au_x' })
})

test('a row that is put in while the server seals is found', async () => {
  await history()
  const at = now - 25 * MINUTE
  sql(
    `insert into audit (id, workspace_id, at, kind) values ('au_x', 'ws_1', ${at}, 'token.created')`,
  )
  await sealAudit(deps)
  expect(await check()).toMatchObject({ ok: false, row: 'au_x' })
})

test.each<[string, string]>([
  [
    'changed',
    'update audit_seals set body = replace(body, \'"seq":2\', \'"seq":2 \') where seq = 2',
  ],
  [
    'signed otherwise',
    'update audit_seals set signature = (select signature from audit_seals where seq = 1) where seq = 2',
  ],
  ['removed', 'delete from audit_seals where seq = 2'],
  ['removed from the start', 'delete from audit_seals where seq = 1'],
  ['made a checkpoint', 'update audit_seals set purged_before = 9e12 where seq = 3'],
])('verifying finds a link that was %s', async (_, statement) => {
  await history()
  sql(statement)
  expect(await check()).toMatchObject({ ok: false })
})

test('links that are swapped, and the last one removed with its rows kept, are found', async () => {
  await history()
  sql('update audit_seals set seq = -seq where seq < 3')
  sql('update audit_seals set seq = 3 + seq where seq < 0')
  expect(await check()).toMatchObject({ ok: false })
  sql('delete from audit_seals')
  expect(await check()).toMatchObject({ ok: false, row: expect.any(String) })
})

test('another key verifies nothing', async () => {
  await history()
  sql("delete from settings where name = 'server_signing_key'")
  expect(await check()).toMatchObject({ ok: false })
})

test('a purge leaves a checkpoint, and what it removed is not missed', async () => {
  await history()
  passTime(20 * DAY)
  const later = await write(6)
  await sealAudit(deps)
  passTime(20 * DAY)
  const purge = () => purgeOld({ ...deps, retentionDays: 30, batch: 2 })
  await purge()
  await purge()
  const report = await check()
  expect(report).toMatchObject({ ok: true, sealed: 6 })
  passTime(20 * DAY)
  await write(1)
  await sealAudit(deps)
  await purge()
  // What was written, and that the first purge removed something.
  expect(await check()).toMatchObject({ ok: true, sealed: 2 })
  const last = await write(2)
  await sealAudit(deps)
  sql('delete from audit where id = ?', last[0] ?? '')
  expect(await check()).toMatchObject({ ok: false, row: last[0] })
  expect(later).toHaveLength(6)
})

test('a purge that is cut off half-way leaves a trail that verifies', async () => {
  await write(9)
  await sealAudit(deps)
  passTime(40 * DAY)
  const stopped = new AbortController()
  let writes = 0
  const dying: OpenDb = Object.assign(Object.create(db), {
    write: ((work: never) => {
      writes++
      if (writes > 4) stopped.abort()
      return db.write(work)
    }) as OpenDb['write'],
  })
  await purgeOld({ ...deps, db: dying, retentionDays: 30, batch: 2 }, stopped.signal)
  expect(await check()).toMatchObject({ ok: true })
})

test('a clock that goes back is no tampering', async () => {
  await history()
  passTime(-DAY)
  await write(2)
  expect(await check()).toMatchObject({ ok: true, unsealed: 2 })
  await sealAudit(deps)
  for (let i = 0; i < 3; i++) {
    passTime(10_000)
    await write(2)
    await sealAudit(deps)
  }
  expect(await check()).toMatchObject({ ok: true, sealed: 17 })
})

test('two processes seal each row once', async () => {
  await using other = openDataFolder(folder.path)
  for (let round = 0; round < 5; round++) {
    await write(9)
    await Promise.all([sealAudit(deps), sealAudit({ ...deps, db: other, holder: 'there' })])
    passTime(3 * MINUTE)
  }
  await sealAudit(deps)
  expect(await check()).toMatchObject({ ok: true, sealed: 45, unsealed: 0 })
})

const WRITER = `
import { auditRecord, auditStamp } from '${SRC}/ask/audit/model/audit.ts'
import { recordAudit } from '${SRC}/ask/audit/model/store.ts'
import { sealAudit } from '${SRC}/ask/trail/seal-audit.ts'
import { systemClock as clock } from '${SRC}/platform/clock.ts'
import { openDataFolder } from '${SRC}/platform/db/data-folder.ts'
const db = openDataFolder(process.argv[2])
console.log('begun')
for (let i = 0; ; i++) {
  const change = { workspaceId: 'ws_1', kind: 'token.created', detail: String(i) }
  await db.write((tx) => recordAudit(tx, auditRecord(auditStamp(clock.now()), change)))
  if (i % 3 === 0) await sealAudit({ db, clock, holder: String(process.pid), batch: 4 })
}
`

test('a process that is killed between a row and its seal leaves a trail that verifies', async () => {
  const script = join(folder.path, 'writer.ts')
  await Bun.write(script, WRITER)
  for (const [round, ms] of [0, 7, 31, 60].entries()) {
    const child = Bun.spawn([process.execPath, script, folder.path], { stdout: 'pipe' })
    await child.stdout.getReader().read()
    await Bun.sleep(100 + ms)
    child.kill('SIGKILL')
    await child.exited
    passTime(systemClock.now() - now)
    expect([round, await check()]).toMatchObject([round, { ok: true }])
  }
  // The lease of the killed process runs out.
  passTime(10 * MINUTE)
  await sealAudit(deps)
  const report = await check()
  expect(report).toMatchObject({ ok: true, unsealed: 0 })
  expect((report as { sealed: number }).sealed).toBeGreaterThan(0)
})

test('beckon audit verify names the row', async () => {
  const verify = (...more: string[]) => beckon(['audit', 'verify', '--data', folder.path, ...more])
  expect(await verify()).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing is sealed'),
  })
  const ids = await history()
  const right = await verify()
  expect(right).toMatchObject({ code: 0, out: expect.stringContaining('9 rows') })
  sql('delete from audit where id = ?', ids[4] ?? '')
  expect(await verify()).toMatchObject({ code: 1, err: `${ids[4]} was removed.\n` })
  const json = await verify('--json')
  expect([json.code, JSON.parse(json.out)]).toMatchObject([1, { valid: false, row: ids[4] }])
})

const verify = (...more: string[]) => beckon(['audit', 'verify', '--data', folder.path, ...more])
const somebody = { id: 'p_1', name: 'Ann', email: 'ann@example.com', role: 'owner' } as const
const addPerson = () =>
  db.write(async (tx) => {
    await tx.insert(workspaces).values({ id: 'ws_1', name: 'Home', createdAt: now })
    await insertPerson(tx, { ...somebody, workspaceId: 'ws_1' }, now)
  })
const empty = () => {
  sql('delete from audit')
  sql('delete from audit_seals')
}

test('an emptied trail is no trail that verifies while there are people or questions', async () => {
  await addPerson()
  await history()
  expect(await verify()).toMatchObject({ code: 0 })
  empty()
  const emptied = await verify()
  expect(emptied).toMatchObject({ code: 3, out: '', err: expect.stringContaining('people (1)') })
  const { code, out } = await verify('--json')
  expect([code, JSON.parse(out)]).toMatchObject([3, { valid: false, isNothing: true }])
})

test('an emptied trail is told by questions alone, and also where the rows say that they were never sealed', async () => {
  await db.write((tx) => insertQuestion(tx, aQuestion('x', { workspaceId: 'ws_1' }), 0))
  await history()
  expect(await check()).toMatchObject({ ok: true, facts: 1 })
  sql('delete from audit_seals')
  sql('update audit set seal = null')
  sql('update questions set asked_seal = null')
  expect(await check()).toMatchObject({ ok: false, isNothing: true })
})

test('an emptied trail is none that has just begun', async () => {
  await addPerson()
  await write(1)
  passTime(5_000)
  expect(await check()).toMatchObject({ ok: true, unsealed: 1, links: 0 })
  await sealAudit(deps)
  expect(await check()).toMatchObject({ ok: true, sealed: 1 })
})

const copied = async () => (await beckon(['audit', 'export', '--data', folder.path])).out
const verifyCopy = async (text: string, key?: string) => {
  const file = join(folder.path, 'trail.ndjson')
  await Bun.write(file, text)
  const pem = key ?? publicPem(await loadServerKey(deps))
  return await beckon(['audit', 'verify', file, `--key=${pem}`])
}

test('a copy is checked without the server, also after a purge, and joined with an older one', async () => {
  await history()
  const older = await copied()
  expect(await verifyCopy(older)).toMatchObject({
    code: 0,
    out: expect.stringContaining('9 rows'),
  })
  passTime(40 * DAY)
  await write(2)
  await sealAudit(deps)
  await purgeOld({ db, clock, holder: 'here', retentionDays: 30 })
  await sealAudit(deps)
  await write(1)
  const newer = await copied()
  expect(newer.length).toBeLessThan(older.length)
  expect(await verifyCopy(newer)).toMatchObject({
    code: 0,
    // With that of the purge.
    out: expect.stringContaining('3 rows'),
    err: expect.stringContaining('1 newer row not sealed yet.'),
  })
  expect(await verifyCopy(older + newer)).toMatchObject({
    code: 0,
    out: expect.stringContaining('12 rows'),
  })
})

test('a copy without a link is no trail', async () => {
  for (const text of ['', '\n']) {
    expect(await verifyCopy(text)).toMatchObject({
      ...{ code: 3, err: expect.stringContaining('no link') },
    })
  }
})

test('a copy says which link is there twice after the trail was set back', async () => {
  await history()
  const backup = join(folder.path, 'backup.db')
  backUp(folder.path, backup, { replace: false })
  await write(3)
  await sealAudit(deps)
  const before = await copied()
  const pem = publicPem(await loadServerKey(deps))
  // The backup is restored, and the server goes on from there.
  await db[Symbol.asyncDispose]()
  for (const end of ['-wal', '-shm']) rmSync(join(folder.path, `beckon.db${end}`), { force: true })
  copyFileSync(backup, join(folder.path, 'beckon.db'))
  await using restored = openDataFolder(folder.path)
  const record = auditRecord(auditStamp(now), { workspaceId: 'ws_1', kind: 'token.created' })
  await restored.write((tx) => recordAudit(tx, record))
  await sealAudit({ ...deps, db: restored })
  const after = await copied()
  expect(await verifyCopy(after, pem)).toMatchObject({ code: 0 })
  const { code, err } = await verifyCopy(before + after, pem)
  expect([code, err]).toEqual([1, expect.stringContaining('The link 4 is there twice')])
  const lines = before.trimEnd().split('\n')
  const first = lines.findIndex((line) => line.includes('\\"seq\\":4')) + 1
  expect(err).toContain(`in line ${first} and in line`)
})

test('a copy with members that were added is refused', async () => {
  await history()
  await db.write((tx) => insertQuestion(tx, aQuestion('x', { workspaceId: 'ws_1' }), 0))
  await sealAudit(deps)
  const text = await copied()
  for (const [name, added] of [
    ['seal', text.replace('{"seal":{', '{"seal":{"by":"x",')],
    ['seal, outside', text.replace('{"seal":{', '{"by":"x","seal":{')],
    ['row', text.replace('{"row":{', '{"row":{"by":"x",')],
    ['row, outside', text.replace('{"row":{', '{"by":"x","row":{')],
    ['fact', text.replace('{"fact":{', '{"fact":{"by":"x",')],
    ['fact, outside', text.replace('{"fact":{', '{"by":"x","fact":{')],
  ] as const) {
    expect(added).not.toBe(text)
    const { code, err } = await verifyCopy(added)
    expect([name, code, err]).toEqual([name, 1, expect.stringMatching(/member (\w+\.)?by,/)])
  }
  const twice = text.replace('{"row":{', '{"row":{"detail":"row 1: approved",')
  expect(await verifyCopy(twice)).toMatchObject({
    code: 1,
    err: expect.stringContaining('twice'),
  })
})

test('a copy that was changed is found out', async () => {
  const ids = await history()
  const lines = (await copied()).trimEnd().split('\n')
  const isSeal = (line: string) => line.startsWith('{"seal"')
  const without = (gone: (line: string, i: number) => boolean) =>
    lines.filter((line, i) => !gone(line, i)).join('\n')
  const firstSeal = lines.findIndex(isSeal)
  for (const [name, text, why] of [
    ['changed', lines.join('\n').replace('row ', 'rOw '), 'was changed'],
    ['removed', without((line) => line.includes(`"${ids[4]}"`) && !isSeal(line)), 'was removed'],
    ['no link', without((_, i) => i === firstSeal), 'was removed or replaced'],
    ['link changed', lines.join('\n').replace('sealedAt', 'sealedAT'), 'Line'],
    ['put in', `${lines.join('\n')}\n${lines.at(-1)?.replace(/au_\w+/, 'au_zz')}`, 'put in'],
    [
      'said twice',
      `${lines.join('\n')}\n${lines.at(-1)?.replace('row ', 'rOw ')}`,
      `The row ${ids.at(-1)} is there twice`,
    ],
    ['no copy', '{"row":{}}', 'Line 1'],
    ['no JSON', 'trail', 'Line 1'],
  ] as const) {
    const { code, err } = await verifyCopy(text)
    expect([name, code, err]).toEqual([name, 1, expect.stringContaining(why)])
  }
  const other = publicPem(readPrivatePem(makePrivatePem()))
  expect((await verifyCopy(lines.join('\n'), other)).code).toBe(1)
  const file = join(folder.path, 'trail.ndjson')
  expect((await beckon(['audit', 'verify', file])).code).toBe(2)
  expect((await beckon(['audit', 'verify', 'nowhere', '--key=x'])).code).toBe(2)
})
