import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { check, opened, type Scenario, type Stage, short } from './stage.ts'
import type { Terminal } from './terminal.ts'

/** What needs somebody in front of the client. */
export const AT_THE_TERMINAL: Scenario[] = [
  { name: 'a choice of the client, made on the phone', play: choice },
  { name: 'a plan, agreed to on the phone', play: plan },
  { name: 'a prompt at the terminal, answered on the phone', play: fromPhone },
  { name: 'a prompt answered at the terminal withdraws the question', play: locally },
  { name: 'a prompt refused at the terminal withdraws the question', play: refused },
]

const ALONE = 'not possible: this client needs an account at a terminal'

async function choice(stage: Stage): Promise<string> {
  const { driver, world, model } = stage
  if (!driver.choose) return 'the client has no such tool that can be relayed'
  return await seated(stage, async (terminal) => {
    model.plan([driver.choose?.('Which database?', ['Postgres', 'SQLite']) as never])
    await go(terminal)
    const question = await opened(stage, 'Which database?')
    await terminal.shows(/Which database\?/)
    await world.house.answer(question.correlationId, { value: 'SQLite' })
    const answered = /Which database\?\\*"[=:]\s*\\*"SQLite/
    await until(() => model.seen.some((body) => answered.test(body)))
    check(!/Enter to select/.test(await terminal.screen()), 'the dialog stayed open', {
      screen: await terminal.screen(),
    })
    return `asked with ${question.type} and its options; the dialog closed and the model read the choice`
  })
}

async function plan(stage: Stage): Promise<string> {
  const { driver, world, model } = stage
  const steps = driver.plan?.('# Plan\n\n1. Add a cart.')
  if (!steps) return 'the client has no such tool that can be relayed'
  return await seated(
    stage,
    async (terminal) => {
      model.plan(steps)
      await go(terminal)
      const question = await opened(stage, '')
      await terminal.shows(/Would you like to proceed/)
      await world.house.answer(question.correlationId, { value: yesOf(question) })
      await terminal.shows(/Approved .* plan/)
      return `asked "${question.question}" with the plan; yes closed the dialog and agreed to it`
    },
    'plan',
  )
}

async function fromPhone(stage: Stage): Promise<string> {
  const { world } = stage
  return await prompted(stage, 'phone.txt', async (terminal, question, file) => {
    const dialog = await dialogOf(terminal)
    const rang = world.house.push.delivered.some(
      ({ payload: { notification } }) => notification.tag === question.correlationId,
    )
    // Who just typed may answer in the dialog, where there is one.
    check(rang === (dialog === NO_DIALOG), 'the phone did otherwise', { rang, dialog })
    await world.house.answer(question.correlationId, { value: yesOf(question) })
    await until(() => existsSync(file))
    const phone = rang ? 'the phone rang at once' : 'the phone was still silent'
    return `yes on the phone ran the tool; ${dialog}; ${phone}`
  })
}

async function locally(stage: Stage): Promise<string> {
  return await prompted(stage, 'local.txt', async (terminal, question, file) => {
    const dialog = await dialogOf(terminal)
    if (dialog === NO_DIALOG) return `${dialog}: it waits for the hook before it asks here`
    await terminal.press('Enter')
    await until(() => existsSync(file))
    return `yes at the terminal ran the tool; ${await withdrawn(stage, question)}`
  })
}

async function refused(stage: Stage): Promise<string> {
  return await prompted(stage, 'never.txt', async (terminal, question, file) => {
    // Nobody refuses what they had no time to read.
    await Bun.sleep(2_000)
    await terminal.press('Escape')
    const outcome = await withdrawn(stage, question)
    check(!existsSync(file), 'the tool ran', { screen: await terminal.screen() })
    return `Esc at the terminal; ${outcome}`
  })
}

const NO_DIALOG = 'no dialog while the phone is asked'
type OpenQuestion = Awaited<ReturnType<typeof opened>>

async function dialogOf(terminal: Terminal): Promise<string> {
  await Bun.sleep(1_500)
  const screen = await terminal.screen()
  return /1\. Yes|Do you want|Would you like/.test(screen)
    ? 'the dialog stands open too'
    : NO_DIALOG
}

async function prompted(
  stage: Stage,
  name: string,
  play: (terminal: Terminal, question: OpenQuestion, file: string) => Promise<string>,
): Promise<string> {
  const { driver, world, model } = stage
  const file = join(world.project, name)
  return await seated(stage, async (terminal) => {
    model.plan([driver.escalated?.(`echo yes > ${file}`) ?? driver.shell(`echo yes > ${file}`)])
    await go(terminal)
    const question = await opened(stage, '').catch(async () => {
      throw new Error(`nothing was asked:\n${await terminal.screen()}`)
    })
    return await play(terminal, question, file)
  })
}

async function seated(
  stage: Stage,
  play: (terminal: Terminal) => Promise<string>,
  mode?: 'plan',
): Promise<string> {
  const { driver, world, model, binary } = stage
  if (!driver.sitDown) return ALONE
  model.plan([])
  await using terminal = await driver.sitDown(world, model, binary, mode)
  return await play(terminal)
}

async function go(terminal: Terminal): Promise<void> {
  await terminal.type('go')
  await Bun.sleep(300)
  await terminal.press('Enter')
}

/** The question is gone from the inbox, and says how it ended. */
async function withdrawn(
  { world, model }: Stage,
  { correlationId }: OpenQuestion,
): Promise<string> {
  const startedAt = performance.now()
  const isOpen = async () =>
    (await world.house.inbox()).some((one) => one.correlationId === correlationId)
  await until(async () => !(await isOpen())).catch(() => {
    throw new Error(`the question is still open: ${JSON.stringify(model.seen.map(short).at(-1))}`)
  })
  const ms = Math.round(performance.now() - startedAt)
  const { status } = await world.house.read(correlationId)
  check(status === 'cancelled', 'it ended otherwise', { status })
  return `the question was withdrawn after ${ms} ms`
}

function yesOf({ type, options }: OpenQuestion): string {
  return type === 'select' ? String((options as string[])[0]) : 'yes'
}
