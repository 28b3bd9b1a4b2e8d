import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { CATALOG_REQUIREMENTS } from './catalog-feeds.ts'
import { LATER, REQUIREMENTS as QUESTIONS } from './question-service.ts'

const TESTS = join(import.meta.dir, '..')
const REQUIREMENTS = { ...QUESTIONS, ...CATALOG_REQUIREMENTS }
// More than these ids were never put off; the list only gets shorter.
const LATER_AT_MOST = 1

/** The ids that `text` cites: in the name of a test, or in a `spec:` comment. */
function citedIn(text: string): string[] {
  const places = text.match(/\[(?:QS|CF)-[^\]]*\]|\/\/ spec: .*/g) ?? []
  return places.flatMap((place) => place.match(/(?:QS|CF)-[A-Z]\w*(?:-\w+)?/g) ?? [])
}

async function citations(): Promise<Set<string>> {
  const cited = new Set<string>()
  for (const path of new Glob('**/*.test.{ts,tsx}').scanSync(TESTS)) {
    if (path === 'spec/citations.test.ts') continue
    for (const id of citedIn(await Bun.file(join(TESTS, path)).text())) cited.add(id)
  }
  return cited
}

test('a citation is read from a name and from a comment, and from nowhere else', () => {
  expect(citedIn("test('[QS-RULE-1] targeting', () => {")).toEqual(['QS-RULE-1'])
  expect(citedIn("test('[QS-RULE-1, QS-LIM-title] both'")).toEqual(['QS-RULE-1', 'QS-LIM-title'])
  expect(citedIn('// spec: QS-ERR-1, QS-ERR-2')).toEqual(['QS-ERR-1', 'QS-ERR-2'])
  expect(citedIn("const id = 'QS-RULE-1'")).toEqual([])
})

test('every requirement is cited by a test, or waits for a capability that is named', async () => {
  const cited = await citations()
  const uncited = Object.keys(REQUIREMENTS).filter((id) => !cited.has(id) && !(id in LATER))
  expect(uncited).toEqual([])
})

test('no test cites a requirement that does not exist', async () => {
  const unknown = [...(await citations())].filter((id) => !(id in REQUIREMENTS))
  expect(unknown).toEqual([])
})

test('no comment of src cites a requirement that does not exist', async () => {
  const src = join(TESTS, '../src')
  const cited = [...new Glob('**/*.{ts,tsx}').scanSync(src)].map(async (path) => {
    const text = await Bun.file(join(src, path)).text()
    return text.match(/(?:QS|CF)-[A-Z]\w*(?:-\w+)?/g) ?? []
  })
  const ids = (await Promise.all(cited)).flat()
  expect(ids.length).toBeGreaterThan(10)
  expect(ids.filter((id) => !(id in REQUIREMENTS) && id !== 'QS-LIM')).toEqual([])
})

test('what is cited no longer waits, and the list of what waits only gets shorter', async () => {
  const cited = await citations()
  expect(Object.keys(LATER).filter((id) => cited.has(id))).toEqual([])
  expect(Object.keys(LATER).length).toBeLessThanOrEqual(LATER_AT_MOST)
})
