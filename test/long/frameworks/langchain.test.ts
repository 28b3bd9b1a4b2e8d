import { describe } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adapterCases } from '../../packages/js/adapters/cases.ts'

const IS_INSTALLED = existsSync(join(import.meta.dir, 'node_modules/langchain'))

describe.skipIf(!IS_INSTALLED)('with bun install --frozen-lockfile in this folder', () => {
  adapterCases(join(import.meta.dir, 'langchain-run.ts'))
})
