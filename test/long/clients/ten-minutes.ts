import type { Step } from './models/model.ts'
import { check, ended, opened, type Scenario, type Stage } from './stage.ts'

/** What a question costs that nobody answers in its ten minutes; `BECKON_TEN_MINUTES=1` tries it. */
export const TEN_MINUTES: Scenario[] = [
  { name: 'turns of ten minutes, as ever', play: (stage) => turns(stage, 0) },
  { name: 'turns of ten minutes, with holdMs', play: (stage) => turns(stage, 600_000) },
]

const WANTED = process.env.BECKON_TEN_MINUTES === '1'
const RUN_MS = 720_000
// Calls of 45 s for ten minutes are 14.
const WAITS_MAX = 20

async function turns(stage: Stage, holdMs: number): Promise<string> {
  if (!WANTED) return 'not possible in a minute: set BECKON_TEN_MINUTES=1'
  const { driver, model, binary } = stage
  const world: Stage['world'] = {
    ...stage.world,
    run: (command, more) => stage.world.run(command, { ms: RUN_MS, ...more }),
  }
  await world.house.setPolicy({ deliveryMode: 'push_only', holdMs })
  const input = { question: `Ten minutes, held for ${holdMs}?` }
  const waits: string[] = []
  let isOver = false
  const wait: Step = (body) => {
    isOver = /status(\\*":)?\s?\\*"?expired/.test(body)
    if (isOver) {
      model.plan([])
      return driver.shell('true')
    }
    const [correlationId = ''] = /q_[0-9a-z]{20,}/.exec(body) ?? []
    waits.push(body.slice(-600))
    return driver.ours('wait_for_answer', { correlationId })
  }
  model.plan([driver.ours('ask_user', input), ...Array.from({ length: WAITS_MAX }, () => wait)])
  const startedAt = performance.now()
  const running = driver.run(world, model, binary)
  await Promise.race([opened(stage, input.question), running.then(ended)])
  const ran = await running
  const s = Math.round((performance.now() - startedAt) / 1000)
  check(isOver, 'it did not wait until the end', { ran, waits, s })
  return `${waits.length} turns of wait_for_answer in ${s} s`
}
