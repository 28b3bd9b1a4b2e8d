import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const ROOT = join(import.meta.dir, '../..')

async function textsOf(pattern: string): Promise<Map<string, string>> {
  const paths = [...new Glob(pattern).scanSync(ROOT)].sort()
  const texts = paths.map(async (path) => [path, await Bun.file(join(ROOT, path)).text()] as const)
  return new Map(await Promise.all(texts))
}

// A function of a store that is given what to read from, or the transaction.
const READS_OR_WRITES = /^export (?:async )?function (\w+)(?:<[^(]*>)?\(\s*\w+: (?:Read|Tx)\b/gm

test('every function of every store is called in the contract', async () => {
  const contract = [...(await textsOf('test/contract/*.test.ts')).values()].join('\n')
  const stores = await textsOf('src/**/{store,*-store}.ts')
  expect(stores.size).toBeGreaterThan(5)
  const uncalled = [...stores].flatMap(([path, text]) =>
    [...text.matchAll(READS_OR_WRITES)]
      .map((match) => String(match[1]))
      .filter((name) => !new RegExp(`\\b${name}\\(`).test(contract))
      .map((name) => `${path} ${name}`),
  )
  expect(uncalled).toEqual([])
})
