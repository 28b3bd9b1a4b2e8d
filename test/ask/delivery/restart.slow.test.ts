import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { newId } from '../../../src/platform/ids.ts'
import { beckon } from '../../support/beckon.ts'
import { connect } from '../../support/devices.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { serverProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const LATER = { status: 503, headers: { 'retry-after': '60' } }

/** A data folder with a token and phones whose services do not take their first message. */
async function folderWith(data: string, push: PushServer): Promise<string> {
  writeFileSync(join(data, 'beckon.toml'), 'allow_private_hosts = "127.0.0.1"')
  {
    await using db = openDataFolder(data)
    const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', 1), 1))
    const phone = { workspaceId, kind: 'phone' } as const
    await connect(
      db,
      { ...phone, label: 'Took it', ...push.subscribe('took-it') },
      { ...phone, label: 'Hangs', ...push.subscribe('hangs', 'hang', { status: 201 }) },
      { ...phone, label: 'Later', ...push.subscribe('later', LATER, { status: 201 }) },
    )
  }
  const { out } = await beckon(['key', 'create', '--name', 'test', '--data', data])
  return out.trim()
}

function rows(data: string): Array<Record<string, unknown>> {
  using db = new Database(join(data, 'beckon.db'), { readonly: true })
  return db.query('select * from deliveries').all() as Array<Record<string, unknown>>
}

function change(data: string, sql: string) {
  using db = new Database(join(data, 'beckon.db'))
  db.run(sql)
}

const notify = (url: string, token: string) =>
  fetch(`${url}/api/v1/notifications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Built', body: 'All green' }),
  })

test('what a killed server owed is sent by the next one, once; what is past its time is not', async () => {
  using folder = tempFolder()
  await using push = await pushServer()
  const data = folder.path
  const token = await folderWith(data, push)

  const first = await serverProcess(data)
  expect((await notify(first.url, token)).status).toBe(200)
  await push.until(3)
  const waits = () => rows(data).filter(({ state }) => state === 'waiting')
  await until(
    () => waits().length === 2 && rows(data).some(({ last_status }) => last_status === 503),
  )
  expect((await notify(first.url, token)).status).toBe(200)
  await push.until(6)
  await until(() => rows(data).filter(({ state }) => state === 'accepted').length === 4)
  await first.end('SIGKILL')
  expect(waits()).toHaveLength(2)

  // Both owed messages are of the first notification; a third is past its time.
  change(
    data,
    `create temp table late as select * from deliveries where state = 'waiting' limit 1;
    update late set id = 'dl_late', expires_at = 1;
    insert into deliveries select * from late`,
  )
  // Half a minute goes by for the claims, and a minute for Retry-After.
  change(data, "update deliveries set claimed_until = 0, next_at = 0 where state = 'waiting'")
  await using second = await serverProcess(data)
  await push.until(8)
  await until(() => waits().length === 0)
  const ends = Map.groupBy(rows(data), ({ state }) => state)
  expect(ends.get('accepted')).toHaveLength(6)
  expect(ends.get('lapsed')).toMatchObject([{ id: 'dl_late' }])
  const counts = Map.groupBy(push.delivered, ({ name }) => name)
  expect([...counts].map(([name, got]) => [name, got.length]).sort()).toEqual([
    ['hangs', 3],
    ['later', 3],
    ['took-it', 2],
  ])
  expect((await second.end('SIGTERM')).code).toBe(0)
}, 60_000)
