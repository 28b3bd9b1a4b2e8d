import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readClientFile, writeClientFile } from '../../../src/platform/config/client-file.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { signInAt } from '../../support/sign-in.ts'
import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'

/** A rule that names two people, and a command that its client would otherwise run by itself. */
export const TWO_AGREE: Scenario = { name: 'a command that two people agree to', play }

const COMMAND = 'git reset --hard HEAD'
const DECIDERS = ['bob@example.com', 'fay@example.com']
// The command is refused long before both can have looked.
const HOOK_SECONDS = 6

async function play(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const file = join(world.project, 'cart.txt')
  const voted = join(world.project, 'voted')
  await commit(stage, file)
  await addRule(stage)
  const isLost = () => readFileSync(file, 'utf8') === '1'
  const heard: boolean[] = []
  let hasRun = false
  const again = (command: string) => (body: string) => {
    heard.push(/waits for approval by 2 of/i.test(body) && !/not retry it/i.test(body))
    return driver.shell(command)
  }
  model.plan([
    driver.shell(COMMAND),
    again(`while [ ! -e ${voted} ]; do sleep 0.2; done`),
    driver.shell(COMMAND),
    () => {
      hasRun = isLost()
      return driver.shell(`echo 3 > ${file}`)
    },
    driver.shell(COMMAND),
    again('true'),
  ])
  const running = driver.run(world, model, binary)
  const first = await Promise.race([opened(stage, 'cart.txt'), running.then(ended)])
  check((await vote(stage, first.correlationId, 'bob')) === 'pending', 'one was enough', {})
  await untilHeard(heard, running)
  check(!isLost(), 'the command ran with one vote of two', {})
  const second = await vote(stage, first.correlationId, 'fay')
  check(second === 'answered', 'the second vote did not decide it', { second })
  writeFileSync(voted, '')
  const ran = await running
  const seen = model.seen.map(short)
  check(hasRun, 'the command did not run after both had agreed', { ran, seen })
  check(readFileSync(file, 'utf8') === '3\n', 'the yes let it run twice', { ran, seen })
  check(heard.length === 2 && heard.every(Boolean), 'the model was not told that it waits', {
    seen,
  })
  const open = await world.house.inbox()
  const next = open.find(({ question }) => question.includes('cart.txt'))
  check(next?.correlationId !== first.correlationId, 'it was not asked again', { open })
  check(next !== undefined, 'it was not asked again', { open })
  return 'refused with "It waits for approval by 2 of …"; after two votes the same command ran once, then it was asked again'
}

async function untilHeard(heard: readonly boolean[], running: Promise<object>): Promise<void> {
  let isOver = false
  running.finally(() => {
    isOver = true
  })
  while (heard.length === 0 && !isOver) await Bun.sleep(100)
}

/** The project with a committed file that has been changed since. */
async function commit({ world }: Stage, file: string): Promise<void> {
  writeFileSync(file, '1')
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    [...who, 'commit', '-qm', 'two agree', '--allow-empty'],
  ]) {
    const done = await world.run(['git', ...words])
    check(done.code === 0, 'git failed', { words, done })
  }
  writeFileSync(file, '2')
}

async function addRule({ world }: Stage): Promise<void> {
  const { house, beckon, home, run } = world
  for (const email of DECIDERS) {
    const command = [beckon, 'user', 'add', '--email', email, '--password-stdin']
    const done = await run([...command, '--data', house.data], { stdin: PASSWORD })
    check(done.code === 0, 'nobody was added', { done })
  }
  const { members } = (await house.person('/members')).json as unknown as {
    members: Array<{ id: string; email: string }>
  }
  const from = members.filter(({ email }) => DECIDERS.includes(email)).map(({ id }) => id)
  const approve = { from, need: 2, asker: 'counts' }
  const { status, json } = await house.person('/rules', {
    ...{ match: { toolTarget: COMMAND }, approve },
  })
  check(status === 201, 'the rule was not added', { status, json })
  const env = { HOME: home }
  const existing = readClientFile(env)
  if (existing) writeClientFile({ ...existing, hookWaitSeconds: HOOK_SECONDS }, env)
}

/** What became of the question with the yes of this person. */
async function vote({ world }: Stage, id: string, name: string): Promise<unknown> {
  const { url } = world.house
  const cookie = await signInAt(url, { email: `${name}@example.com`, password: PASSWORD })
  const response = await fetch(`${url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { origin: url, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ value: 'yes' }),
  })
  return ((await response.json()) as { status?: unknown }).status
}
