import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileCache } from '../../../src/catalog/authoring/file-cache.ts'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { folderStamp, watchFolder } from '../../../src/catalog/authoring/watch-folder.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { writeGeneratedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

test('a change that the system does not tell of is seen too, and a failure ends nothing', async () => {
  using folder = tempFolder()
  let stamp = 'a'
  let changes = 0
  const failures: unknown[] = []
  await using _watching = watchFolder({
    ...{ dir: folder.path, clock, stamp: async () => stamp },
    async changed() {
      changes++
      if (stamp === 'b') throw new Error('no')
    },
    report: (error) => failures.push(error),
  })
  await until(() => changes === 1)
  stamp = 'b'
  await until(() => failures.length === 1)
  stamp = 'c'
  await until(() => changes === 3)
})

test('a folder that is read over and over is read as if for the first time', async () => {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 12)
  const cache: FileCache = new Map()
  const both = async () => {
    const again = await loadFolder(folder.path, { cache })
    expect(again).toEqual(await loadFolder(folder.path))
    return again
  }
  const stamps = new Set([await folderStamp(folder.path)])
  const good = await both()
  expect(await both()).toEqual(good)
  expect(stamps.has(await folderStamp(folder.path))).toBe(true)
  const texts = {
    'tools/tool-0003.yaml': 'name: [\n',
    'removed.yaml': '',
    'tools/tool-0000.md': '#',
  }
  for (const [path, text] of Object.entries(texts)) {
    writeFileSync(join(folder.path, path), text)
    stamps.add(await folderStamp(folder.path))
    await both()
  }
  expect(stamps.size).toBe(4)
  expect((await both()).problems.map(({ file }) => file)).toContain('tools/tool-0003.yaml')
})
