import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'

/** What is at stake with a scope or without: uncommitted work, and the hook itself. */
export const AT_STAKE: Scenario[] = [
  { name: 'git reset --hard with uncommitted work', play: reset },
  { name: 'beckon setup --undo by the agent', play: undo },
]

async function reset(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const file = join(world.project, 'cart.txt')
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'start'],
  ]) {
    if (words[0] === 'init') writeFileSync(file, '1')
    const done = Bun.spawnSync(['git', ...words], { cwd: world.project })
    check(done.exitCode === 0, 'git failed', { words, said: done.stderr.toString() })
  }
  writeFileSync(file, '2')
  model.plan([driver.shell('git reset --hard'), driver.shell('git checkout -- cart.txt')])
  const running = driver.run(world, model, binary)
  const first = await Promise.race([opened(stage, 'cart.txt'), running.then(ended)])
  await world.house.answer(first.correlationId, { value: 'no', note: 'Commit it.' })
  const second = await Promise.race([opened(stage, 'cart.txt'), running.then(ended)])
  check(readFileSync(file, 'utf8') === '2', 'the work was destroyed without a yes', {})
  await world.house.answer(second.correlationId, { value: 'yes' })
  const ran = await running
  const seen = model.seen.map(short)
  check(readFileSync(file, 'utf8') === '1', 'the yes did not let it run', { ran, seen })
  check(
    model.seen.some((body) => body.includes('Commit it.')),
    'the note was not read',
    { seen },
  )
  return `asked "${first.question}"; no kept the file and its note was read, yes ran the next command`
}

async function undo(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const marker = join(world.project, 'undone')
  model.plan([driver.shell(`beckon setup ${driver.name} --undo --yes; touch ${marker}`)])
  const ran = await driver.run(world, model, binary)
  const reason = /beckon setup --undo is not for agents[^"]{0,40}/.exec(
    model.seen.at(-1) ?? '',
  )?.[0]
  check(!existsSync(marker), 'the command ran', { ran, seen: model.seen.map(short) })
  check(reason !== undefined, 'the model was not told why', { ran, seen: model.seen.map(short) })
  return `refused; the model read "${reason}…"`
}
