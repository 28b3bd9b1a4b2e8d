import { writeFileSync } from 'node:fs'
import { startAgents } from './agents.ts'
import { runBursts } from './bursts.ts'
import { createGround, createReport, type Ground } from './ground.ts'
import { openPages, type Pages } from './pages.ts'
import { startNotifying, startPerson } from './person.ts'
import type { GeneratorPlan } from './plan.ts'

/** One second, as a line of JSON. */
export type Standing = { phase: string; waiting: number; pages: number; counts: object }

// An answer that was acknowledged has this long to reach its agent at the end.
const LAST_ANSWERS_MS = 30_000

/**
 * Makes the load, in a process of its own. Reads its plan on standard input, says each second how
 * it stands, and writes what it was told to a file.
 */
async function run(plan: GeneratorPlan) {
  const end = new AbortController()
  const ground = createGround(plan, end.signal)
  let phase = 'filling'
  const person = startPerson(ground)
  const pages = await openPages(ground, person.hear)
  const agentsIn = startAgents(ground)
  const standing = (waiting: number): Standing => ({
    ...{ phase, waiting, pages: pages.open() },
    counts: Object.fromEntries(ground.classes.counts),
  })
  const agents = await agentsIn
  phase = 'load'
  const saying = setInterval(() => console.log(JSON.stringify(standing(agents.waiting()))), 1_000)
  startNotifying(ground, pages.expect)
  const bursting = runBursts(ground)
  await untilOver(ground)
  phase = 'ending'
  end.abort()
  await bursting
  await person.idle()
  await everyAnswerHeard(ground)
  await everyMarkHeard(pages)
  for (const missed of pages.missed()) ground.classes.unforeseen(missed)
  clearInterval(saying)
  agents.close()
  pages.close()
  writeFileSync(plan.told, JSON.stringify(createReport(ground)))
  process.exit(0)
}

/** The time is over, or something happened that no document speaks of. */
async function untilOver({ plan, classes }: Ground): Promise<void> {
  const end = performance.now() + plan.seconds * 1_000
  while (performance.now() < end && classes.unknown.length === 0) await Bun.sleep(100)
}

async function everyAnswerHeard({ ledger, classes }: Ground): Promise<void> {
  const end = performance.now() + LAST_ANSWERS_MS
  const unheard = () => [...ledger.answered.keys()].filter((id) => !ledger.heard.has(id))
  while (unheard().length > 0 && performance.now() < end) await Bun.sleep(50)
  for (const id of unheard()) classes.unforeseen(`nobody heard the answer to ${id}`)
}

/** The last notification may have been sent in the moment in which the load ended. */
async function everyMarkHeard(pages: Pages): Promise<void> {
  const end = performance.now() + LAST_ANSWERS_MS
  while (pages.missed().length > 0 && performance.now() < end) await Bun.sleep(50)
}

if (import.meta.main) await run(JSON.parse(await Bun.stdin.text()))
