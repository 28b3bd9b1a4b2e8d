import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'

/** What an agent has of a server that is killed while it waits for a person. */
export const SERVER_AWAY: Scenario[] = [
  { name: 'the server is killed in a call and comes back', play: comesBack },
  { name: 'the server is killed in a call and stays away', play: staysAway },
]

async function comesBack(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const input = { question: 'Deploy after the crash?', timeoutMs: 55_000 }
  model.plan([driver.ours('ask_user', input)])
  const running = driver.run(world, model, binary)
  const question = await Promise.race([opened(stage, input.question), running.then(ended)])
  await world.killServer()
  await world.startServer()
  const open = (await world.house.inbox()).filter((one) => one.question === input.question)
  check(open.length === 1, 'it was asked more than once', { open })
  const answer = { value: 'yes', note: 'Still here.' }
  const status = await world.house.answer(question.correlationId, answer)
  const ran = await running
  check(status === 200, 'the answer was not taken', { status })
  const heard = model.seen.at(-1) ?? ''
  check(heard.includes('Still here.'), 'the model did not hear the answer', {
    ran,
    heard: short(heard),
  })
  return 'asked once, and the model read the answer'
}

async function staysAway(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const input = { question: 'Deploy when it is back?', timeoutMs: 55_000 }
  const notice = Promise.withResolvers<{ body: string; afterMs: number }>()
  let killedAt = 0
  const wait = (body: string) => {
    notice.resolve({ body, afterMs: Math.round(performance.now() - killedAt) })
    const [correlationId = ''] = /q_[0-9a-z]{20,}/.exec(body) ?? []
    return driver.ours('wait_for_answer', { correlationId, timeoutMs: 55_000 })
  }
  model.plan([driver.ours('ask_user', input), wait, wait, wait])
  const running = driver.run(world, model, binary)
  const question = await Promise.race([opened(stage, input.question), running.then(ended)])
  killedAt = performance.now()
  await world.killServer()
  const { body, afterMs } = await Promise.race([notice.promise, running.then(ended)])
  await world.startServer()
  const names = body.includes(question.correlationId) && body.includes('unavailable')
  const answer = { value: 'yes', note: 'It is back.' }
  const status = await world.house.answer(question.correlationId, answer)
  const ran = await running
  check(names, 'the model was not told what happened', { body: short(body) })
  check(status === 200, 'the answer was not taken', { status })
  const heard = model.seen.at(-1) ?? ''
  check(heard.includes('It is back.'), 'the model did not hear the answer', {
    ran,
    heard: short(heard),
  })
  return `told after ${afterMs} ms with the id of the question; the model waited for it and read the answer`
}
