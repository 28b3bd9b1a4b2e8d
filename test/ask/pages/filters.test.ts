import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const text = async (path: string) => (await world.get(path)).text()
const lettersIn = (page: string) =>
  [...page.matchAll(/id="title-\w+"[^>]*>Ask (\w)\?/g)].map(([, one]) => one)

test('without a difference there is no filter; with one each narrows the list', async () => {
  const codex = { agentName: 'Codex - shop', repoKey: 'shop' }
  await world.ask({ ...codex, question: 'Ask A?' })
  expect(await text('/')).not.toContain('class="filters"')
  await world.ask({ agentName: 'Codex - docs', question: 'Ask B?', repoKey: 'docs' })
  await world.ask({ agentName: 'Gemini', question: 'Ask C?', type: 'input' })
  await world.ask({ question: 'Ask D?', origin: 'scope' })
  const all = await text('/inbox')
  expect(lettersIn(all).sort()).toEqual(['A', 'B', 'C', 'D'])
  for (const word of ['Agent', 'Repository', 'Kind']) expect(all).toContain(`<label>${word}<select`)
  const wanted = [
    ['agent=Codex', ['A', 'B']],
    ['agent=Gemini', ['C']],
    ['repository=docs', ['B']],
    ['kind=scope', ['D']],
    ['kind=confirm', ['A', 'B']],
    ['agent=Codex&repository=shop', ['A']],
    ['agent=Nobody', []],
    ['kind=nonsense', []],
    ['agent=&repository=&kind=', ['A', 'B', 'C', 'D']],
  ] as const
  for (const [query, letters] of wanted) {
    expect([query, lettersIn(await text(`/?${query}`)).sort()]).toEqual([query, [...letters]])
  }
  const filtered = await text('/inbox?agent=Gemini')
  expect(filtered).toContain('4 questions are waiting')
  expect(filtered).toContain('Show all')
})

test('a filter that matches nothing says so and leads to all', async () => {
  const none = await text('/inbox?agent=Nobody')
  expect(none).toContain('No open question matches the filter')
  expect(none).toContain('href="/inbox">Show all')
  expect(none).not.toContain('All answered')
})
