import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/platform/clock.ts'
import { inspectFolder } from '../../../src/platform/db/inspect-folder.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts'
import { ask, type Kept, RETRY_KEY, senderTo, signedIn } from '../../support/kept-story.ts'
import { miscounted } from '../../support/miscounted.ts'
import { everyNth, isWide } from '../../support/share.ts'
import { startedApp } from '../../support/started-app.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// One database of the program as it was after each migration, and what its clients were told.
const KEPT = join(import.meta.dir, '../../fixtures/databases')
const A_MINUTE = 60_000
const NAMES = readdirSync(KEPT)
  .filter((file) => file.endsWith('.db.zst'))
  .map((file) => file.slice(0, -'.db.zst'.length))
  .sort()

test('the database of each migration is kept', () => {
  const missing = MIGRATIONS.filter(({ name }) => !NAMES.includes(name))
  expect(missing.map(({ name }) => `${name}: run bun test/fixtures/databases/keep.ts`)).toEqual([])
})

// In CI every third of them, up to the newest; in the quick run every ninth.
const APART = isWide ? 3 : 9
for (const name of everyNth(NAMES, APART, (NAMES.length - 1) % APART)) {
  test(`a database of ${name} goes on where it was`, async () => {
    await using old = await upgraded(name)
    const { kept, url } = old
    const agent = senderTo(url, { authorization: `Bearer ${kept.token}` })
    const person = await signedIn(url)

    for (const { value, note, ...told } of kept.answered) {
      const ended = await agent(`/questions/${told.id}`)
      expect(ended).toMatchObject({ status: 'answered', value, ...(note ? { note } : {}) })
    }
    expect(await agent(`/questions/${kept.cancelled}`)).toMatchObject({ status: 'cancelled' })

    const { questions } = (await person('/inbox')) as { questions: { correlationId: string }[] }
    const { id, question } = kept.open
    expect(questions).toMatchObject([{ correlationId: id, question, status: 'pending' }])
    const again = await ask(agent, { question, requestId: RETRY_KEY })
    expect(again.correlationId).toBe(id)
    const waiting = agent(`/questions/${id}?timeoutMs=20000`)
    await person(`/questions/${id}/answer`, { value: 'no' })
    expect(await waiting).toMatchObject({ status: 'answered', value: 'no' })

    const contract = await agent(`/scopes/${kept.scope.session}`).catch(String)
    // Before contracts were rows, no hook held anybody to a scope: nothing begins to hold by itself.
    if (name < '0004') expect(contract).toContain('"code":"not_found"')
    else {
      const allowedPaths = expect.arrayContaining(kept.scope.paths)
      expect(contract).toMatchObject({ doneWhen: 'Tests pass', allowedPaths })
    }

    expect(JSON.stringify(await person('/activity'))).toContain(kept.notification)
    expect(JSON.stringify(await person('/subscribers'))).toContain("Ada's phone")
    expect(JSON.stringify(await person('/rules'))).toContain(kept.rule)
    expect(await person('/policy')).toMatchObject({ graceMs: 1_500 })
    expect(JSON.stringify(await person('/callbacks'))).toContain(kept.answered[0]?.id ?? 'none')
    expect(JSON.stringify(await person('/audit'))).toContain(kept.answered[1]?.id ?? 'none')
    const listed = (await senderTo(url, {})('/tools.json')) as { count: number }
    expect(listed.count).toBe(kept.tools)
  })
}

let fresh: ReturnType<typeof schemaOf> | undefined

/** What a new database is. */
function schemaOfNew() {
  if (fresh) return fresh
  using database = new Database(':memory:', { strict: true })
  migrate(database)
  fresh = schemaOf(database)
  return fresh
}

for (const name of NAMES) {
  test(`a database of ${name} becomes what a new one is`, () => {
    using folder = tempFolder()
    const path = join(folder.path, 'beckon.db')
    unpack(name, path)
    // An early build made `oauth` before `signed-receipts`, which was merged with its number.
    const isMissing = (it: string) =>
      name === '0023_oauth' ? it !== '0024_oauth' && it > '0023' : it > name
    const missing = MIGRATIONS.map((migration) => migration.name).filter(isMissing)
    expect(inspectFolder(folder.path, 0).database).toMatchObject({ missing, foreign: [] })
    using old = new Database(path, { strict: true })
    expect(migrate(old)).toEqual(missing)
    expect(migrate(old)).toEqual([])
    expect(schemaOf(old)).toEqual(schemaOfNew())
    const [token] = old.query('select open_questions, kept_bytes from token_usage').values()
    expect([token?.[0], Number(token?.[1]) > 500]).toEqual([1, true])
    expect(miscounted(old)).toEqual([])
    expect(old.query('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(old.query('pragma foreign_key_check').all()).toEqual([])
  })
}

/** The server of today over the database of then, a minute after its story ended. */
async function upgraded(name: string) {
  const kept: Kept = JSON.parse(readFileSync(join(KEPT, `${name}.json`), 'utf8'))
  const ago = Date.now() - kept.at - A_MINUTE
  const house = await startedApp({
    env: { BECKON_CATALOG_PROBES: 'off' },
    clock: { ...systemClock, now: () => Date.now() - ago },
    fill: async (folder) => unpack(name, join(folder, 'beckon.db')),
  })
  const close = () => house[Symbol.asyncDispose]()
  return { kept, url: house.app.url, [Symbol.asyncDispose]: close }
}

function unpack(name: string, path: string) {
  writeFileSync(path, Bun.zstdDecompressSync(readFileSync(join(KEPT, `${name}.db.zst`))))
}

/** Tables with their columns, and indexes, without the order in which they came to be. */
function schemaOf(database: Database) {
  const named = database
    .query<{ type: string; name: string }, []>(
      "select type, name from sqlite_master where name not like 'sqlite_%' order by type, name",
    )
    .all()
  return named.map(({ type, name }) => {
    const columns = database.query<{ name: string }, []>(`pragma ${type}_xinfo('${name}')`).all()
    const sorted = columns.map(({ ...column }) => ({ ...column, cid: undefined, seqno: undefined }))
    sorted.sort((a, b) => (a.name < b.name ? -1 : 1))
    return { type, name, columns: type === 'index' ? columns : sorted }
  })
}
