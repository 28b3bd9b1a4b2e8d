import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSignedCatalog } from '../../../src/catalog/uses/read-catalog.ts'
import { fromFolder } from '../../../src/catalog/verifying/from-folder.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { feedWorld } from '../feeds/feed-world.ts'

test('a signed copy is read without a network; a forged one and another key are refused', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(6))
  using work = tempFolder()
  const root = join(work.path, 'site')
  await world.export(root)
  const read = (key?: string) => readSignedCatalog(fromFolder(root), { key, today: '2026-11-21' })
  expect((await read()).tools).toHaveLength(6)
  expect(read('A'.repeat(43))).rejects.toMatchObject({ code: 'conflict' })
  expect(
    (await readSignedCatalog(fromFolder(root), { key: undefined, today: '2099-01-01' })).about,
  ).toContain('expired')
  const changes = join(root, 'api/v1/changes.json')
  writeFileSync(changes, readFileSync(changes, 'utf8').replace('"recent"', '"Recent"'))
  expect(read()).rejects.toMatchObject({ code: 'conflict' })
})
