import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SEED } from './support/seed.ts'
import { linesThatMatch, repositorySources } from './support/sources.ts'

test('what a property is tried with is the same in every run', () => {
  expect(fc.readConfigureGlobal().seed).toBe(SEED)
  const drawn = () => fc.sample(fc.string({ unit: 'binary' }), 20)
  expect(drawn()).toEqual(drawn())
})

// Keys, tokens and ids have to differ, and nothing depends on what they are. What draws a seed says it.
const DRAWS_A_SEED = ['test/long/new-seeds.ts', 'test/long/fuzz/main.ts']

test('no test draws by itself: a random number comes from the seed', async () => {
  const free = /Math\.random\(|Date\.now\(\) %|performance\.now\(\) %|randomInt\(|getRandomValues\(/
  const sources = await repositorySources()
  const drawing = sources
    .filter(({ path }) => path.startsWith('test/') && !DRAWS_A_SEED.includes(path))
    .filter(({ path }) => path !== 'test/seeds.test.ts')
    .filter((source) => linesThatMatch(source, free).length > 0)
  expect(drawing.map(({ path }) => path)).toEqual([])
})
