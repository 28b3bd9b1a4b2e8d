import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const ROOT = join(import.meta.dir, '../..')

async function textsOf(pattern: string): Promise<Map<string, string>> {
  const paths = [...new Glob(pattern).scanSync(ROOT)].sort()
  const texts = paths.map(async (path) => [path, await Bun.file(join(ROOT, path)).text()] as const)
  return new Map(await Promise.all(texts))
}

test('every function of every store is called in the contract', async () => {
  const contract = [...(await textsOf('test/contract/*.test.ts')).values()].join('\n')
  const stores = await textsOf('src/**/{store,*-store}.ts')
  expect(stores.size).toBeGreaterThan(5)
  const uncalled = [...stores].flatMap(([path, text]) =>
    [...text.matchAll(/^export (?:async )?function (\w+)/gm)]
      .map((match) => String(match[1]))
      .filter((name) => !new RegExp(`\\b${name}\\(`).test(contract))
      .map((name) => `${path} ${name}`),
  )
  expect(uncalled).toEqual([])
})
