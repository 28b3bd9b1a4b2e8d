import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { AT_STAKE } from './at-stake.ts'
import { AT_THE_TERMINAL } from './at-the-terminal.ts'
import { GATED_SERVERS } from './gated-servers.ts'
import { HOOK_AWAY } from './hook-away.ts'
import { HELD_BY_THE_KERNEL } from './in-the-scope.ts'
import { SERVER_AWAY } from './server-away.ts'
import { SERVER_IN_THE_JAIL } from './server-in-the-jail.ts'
import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'
import { TEN_MINUTES } from './ten-minutes.ts'
import { toolTokens } from './tool-tokens.ts'
import { TWO_AGREE } from './two-agree.ts'
import { WHAT_NEXT } from './what-next.ts'

/** Long enough that every timer of 30 s has rung. */
const LONG_MS = 42_000

export const SCENARIOS: Scenario[] = [
  { name: 'handshake and the list of tools', play: handshake },
  { name: `ask_user, answered after ${LONG_MS / 1000} s`, play: askLong },
  { name: 'a write into an off-limits path', play: offLimits },
  { name: 'a permission prompt, answered on the phone', play: permission },
  HELD_BY_THE_KERNEL,
  SERVER_IN_THE_JAIL,
  GATED_SERVERS,
  HOOK_AWAY,
  ...AT_STAKE,
  TWO_AGREE,
  ...SERVER_AWAY,
  ...AT_THE_TERMINAL,
  ...TEN_MINUTES,
  ...WHAT_NEXT,
]

async function handshake({ driver, world, model, binary }: Stage): Promise<string> {
  model.plan([])
  const ran = await driver.run(world, model, binary)
  const hasTool = model.seen.some((body) => /ask_(user|human)/.test(body))
  check(hasTool, 'the model was not told of ask_user', { ran, seen: model.seen.map(short) })
  return `the model was told of our tools, ${ran.ms} ms; ${mostTools(model.seen)}`
}

/** Of the request that shows most of them: clients also ask for a title without any. */
function mostTools(seen: readonly string[]): string {
  return toolTokens(seen.toSorted((one, other) => other.length - one.length)[0] ?? '{}')
}

async function askLong(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const input = { question: 'Deploy the shop?', timeoutMs: 55_000 }
  model.plan([driver.ours('ask_user', input)])
  const running = driver.run(world, model, binary)
  const question = await Promise.race([opened(stage, input.question), running.then(ended)])
  await Bun.sleep(LONG_MS)
  const status = await world.house.answer(question.correlationId, {
    value: 'yes',
    note: 'After lunch.',
  })
  const ran = await running
  check(status === 200, 'the answer was not taken', { status })
  const heard = model.seen.at(-1) ?? ''
  const has = heard.includes('After lunch.') && /value(\\*":)?\s?\\*"yes\\*"/.test(heard)
  check(has, 'the model did not hear the answer', { ran, heard: short(heard.slice(-4_000)) })
  return `asked as "${question.agentName}", session ${question.sessionId ? 'known' : 'unknown'}; the model read the answer and its note`
}

async function offLimits(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const [allowed, barred] = ['src/ok.ts', 'secrets/key.txt'].map((path) =>
    join(world.project, path),
  )
  const proposal = {
    doneWhen: 'The shop has a cart.',
    allowedPaths: ['src'],
    offLimitsPaths: ['secrets'],
    timeoutMs: 55_000,
  }
  model.plan([
    (body) => driver.ours('propose_scope', { ...proposal, ...sessionTold(body) }),
    driver.write(String(barred), 'x'),
    driver.shell(`echo x > ${barred}`),
    driver.write(String(allowed), 'export {}\n'),
  ])
  const running = driver.run(world, model, binary)
  const question = await Promise.race([
    opened(stage, 'Done when: The shop has a cart.'),
    running.then(ended),
  ])
  const status = await world.house.answer(question.correlationId, { value: 'yes' })
  const ran = await running
  const seen = model.seen.map(short)
  check(status === 200, 'the proposal could not be agreed to', { status })
  check(!existsSync(String(barred)), 'the off-limits file was written', { ran, seen })
  check(existsSync(String(allowed)), 'the allowed file was not written', { ran, seen })
  const reason = /secrets\/key.txt is off limits[^"]{0,60}/.exec(model.seen.at(-1) ?? '')?.[0]
  return `blocked for the edit tool and for the shell, allowed path written; the model read "${reason}…"`
}

async function permission(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  if (!driver.runAsking) return 'not possible without a person at this client'
  const file = join(world.project, 'asked.txt')
  model.plan([driver.shell(`echo yes > ${file}`)])
  const { delivered } = world.house.push
  const before = delivered.length
  const running = driver.runAsking(world, model, binary)
  const question = await Promise.race([opened(stage, ''), running.then(ended)])
  // Nobody typed this: no terminal holds the phone back.
  await until(() => delivered.length > before)
  const status = await world.house.answer(question.correlationId, { value: 'yes' })
  const ran = await running
  check(status === 200, 'the answer was not taken', { status })
  check(existsSync(file), 'the tool did not run', { ran, seen: model.seen.map(short) })
  return `asked "${question.question}" (${question.toolName}: ${question.toolTarget}); yes ran the tool; the phone rang at once`
}

/** As our hook tells it to the model when a session starts. */
function sessionTold(body: string): { sessionId?: string } {
  const sessionId = /sessionId of this session is \\*"([^"\\]+)/.exec(body)?.[1]
  return sessionId === undefined ? {} : { sessionId }
}
