import { describe } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adapterCases } from '../../packages/js/adapters/cases.ts'

const IS_INSTALLED = existsSync(join(import.meta.dir, 'node_modules/@mastra/core'))

describe.skipIf(!IS_INSTALLED)('with bun install --frozen-lockfile in this folder', () => {
  // The model reads the outcome of `protect`.
  adapterCases(join(import.meta.dir, 'mastra-run.ts'), [], {
    no: '"status":"declined"',
    refused: '"status":"refused"',
  })
})
