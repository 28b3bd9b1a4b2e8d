import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { openChromium, openTab, PHONE } from '../../browser/chromium.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

setDefaultTimeout(240_000)

const browser = await openChromium()

type Expected = { id: QuestionId; session: string; want: string; same?: boolean }

const DIFF = [
  '@@ -1,2 +1,3 @@',
  ' const a = 1',
  '-const b = 2',
  '+const b = 3',
  '+const c = 4',
].join('\n')

const bash = (action: string) => ({ toolName: 'Bash', action })

type Plan = { want: string; same?: boolean } & Partial<Question>

/** What an agent at ordinary work asks. */
const ordinary = (n: number): Plan[] => [
  { question: 'Run the tests?', detail: bash('npm test'), want: 'yes', same: true },
  { question: 'Run the tests?', detail: bash('npm test'), want: 'yes', same: true },
  {
    question: 'Edit cart.ts?',
    detail: { toolName: 'Edit', action: 'Edit cart.ts', actionBody: DIFF },
    want: 'yes',
  },
  n % 2 === 0
    ? { question: 'What shall it be called?', type: 'input', want: 'Kestrel' }
    : {
        question: 'Which database?',
        type: 'select',
        choices: [{ label: 'SQLite' }, { label: 'PostgreSQL' }],
        want: 'PostgreSQL',
      },
  n === 0
    ? { question: 'Delete the build?', detail: bash('rm -rf build'), want: 'yes' }
    : { question: 'Keep the old endpoint for now?', want: 'no' },
]

/** What an agent asks that went the wrong way, and one that repeats itself. */
const astray = ['chmod 777 .', 'git push', 'npm publish', 'curl example.org', 'git stash'].map(
  (action): Plan => ({ question: `Run ${action}?`, detail: bash(action), want: 'no', same: true }),
)
const repeated = Array.from(
  { length: 5 },
  (): Plan => ({
    question: 'Install the packages?',
    detail: bash('npm ci'),
    want: 'yes',
    same: true,
  }),
)

async function thirty(world: PageWorld): Promise<Expected[]> {
  const agents = [ordinary(0), ordinary(1), ordinary(2), ordinary(3), astray, repeated]
  const questions: Expected[] = []
  for (const [n, wishes] of agents.entries()) {
    const session = `s${n}`
    const key = { machineId: 'm1', sessionId: session, agentName: `Agent ${n} - shop` }
    for (const { want, same = false, ...changes } of wishes) {
      const id = await world.ask({ ...key, ...changes }, (300 - questions.length) * 1_000)
      questions.push({ id, session, want, same })
    }
  }
  return questions
}

/** A person with one thumb: counts what it does. */
function thumb(page: Page) {
  const did = { taps: 0, swipes: 0 }
  /** Swipes until it is in sight, most of a screen at a time. */
  async function reach(part: Locator) {
    for (let i = 0; i < 40; i++) {
      const by = await part.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        if (top >= 60 && bottom <= 780) return 0
        return top < 60 ? Math.max(-600, top - 120) : Math.min(600, bottom - 700)
      })
      if (by === 0) return
      const before = await page.evaluate(() => scrollY)
      await page.evaluate((y) => scrollBy({ top: y, behavior: 'instant' }), by)
      if (before === (await page.evaluate(() => scrollY))) return
      did.swipes++
    }
  }
  return {
    did,
    async tap(part: Locator) {
      await part.waitFor()
      await reach(part)
      await part.click()
      did.taps++
    },
  }
}

async function answerOne(page: Page, { id, want }: Expected, hand: ReturnType<typeof thumb>) {
  const card = page.locator(`#card-${id}`)
  const closed = card.locator('.fold:not([open]) > summary')
  if ((await closed.count()) > 0) await hand.tap(closed)
  if (want === 'yes' || want === 'no')
    await hand.tap(card.locator(`.answers button[value="${want}"]`))
  else if (want === 'Kestrel') {
    await card.getByLabel('Your answer').fill(want)
    await hand.tap(card.getByRole('button', { name: 'Send answer' }))
  } else await hand.tap(card.getByRole('button', { name: want }))
  const sure = page.locator(`#card-${id} .sure button[value="yes"]`)
  await page.locator(`#card-${id} .card-end, #card-${id} .sure`).first().waitFor()
  if ((await sure.count()) > 0) {
    await page.waitForTimeout(500)
    await hand.tap(sure)
  }
  await card.locator('.card-end').waitFor()
}

/** The questions of one session that may be answered together; false where there is no such way. */
async function answerSame(page: Page, same: Expected[], hand: ReturnType<typeof thumb>) {
  const [first] = same
  if (!first || same.length < 2) return false
  const group = page.locator('.group').filter({ has: page.locator(`#card-${first.id}`) })
  const fold = group.locator('.together')
  if ((await fold.count()) === 0) return false
  await hand.tap(fold.locator('summary').first())
  await hand.tap(fold.locator(`button[value="${first.want}"]`).first())
  await page.locator('#together').waitFor()
  return true
}

test('30 questions, 6 agents, 4 minutes', async () => {
  await using world = await pageWorld()
  const questions = await thirty(world)
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const hand = thumb(page)
  const startedAt = Date.now()
  await page.goto('/inbox')
  const rest = new Set(questions)
  for (const session of new Set(questions.map((one) => one.session))) {
    const theirs = questions.filter((one) => one.session === session)
    const same = theirs.filter((one) => one.same)
    if (await answerSame(page, same, hand)) for (const one of same) rest.delete(one)
    for (const one of theirs) {
      if (!rest.delete(one)) continue
      await answerOne(page, one, hand)
    }
  }
  const seconds = (Date.now() - startedAt) / 1_000
  for (const { id, want } of questions) {
    const question = await findQuestion(world.db.read, world.workspaceId, id)
    expect([question?.status, question?.value, question?.answerSource]).toEqual([
      'answered',
      want,
      'inbox',
    ])
  }
  console.log(`${hand.did.taps} taps, ${hand.did.swipes} swipes, ${seconds.toFixed(1)} s`)
  expect(hand.did.taps).toBeLessThanOrEqual(45)
  expect(seconds).toBeLessThan(240)
})

test.each([30, 1_000])('with %d waiting the page is light and quick', async (waiting) => {
  await using world = await pageWorld()
  for (let i = 0; i < waiting; i++) {
    const detail = {
      ...bash(`npm run build-${i ** 3}`),
      actionBody: `${DIFF}\n+const d${i} = ${i ** 3}`,
    }
    const session = { machineId: 'm1', sessionId: `s${i % 40}`, agentName: `Agent ${i % 6} - shop` }
    await world.ask({ ...session, question: `Build number ${i ** 3}?`, detail }, i)
  }
  const times: number[] = []
  let bytes = 0
  for (let i = 0; i < 20; i++) {
    const startedAt = performance.now()
    const text = await (await world.get('/inbox')).text()
    times.push(performance.now() - startedAt)
    bytes = Bun.gzipSync(new TextEncoder().encode(text)).length
  }
  times.sort((a, b) => a - b)
  console.log(`${waiting} waiting: ${bytes} bytes, median ${times[10]?.toFixed(1)} ms`)
  expect(bytes).toBeLessThan(12_000)
})
