import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { findPersonByEmail } from '../../src/ask/accounts/model/person-store.ts'
import { audit } from '../../src/ask/audit/model/table.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { beckon } from '../support/beckon.ts'
import { connect } from '../support/devices.ts'
import { ntfyServer } from '../support/ntfy-server.ts'
import { serverProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

const FILE = `beckon: policy/1
groups:
  engineers: [bob@example.org, fay@example.org]
  security: [bob@example.org, fay@example.org]
protect: { from: [security], need: 2 }
rules:
  - id: prod
    match: { toolName: Bash }
    approve: { from: [engineers] }
`
const OWNERS = ['mara', 'olga']
const WHY = 'Bob and Fay have left'

/** A data folder with two owners, their phones, and a file that two of security guard. */
async function guardedFolder(path: string, ntfy: string) {
  const policy = (...args: string[]) => beckon(['policy', ...args, '--data', path])
  for (const name of [...OWNERS, 'bob', 'fay']) {
    const role = OWNERS.includes(name) ? 'owner' : 'member'
    const args = ['--email', `${name}@example.org`, '--role', role, '--password-stdin']
    await beckon(['user', 'add', ...args, '--data', path], { stdin: 'correct-horse-battery-42' })
  }
  await using db = openDataFolder(path)
  for (const name of ['mara', 'olga', 'bob']) {
    const person = await findPersonByEmail(db.read, `${name}@example.org`)
    if (!person) throw new Error(`${name} is not there`)
    const phone = { kind: 'phone', transport: 'ntfy', keys: undefined } as const
    const { workspaceId, id: personId } = person
    await connect(db, { ...phone, workspaceId, personId, endpoint: `${ntfy}/${name}` })
  }
  const file = join(path, 'policy.yaml')
  await Bun.write(file, FILE)
  const { state } = JSON.parse((await policy('diff', file, '--json')).out)
  expect((await policy('apply', file, '--base', state)).code).toBe(0)
  const change = async (from: string, to: string) => {
    await Bun.write(file, (await Bun.file(file).text()).replace(from, to))
  }
  return { file, policy, change }
}

async function brokenRows(path: string) {
  await using db = openDataFolder(path)
  const rows = await db.read.select().from(audit)
  return rows.filter(({ kind }) => kind === 'policy.glass_broken')
}

test('breaking the glass beside a running server, and without one, is sealed and tells each owner', async () => {
  using folder = tempFolder()
  await using ntfy = await ntfyServer()
  const { path } = folder
  const { file, policy, change } = await guardedFolder(path, ntfy.origin)
  const env = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const topics = () => ntfy.published.map(({ topic }) => topic).toSorted()

  // Without a server: proposed, then broken, and nobody is told before one runs.
  await change('need: 2', 'need: 1')
  expect((await policy('apply', file)).code).toBe(3)
  const broken = await policy('apply', file, '--break-glass', WHY)
  expect(broken.code).toBe(0)
  expect(broken.out).toContain('need: 2 → 1')
  expect(await brokenRows(path)).toMatchObject([{ detail: WHY, seal: null }])
  expect(topics()).toEqual([])
  {
    await using server = await serverProcess(path, 0, { env })
    expect(server.url).toStartWith('http')
    await until(async () => topics().filter((one) => OWNERS.includes(one)).length === 2)
    expect(topics().filter((one) => OWNERS.includes(one))).toEqual(OWNERS)

    // Beside the server: the same, at once.
    await change('engineers: [bob@example.org, ', 'engineers: [mara@example.org, ')
    expect((await policy('apply', file, '--json', '--break-glass', WHY)).out).toContain(
      '"isGlassBroken":true',
    )
    await until(async () => topics().filter((one) => OWNERS.includes(one)).length === 4)
    await until(async () => (await brokenRows(path)).every(({ seal }) => seal !== null))
  }
  expect(await brokenRows(path)).toHaveLength(2)
  expect((await beckon(['audit', 'verify', '--data', path])).code).toBe(0)
}, 120_000)

test('where nobody has to agree, no glass is broken and nobody is told of it', async () => {
  using folder = tempFolder()
  await using ntfy = await ntfyServer()
  const { path } = folder
  const { file, policy, change } = await guardedFolder(path, ntfy.origin)
  const broken = async () =>
    JSON.parse((await policy('apply', file, '--json', '--break-glass', WHY)).out).isGlassBroken
  expect(await broken()).toBe(false)
  await change('beckon: policy/1', 'beckon: policy/1\npolicy: { waitMs: 40s }')
  expect(await broken()).toBe(false)
  expect(await brokenRows(path)).toEqual([])
  expect((await policy('apply', file, '--break-glass', ' ')).code).toBe(2)
}, 120_000)
