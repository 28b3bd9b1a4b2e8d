import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { auditRecord, auditStamp } from '../../../src/ask/audit/model/audit.ts'
import { recordAudit } from '../../../src/ask/audit/model/store.ts'
import { verifyAudit } from '../../../src/ask/trail/verify-audit.ts'
import { PROBING } from '../../../src/catalog/probing/lease.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { backUp, restore } from '../../../src/platform/db/backup.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { takeLease } from '../../../src/platform/db/lease-store.ts'
import { loadServerKey } from '../../../src/platform/db/server-key.ts'
import { leases } from '../../../src/platform/db/table.ts'
import { migratedDatabase } from '../../support/migrated-database.ts'
import { startedApp } from '../../support/started-app.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(60_000)

test('a restored backup seals at once, whatever leases it carries', async () => {
  using folder = tempFolder()
  migratedDatabase(folder.path)
  const file = join(folder.path, 'kept.db')
  {
    await using db = openDataFolder(folder.path)
    const now = systemClock.now()
    const record = auditRecord(auditStamp(now), { workspaceId: 'ws_1', kind: 'token.created' })
    await db.write(async (tx) => {
      for (const name of ['seal-audit', PROBING]) {
        await takeLease(tx, { name, holder: 'gone', now, until: now + 24 * 60 * 60_000 })
      }
      await recordAudit(tx, record)
    })
    backUp(folder.path, file, { replace: false })
  }
  await using started = await startedApp({
    fill: async (target) => void restore(target, file, '2026-01-31T12:00:00.000Z'),
  })
  const { db } = started.app
  const key = await loadServerKey({ db, clock: systemClock })
  await until(async () => {
    const report = await verifyAudit(db.read, key, systemClock.now())
    return report.ok && report.sealed === 1
  })
  // Commands take this one beside a server.
  const held = await db.read.select().from(leases)
  expect(held.filter(({ holder }) => holder === 'gone').map(({ name }) => name)).toEqual([PROBING])
})
