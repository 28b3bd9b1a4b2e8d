import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeCatalogFolder } from '../support/catalog-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { leaseOf } from './lease-watch.ts'
import { rest, serversWorld } from './servers-world.ts'

const tool = (name: string) => `name: ${name}
vendor: example
kind: http-api
category: messaging
summary: A tool.
auth: unknown
pricing: free
where: hosted
homepage: https://tool.example
transports: [http]
sources:
  - { url: https://tool.example/docs, read: 2026-11-01, facts: [name, pricing] }
`

test('of three servers one signs and seals; another goes on when it was killed and its lease is over', async () => {
  await using world = await serversWorld()
  using folder = tempFolder()
  const { sql } = world
  writeCatalogFolder(folder.path, { 'tools/one.yaml': tool('One') })
  const publish = async (name: string) => {
    writeFileSync(join(folder.path, 'tools/one.yaml'), tool(name))
    await world.command('catalog', 'publish', folder.path)
  }
  /** Whether each revision so far has a manifest. */
  const isSigned = async () => {
    const [revisions, manifests] = await Promise.all([
      sql`select count(*) n from catalog_revisions`,
      sql`select count(distinct revision) n from catalog_manifests`,
    ])
    return revisions[0].n === manifests[0].n
  }
  const isSealed = async () =>
    (await sql`select count(*) n from audit where seal is null`)[0].n === '0'

  const first = await world.server()
  await publish('One')
  await until(isSigned)
  await rest(first, '/questions', { question: 'Go?', wait: false }, world.agent)
  await until(async () => (await leaseOf(sql, 'seal-audit')) !== undefined)
  const own = await leaseOf(sql, 'catalog_manifest')

  // While it lives, the others leave it to the first, and one of them is not enough to take over.
  const others = await Promise.all([world.server(), world.server()])
  await publish('Two')
  await until(isSigned)
  expect((await leaseOf(sql, 'catalog_manifest'))?.holder).toBe(own?.holder as string)

  await first.end('SIGKILL')
  await publish('Three')
  await rest(others[0], '/questions', { question: 'Go on?', wait: false }, world.agent)
  expect(await isSigned()).toBe(false)
  // Minutes pass for the leases; their time is in the database.
  await sql`update leases set until = 0 where holder = ${own?.holder}`
  await until(isSigned)
  const next = await leaseOf(sql, 'catalog_manifest')
  expect(next?.holder).not.toBe(own?.holder as string)
  expect(next?.until).toBeGreaterThan(Date.now())
  await until(async () => (await leaseOf(sql, 'seal-audit'))?.holder !== own?.holder)
  await until(isSealed)
}, 120_000)
