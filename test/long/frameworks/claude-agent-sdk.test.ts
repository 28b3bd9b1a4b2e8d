import { describe } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adapterCases } from '../../packages/js/adapters/cases.ts'

const IS_INSTALLED = existsSync(
  join(import.meta.dir, 'node_modules/@anthropic-ai/claude-agent-sdk'),
)

describe.skipIf(!IS_INSTALLED)('with bun install --frozen-lockfile in this folder', () => {
  // A resumed session tells its model that the call was interrupted; the next call is another one.
  adapterCases(join(import.meta.dir, 'claude-agent-sdk-run.ts'), [], { resumes: false })
})
