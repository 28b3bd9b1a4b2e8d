import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { systemClock } from '../../../src/platform/clock.ts'
import { loadSecrets } from '../../../src/platform/db/settings-store.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ROOT = join(import.meta.dir, '../../..')

test('the first run makes secrets of full length, later runs read the same', async () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  const secrets = await (async () => {
    await using db = openSqlite(path)
    return await loadSecrets(db, systemClock)
  })()
  expect(Buffer.from(secrets.authSecret, 'base64url')).toHaveLength(32)
  expect(Buffer.from(secrets.quickAnswerSecret, 'base64url')).toHaveLength(32)
  expect(secrets.authSecret).not.toBe(secrets.quickAnswerSecret)
  expect(Buffer.from(secrets.vapid.publicKey, 'base64url')).toHaveLength(65)
  expect(Buffer.from(secrets.vapid.privateKey, 'base64url')).toHaveLength(32)

  await using db = openSqlite(path)
  expect(await loadSecrets(db, systemClock)).toEqual(secrets)
})

test('processes whose first runs race end up with the same secrets', async () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  const script = `
    import { loadSecrets } from '${ROOT}/src/platform/db/settings-store.ts'
    import { openSqlite } from '${ROOT}/src/platform/db/sqlite.ts'
    import { systemClock } from '${ROOT}/src/platform/clock.ts'
    await using db = openSqlite(${JSON.stringify(path)})
    console.log(JSON.stringify(await loadSecrets(db, systemClock)))`
  const outcomes = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', cwd: ROOT })
      const out = await new Response(child.stdout).text()
      return { code: await child.exited, out }
    }),
  )
  expect(outcomes.map((outcome) => outcome.code)).toEqual([0, 0, 0])
  expect(new Set(outcomes.map((outcome) => outcome.out)).size).toBe(1)
  expect(JSON.parse(outcomes[0]?.out ?? '').authSecret).toBeString()
})
