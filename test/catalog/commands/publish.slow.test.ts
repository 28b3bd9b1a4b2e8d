import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedCatalog, writeGeneratedCatalog } from '../../support/generated-catalog.ts'
import { PROGRAM } from '../../support/program.ts'
import { runCommand } from '../../support/run-command.ts'
import { startedApp } from '../../support/started-app.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

async function beckon(...args: string[]) {
  return await runCommand([...PROGRAM, 'catalog', 'publish', ...args])
}

type Listing = { count: number; tools: Array<{ slug: string; catalog: { history: unknown[] } }> }

test('a folder is published to a server that runs, and a broken one changes nothing', async () => {
  await using server = await startedApp()
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 12)
  const to = ['--data', server.dataFolder]
  const listing = async () =>
    (await (await fetch(`${server.app.url}/api/v1/tools.json`)).json()) as Listing
  expect((await listing()).count).toBe(0)

  const dry = await beckon(folder.path, '--dry-run', ...to)
  expect([dry.code, dry.out]).toEqual([0, expect.stringContaining('would be publish 1')])
  const first = await beckon(folder.path, '--json', ...to)
  expect(JSON.parse(first.out)).toMatchObject({ published: true, sequence: 1, problems: [] })
  await until(async () => (await listing()).count === 12)
  expect(dry.out).not.toContain('/tools')
  const again = await beckon(folder.path, ...to)
  expect(again.out).toContain('Nothing has changed since publish 1.')

  writeFileSync(join(folder.path, 'tools/tool-0004.yaml'), 'name: [\n')
  const refused = await beckon(folder.path, ...to)
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toMatch(/^tools\/tool-0004\.yaml:\d+.*: expected /m)
  expect(refused.err).toContain('Nothing was published')
  const asJson = await beckon(folder.path, '--json', ...to)
  expect(asJson.code).toBe(1)
  expect(JSON.parse(asJson.out)).toMatchObject({ published: false })
  expect((await listing()).count).toBe(12)
}, 60_000)

test('works while no server runs, and keeps the name of a methodology for one content', async () => {
  using data = tempFolder()
  using folder = tempFolder()
  const to = ['--data', join(data.path, 'new')]
  writeGeneratedCatalog(folder.path, 3)
  const done = await beckon(folder.path, ...to)
  expect([done.code, done.err]).toEqual([0, expect.stringContaining('No server runs on')])
  expect(done.out).toContain('3 tools in all')
  expect(done.out).toContain('See it at http://localhost:8484/tools\n')
  const { methodology } = generatedCatalog(1)
  const file = join(folder.path, 'methodology.yaml')
  writeFileSync(file, JSON.stringify({ ...methodology, summary: 'Other words.' }))
  const refused = await beckon(folder.path, ...to)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('new version')])
  writeFileSync(file, JSON.stringify({ ...methodology, summary: 'Other.', version: '1.2' }))
  expect((await beckon(folder.path, ...to)).out).toContain('Publish 2')
}, 60_000)
