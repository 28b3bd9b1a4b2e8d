import { expect, test } from 'bun:test'
import { join, relative } from 'node:path'
import { bundleScripts } from '../../../src/platform/web/bundle-scripts.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const SOURCES = join(import.meta.dir, '../../../src')

test('a script is bundled with what it imports, without comments', async () => {
  using folder = tempFolder()
  await Bun.write(join(folder.path, 'lib.js'), 'export const twice = (n) => n * 2 // by two')
  await Bun.write(
    join(folder.path, 'page.js'),
    "import { twice } from './lib.js'\nglobalThis.four = twice(2)",
  )
  const { 'page.js': text } = bundleScripts(relative(SOURCES, folder.path), ['page.js'])
  expect(text).not.toMatch(/import|by two/)
  const world: { four?: number } = {}
  new Function('globalThis', text)(world)
  expect(world.four).toBe(4)
})

test('a script that cannot be bundled says which and why', async () => {
  using folder = tempFolder()
  await Bun.write(join(folder.path, 'page.js'), "import './missing.js'")
  const bundle = () => bundleScripts(relative(SOURCES, folder.path), ['page.js'])
  expect(bundle).toThrow('missing.js')
})
