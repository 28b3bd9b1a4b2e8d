import { expect, test } from 'bun:test'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { generatedCatalog, writeGeneratedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('a folder is read as it was written', async () => {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 9)
  const { source, problems } = await loadFolder(folder.path)
  expect(problems).toEqual([])
  const { changes, ...rest } = generatedCatalog(9)
  expect(source).toMatchObject(rest)
  expect(source?.changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(changes)
})

test('2,000 generated records are right', async () => {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 2000)
  let last = [0, 0]
  const { source, problems } = await loadFolder(folder.path, {
    onProgress: (...at) => {
      last = at
    },
  })
  expect(problems).toEqual([])
  expect(source?.tools).toHaveLength(2000)
  expect(last[0]).toBe(last[1] as number)
  expect(last[0]).toBeGreaterThan(3000)
}, 60_000)

test('a folder that is not there is a problem, not a crash', async () => {
  using folder = tempFolder()
  const { source, problems } = await loadFolder(`${folder.path}/nowhere`)
  expect(source).toBeUndefined()
  expect(problems).toEqual([
    { file: '.', line: 0, field: '', expected: 'a folder', found: 'nothing' },
  ])
})
