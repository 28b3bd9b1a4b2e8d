import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { check, opened, type Scenario, type Stage, short } from './stage.ts'
import type { Terminal } from './terminal.ts'

export type Start = (stage: Stage, more: readonly string[]) => Promise<Terminal>

/** Questions whose answer comes after the call has ended, and that the client follows as tasks. */
export const followedBy = (start: Start): Scenario[] => [
  { name: 'a question is followed as a task, and the answer wakes it', play: wakes(start) },
  { name: 'a followed question outlives the client and the server', play: survives(start) },
]

export const ASKS = ['--permission-mode', 'default']
const PLACEHOLDER = /started server-side task|is with the person until/

function wakes(start: Start) {
  return async (stage: Stage): Promise<string> => {
    const { world, model } = stage
    await using terminal = await start(stage, ASKS)
    const question = await left(stage, terminal, 'Ship it tonight?')
    const turns = model.seen.length
    await Bun.sleep(20_000)
    check(model.seen.length === turns, 'waiting cost turns', { seen: model.seen.map(short) })
    await world.house.answer(question.correlationId, { value: 'yes', note: 'after the backup' })
    await until(() => model.seen.some(isAnswered))
    const count = model.seen.filter(isAnswered).length
    return `the call ended in a task; no turn in 20 s of waiting; the answer woke the idle session (${model.seen.length - turns} requests, ${count} with the answer)`
  }
}

function survives(start: Start) {
  return async (stage: Stage): Promise<string> => {
    const { world, model } = stage
    const question = await (async () => {
      await using terminal = await start(stage, ASKS)
      return await left(stage, terminal, 'Ship it tomorrow?')
    })()
    await world.killServer()
    await world.startServer()
    await world.house.answer(question.correlationId, { value: 'no' })
    model.plan([])
    await using terminal = await start(stage, [...ASKS, '--resume', sessionIn(world.home)])
    await until(() => model.seen.some(isAnswered)).catch(async () => {
      throw new Error(`the answer never came:\n${await terminal.screen()}`)
    })
    return 'client and server were killed, the answer was given meanwhile; the resumed session fetched it by itself'
  }
}

/** Asks, and waits until the model has been told that the call goes on as a task. */
export async function left(stage: Stage, terminal: Terminal, question: string) {
  const { driver, model } = stage
  model.plan([driver.ours('ask_user', { question, timeoutMs: 2_000 })])
  await terminal.type('go')
  await Bun.sleep(300)
  await terminal.press('Enter')
  const open = await opened(stage, question)
  await until(() => model.seen.some((body) => PLACEHOLDER.test(body))).catch(() => {
    throw new Error(`no task came of the call: ${model.seen.map(short).at(-1)}`)
  })
  // The model's turn ends.
  await Bun.sleep(2_000)
  return open
}

/** The answer as the client hands it to the model: in a notice, with our whole result. */
export function isAnswered(body: string): boolean {
  return /task-notification/.test(body) && /decided this at \d{4}-/.test(body)
}

/** The session that the client wrote to last. */
export function sessionIn(home: string): string {
  const projects = join(home, '.claude/projects')
  const files = readdirSync(projects).flatMap((project) =>
    readdirSync(join(projects, project))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => ({ name, at: statSync(join(projects, project, name)).mtimeMs })),
  )
  const [last] = files.toSorted((a, b) => b.at - a.at)
  return last?.name.replace(/\.jsonl$/, '') ?? ''
}
