import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')
const IS_INSTALLED = existsSync(join(import.meta.dir, 'node_modules/langchain'))

test.skipIf(!IS_INSTALLED)('the adapters fit the types of the frameworks', () => {
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { stdout } = Bun.spawnSync([tsc, '--noEmit', '-p', import.meta.dir])
  expect(stdout.toString()).toBe('')
})
