import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const SHOP = { agentName: 'Codex - shop', repoKey: 'github.com/acme/shop' }
const DOCS = { agentName: 'Gemini - docs', repoKey: 'github.com/acme/docs' }
const DAY = 24 * 60 * 60_000

// Noon: at midnight what began a minute ago is of another day.
const ahead = Math.floor(Date.now() / DAY) * DAY + DAY / 2 - Date.now()
const clock = { ...systemClock, now: () => Date.now() + ahead }

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld({ clock })
  // What ended minutes ago may have been counted before it was written.
  const end = (action: string, of: object, tookMs: number, ageMs = 0) =>
    world.ask(
      { detail: { action, toolName: 'Bash' }, ...of, endedAt: clock.now() - ageMs },
      ageMs + tookMs,
    )
  const yes = { status: 'answered', value: 'yes' } as const
  await end('git push', { ...SHOP, ...yes, answerSource: 'slack', answeredAs: 'Jonas' }, 12_000)
  const byRule = { id: 'rule_1', words: 'Bash on npm*' }
  const detail = { action: 'npm test', toolName: 'Bash', byRule }
  await end('', { ...SHOP, ...yes, answeredAs: 'the rule for Bash on npm*', detail }, 0)
  await end('rm -rf dist', { ...DOCS, status: 'expired' }, 60_000)
  await end('make all', { ...DOCS, status: 'cancelled' }, 30_000)
  await end('date', { ...SHOP, ...yes, answerSource: 'inbox' }, 90_000, 3 * DAY)
  await world.ask({ ...SHOP, detail: { action: 'git fetch', toolName: 'Bash' } })
  await world.tell({ agentName: 'Codex - shop', title: 'All tests pass' })
})
afterAll(() => world[Symbol.asyncDispose]())

const text = async (query = '') => (await world.get(`/activity?${query}`)).text()
/** The list as words, without the rest of the page. */
const list = async (query = '') => {
  const page = await text(query)
  const part = page.slice(page.indexOf('id="activity"'), page.indexOf('</main>'))
  return part.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}
const COMMANDS = ['git push', 'npm test', 'rm -rf dist', 'make all', 'date', 'git fetch']
const commandsIn = async (query: string) => {
  const words = await list(query)
  return COMMANDS.filter((command) => words.includes(command))
}

test('a decision is one line: what, who, how long and what came out', async () => {
  const words = await list()
  expect(words).toMatch(/git push Jonas from Slack, 12 seconds Approved \d\d:\d\d/)
  expect(words).toMatch(/npm test the rule for Bash on npm\* Approved/)
  expect(words).toMatch(/rm -rf dist nobody, 1 minute Expired/)
  expect(words).toMatch(/make all the agent, 30 seconds Withdrawn/)
  expect(words).toMatch(/git fetch Waiting/)
})

test('the lines of a day are by agent and repository, which lead to the repository', async () => {
  const page = await text()
  const heads = [...page.matchAll(/<h3 class="story-of">(.*?)<\/h3>/g)].map(([, head = '']) => head)
  expect(heads.map((head) => /<b>(.*?)<\/b>/.exec(head)?.[1])).toEqual([
    'Codex · shop',
    'Gemini · docs',
    'Codex · shop',
  ])
  expect(heads[0]).toContain('href="/repositories?repoKey=github.com%2Facme%2Fshop"')
})

test.each([
  ['outcome=waiting', ['git fetch']],
  ['outcome=byPerson', ['git push', 'date']],
  ['outcome=byRule', ['npm test']],
  ['outcome=unanswered', ['rm -rf dist']],
  ['outcome=withdrawn', ['make all']],
  ['outcome=notification', []],
  ['agent=Gemini', ['rm -rf dist', 'make all']],
  ['repository=github.com%2Facme%2Fdocs&outcome=withdrawn', ['make all']],
  ['agent=Codex&q=push', ['git push']],
  ['outcome=nonsense&day=2026-99-99', COMMANDS],
] as const)('%s shows what it names', async (query, expected) => {
  expect(await commandsIn(query)).toEqual([...expected])
})

test('a day shows that day alone, with ways to those beside it', async () => {
  const day = new Date(clock.now() - 3 * DAY).toISOString().slice(0, 10)
  expect(await commandsIn(`day=${day}`)).toEqual(['date'])
  const before = new Date(clock.now() - 4 * DAY).toISOString().slice(0, 10)
  const page = await text(`day=${day}&agent=Codex`)
  expect(page).toContain(`href="/activity?day=${before}&amp;agent=Codex"`)
  expect(await list(`day=${before}`)).toContain('Nothing matches')
})

test('the month is that of the repository, and leads to its days', async () => {
  expect(await text()).toContain('4 questions: 1 answered by people')
  const docs = await text('repository=github.com%2Facme%2Fdocs')
  expect(docs).toContain('2 questions: 1 unanswered, 1 withdrawn by the agent')
  expect(docs).toMatch(/href="\/activity\?day=\d{4}-\d\d-\d\d&amp;repository=github.com/)
  expect(await text('agent=Codex')).not.toContain('id="ended-days"')
})
