import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import type { Model } from './models/model.ts'
import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'
import type { Terminal } from './terminal.ts'
import type { ClientWorld, Ran } from './world.ts'

type Start<Result> = (world: ClientWorld, model: Model, binary: string) => Promise<Result>

/** Of a client whose own prompts can only be answered at its terminal. `open` starts it there. */
export function waitsThere(open: Start<Terminal>): Scenario {
  return {
    name: 'a prompt of the client is told to the phone',
    async play({ driver, world, model, binary }) {
      const file = join(world.project, 'waited.txt')
      const { delivered } = world.house.push
      const before = delivered.length
      model.plan([driver.shell(`echo yes > ${file}`)])
      await using terminal = await open(world, model, binary)
      await terminal.type('go')
      await Bun.sleep(500)
      await terminal.press('Enter')
      await until(() => delivered.length > before).catch(async () => {
        throw new Error(`no phone rang:\n${await terminal.screen()}`)
      })
      const notification = delivered[before]?.payload.notification
      const { title, body, actions }: Record<string, unknown> = { ...notification }
      check(/waits at the terminal$/.test(String(title)), 'it says otherwise', { title, body })
      check(actions === undefined || (actions as []).length === 0, 'it has buttons', { actions })
      await terminal.shows(/1\. (Yes|Allow once)/)
      await terminal.press('Enter')
      await until(() => existsSync(file))
      check(delivered.length === before + 1, 'the phone rang again', { delivered })
      return `the phone rang once: "${title}", "${body}"; yes at the terminal ran the tool`
    },
  }
}

/** `run` starts the client alone, with nothing approved. */
export function needsNoApproval(run: Start<Ran>): Scenario {
  return { name: 'ask_user needs no approval of its own', play: (stage) => unapproved(stage, run) }
}

async function unapproved(stage: Stage, run: Start<Ran>): Promise<string> {
  const { driver, world, model, binary } = stage
  const file = join(world.project, 'refused.txt')
  const rang = world.house.push.delivered.length
  model.plan([
    driver.ours('ask_user', { question: 'Is it so?', timeoutMs: 55_000 }),
    driver.shell(`echo no > ${file}`),
  ])
  const running = run(world, model, binary)
  const question = await Promise.race([opened(stage, 'Is it so?'), running.then(ended)])
  await world.house.answer(question.correlationId, { value: 'yes', note: 'It is.' })
  const ran = await running
  check(
    model.seen.some((body) => body.includes('It is.')),
    'the model heard no answer',
    { ran },
  )
  check(!existsSync(file), 'another tool ran too', { seen: model.seen.map(short) })
  const more = world.house.push.delivered.slice(rang).map(({ payload }) => payload.notification)
  const notifications = more.filter(({ title }) => /waits at the terminal/.test(String(title)))
  check(notifications.length === 0, 'the phone heard of a prompt that nobody was asked', {
    notifications,
  })
  return 'asked and answered with nothing approved; the next command was refused, and no phone told of it'
}
