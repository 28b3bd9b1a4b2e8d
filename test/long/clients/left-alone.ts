import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { EMAIL } from '../../support/agent-house.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { until } from '../../support/until.ts'
import { ASKS, isAnswered, left, type Start, sessionIn } from './followed.ts'
import { check, type Scenario, type Stage, short } from './stage.ts'
import type { Terminal } from './terminal.ts'

// How long the question is left; `BECKON_LEFT_MINUTES=30` for the long version.
const MINUTES = Number(process.env.BECKON_LEFT_MINUTES ?? 1)
// Where screens are kept, if anywhere.
const SCREENS = process.env.BECKON_LEFT_SCREENS
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/**
 * A question is followed while nobody is there: its client is killed and resumed, its server stops
 * and starts again, and the answer is tapped on the page of a phone.
 */
export const leftAlone = (start: Start): Scenario => ({
  name: `a followed question is left alone for ${MINUTES} min and answered on the page of a phone`,
  play: (stage) => leave(stage, start),
})

async function leave(stage: Stage, start: Start): Promise<string> {
  const { world, model } = stage
  const quarter = (MINUTES * 60_000) / 4
  const terminal = await start(stage, ASKS)
  const question = await left(stage, terminal, 'Ship it at last?')
  const turns = [model.seen.length]
  await Bun.sleep(quarter)
  await keep('1-left', terminal)
  turns.push(model.seen.length)
  world.killClients()
  await terminal[Symbol.asyncDispose]()
  await Bun.sleep(quarter)
  model.plan([])
  await using resumed = await start(stage, [...ASKS, '--resume', sessionIn(world.home)])
  await Bun.sleep(quarter)
  await keep('2-resumed', resumed)
  await world.killServer('SIGTERM')
  await Bun.sleep(2_000)
  await world.startServer()
  await Bun.sleep(quarter)
  turns.push(model.seen.length)
  check(turns[0] === turns[1] && turns[2] === 0, 'waiting cost turns', { turns })
  const tapped = await tapYes(stage, question.correlationId)
  const startedAt = performance.now()
  await until(() => model.seen.some(isAnswered)).catch(async () => {
    throw new Error(
      `the answer never came: ${model.seen.map(short).at(-1)}\n${await resumed.screen()}`,
    )
  })
  const ms = Math.round(performance.now() - startedAt)
  await Bun.sleep(2_000)
  await keep('4-answered', resumed)
  const count = model.seen.filter(isAnswered).length
  return `${MINUTES} min; killed, resumed, the server restarted; ${tapped}; no turn was spent on waiting; ${ms} ms later the model read the answer (${model.seen.length} requests, ${count} with it)`
}

/** Signs in on a phone's page that was never there before, and taps Yes. */
async function tapYes({ world }: Stage, id: string): Promise<string> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const context = await browser.newContext({ baseURL: world.house.url, ...PHONE })
    const page = await context.newPage()
    await page.goto(`/d/${id}`)
    await page.getByLabel(/mail/i).fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const yes = page.getByRole('button', { name: 'Yes', exact: true })
    await yes.waitFor()
    const heading = await page.locator('.ask-head').textContent()
    if (SCREENS) await page.screenshot({ path: join(SCREENS, '3-phone.png') })
    await yes.click()
    await yes.waitFor({ state: 'detached' })
    if (SCREENS) await page.screenshot({ path: join(SCREENS, '5-phone-answered.png') })
    return `Yes was tapped at 390×844 (the page said “${heading?.trim().replace(/\s+/g, ' ')}”)`
  } finally {
    await browser.close()
  }
}

async function keep(name: string, terminal: Terminal): Promise<void> {
  if (SCREENS) writeFileSync(join(SCREENS, `${name}.txt`), await terminal.screen())
}
