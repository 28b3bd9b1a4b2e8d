import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { serverProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

type Tool = { slug: string; graded: boolean; catalog: { grade: string | null } }
type Listing = { count: number; graded: number; meta: { preview: boolean }; tools: Tool[] }

test('the examples of init are published and served as they are', async () => {
  using data = tempFolder()
  const folder = join(data.path, 'catalog')
  expect((await beckon(['catalog', 'init', folder])).code).toBe(0)
  const slugs = readdirSync(join(folder, 'tools')).map((name) => name.replace('.yaml', ''))
  const published = await beckon(['catalog', 'publish', folder, '--data', data.path, '--json'])
  expect(published.code).toBe(0)
  expect(JSON.parse(published.out)).toMatchObject({ published: true, sequence: 1 })

  await using server = await serverProcess(data.path)
  const listing = (await (await fetch(`${server.url}/api/v1/tools.json`)).json()) as Listing
  expect(listing).toMatchObject({ count: slugs.length, meta: { preview: true } })
  expect(listing.tools.map(({ slug }) => slug).sort()).toEqual(slugs.sort())
  const graded = listing.tools.filter(({ graded }) => graded)
  expect(graded.length).toBe(listing.graded)
  expect(graded.length).toBeGreaterThan(10)
  expect(listing.tools[0]?.catalog.grade).toBeString()
  const paid = await (await fetch(`${server.url}/api/v1/x402.json`)).text()
  expect(paid).toContain('"agentmail"')
  const changes = await (await fetch(`${server.url}/api/v1/changes.json`)).text()
  expect(changes).toContain('"gpt-5-shutdown"')
}, 60_000)
