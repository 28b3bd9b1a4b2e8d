import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addPerson } from '../../../src/ask/people/people.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { beckon } from '../../support/beckon.ts'
import { connect } from '../../support/devices.ts'
import { pageWorld } from '../../support/page-world.ts'
import { pushServer } from '../../support/push-server.ts'
import { serverProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

test('a server that was killed before the turn of the next person tells them once', async () => {
  using folder = tempFolder()
  await using push = await pushServer()
  const data = folder.path
  writeFileSync(join(data, 'beckon.toml'), 'allow_private_hosts = "127.0.0.1"')
  {
    await using db = openDataFolder(data)
    const { person: ann } = await addPerson({ db, clock }, { email: 'ann@example.com' })
    const { person: ben } = await addPerson({ db, clock }, { email: 'ben@example.com' })
    const { workspaceId } = ann
    await connect(
      db,
      { workspaceId, personId: ann.id, ...push.subscribe('ann') },
      { workspaceId, personId: ben.id, ...push.subscribe('ben') },
    )
    await setPolicy({ db, clock }, workspaceId, { failoverMs: 60_000, failoverTo: [ben.id] })
  }
  const { out: token } = await beckon([
    ...['key', 'create'],
    ...['--name', 'test', '--owner', 'ann@example.com', '--data', data],
  ])
  const first = await serverProcess(data)
  const headers = {
    authorization: `Bearer ${token.trim()}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ question: 'Deploy?', wait: false })
  await fetch(`${first.url}/api/v1/questions`, { method: 'POST', headers, body })
  await push.until(1)
  await first.end('SIGKILL')
  {
    // A minute goes by.
    using db = new Database(join(data, 'beckon.db'))
    db.run('update failovers set due_at = 1, step_at = 1')
  }
  await using second = await serverProcess(data)
  expect(second.url).toBeTruthy()
  await push.until(2)
  await Bun.sleep(2_500)
  expect(push.delivered.map(({ name }) => name)).toEqual(['ann', 'ben'])
}, 60_000)

test('the page of the question says who was told, and counts apart', async () => {
  await using push = await pushServer()
  await using world = await pageWorld({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const { db, workspaceId, url } = world
  const { person: ben } = await addPerson({ db, clock }, { email: 'b@example.com', name: 'Ben' })
  await connect(
    db,
    { workspaceId, personId: 'mara', label: 'Desk', ...push.subscribe('mara') },
    { workspaceId, personId: ben.id, label: 'Pixel', ...push.subscribe('ben') },
  )
  await setPolicy({ db, clock }, workspaceId, { failoverMs: 1_000, failoverTo: [ben.id] })
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'agent' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1/questions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ question: 'Deploy?', wait: false }),
  })
  const { correlationId } = (await response.json()) as { correlationId: string }
  await push.until(2)
  const read = async (path: string) => (await world.get(path)).text()
  await until(async () =>
    (await read(`/d/${correlationId}`)).includes('Accepted for one device. Then'),
  )
  const page = (await read(`/d/${correlationId}`)).replaceAll(/<[^>]+>/g, '')
  expect(page).toMatch(/Nobody answered for (1 second|2 seconds); Ben was told at \d\d:\d\d UTC\./)
  expect(page).toContain('Accepted for one device. Then: Accepted for one device.')
  const { deliveries } = JSON.parse(await read(`/api/v1/deliveries/${correlationId}`))
  expect(
    deliveries.map(({ label, failover }: { label: string; failover?: true }) => [label, failover]),
  ).toEqual([
    ['Desk', undefined],
    ['Pixel', true],
  ])
  expect(await read('/api/v1/audit?kind=question.failed_over')).toContain('told: Ben')
}, 60_000)
