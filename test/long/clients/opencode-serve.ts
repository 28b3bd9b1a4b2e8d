import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import { check, opened, type Scenario, type Stage } from './stage.ts'

/** `opencode run` refuses whatever has to be asked; its server waits, as its terminal does. */
export const OPENCODE_SERVE: Scenario[] = [
  { name: 'a permission prompt of opencode serve, answered on the phone', play: permission },
  { name: 'a choice of opencode serve, made on the phone', play: choice },
  { name: 'a prompt answered at opencode serve withdraws the question', play: locally },
]

type Json = Record<string, unknown>
type Served = AsyncDisposable & {
  /** One prompt in a session of its own; resolves when the agent is done. */
  go(): Promise<void>
  post(path: string, body: Json): Promise<Json>
  permissions(): Promise<{ id: string }[]>
}

async function served({ world, binary }: Stage): Promise<Served> {
  const path = join(world.home, '.config/opencode/opencode.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...config, permission: { bash: 'ask' } }))
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const args = ['serve', '--port', String(port), '--hostname', '127.0.0.1']
  const env = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }
  const child = Bun.spawn([binary, ...args], {
    cwd: world.project,
    env: { ...world.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  for await (const chunk of child.stdout) {
    if (new TextDecoder().decode(chunk).includes('listening')) break
  }

  async function post(path: string, body: Json): Promise<Json> {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { said: await response.json() }
  }
  return {
    post,
    async go() {
      const { said: session } = (await post('/session', {})) as { said: { id: string } }
      const parts = [{ type: 'text', text: 'go' }]
      await post(`/session/${session.id}/message`, { parts })
    },
    permissions: async () => (await (await fetch(`${url}/permission`)).json()) as { id: string }[],
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
      writeFileSync(path, JSON.stringify(config))
    },
  }
}

async function permission(stage: Stage): Promise<string> {
  const { driver, world, model } = stage
  const file = join(world.project, 'phone.txt')
  await using opencode = await served(stage)
  model.plan([driver.shell(`echo yes > ${file}`)])
  const going = opencode.go()
  const question = await opened(stage, '')
  await world.house.answer(question.correlationId, { value: 'yes' })
  await going
  check(existsSync(file), 'the tool did not run', { seen: model.seen.length })
  return `asked "${question.question}" (${question.toolName}); yes ran the tool`
}

async function choice(stage: Stage): Promise<string> {
  const { world, model } = stage
  const options = ['Postgres', 'SQLite'].map((label) => ({ label, description: `About ${label}` }))
  const questions = [{ question: 'Which database?', header: 'Database', options }]
  await using opencode = await served(stage)
  model.plan([{ tool: 'question', input: { questions } }])
  const going = opencode.go()
  const question = await opened(stage, 'Which database?')
  await world.house.answer(question.correlationId, { value: 'SQLite' })
  await going
  const heard = /Which database\?\\*"=\\*"SQLite/.test(model.seen.at(-1) ?? '')
  check(heard, 'the choice was not heard', { last: model.seen.at(-1)?.slice(-2_000) })
  return `asked with ${question.type} and its options; the model read the choice`
}

async function locally(stage: Stage): Promise<string> {
  const { driver, world, model } = stage
  const file = join(world.project, 'local.txt')
  await using opencode = await served(stage)
  model.plan([driver.shell(`echo yes > ${file}`)])
  const going = opencode.go()
  const { correlationId } = await opened(stage, '')
  const [pending] = await opencode.permissions()
  await opencode.post(`/permission/${pending?.id}/reply`, { reply: 'once' })
  await going
  await until(async () => (await world.house.read(correlationId)).status !== 'pending')
  const { status } = await world.house.read(correlationId)
  check(existsSync(file) && status === 'cancelled', 'it ended otherwise', { status })
  return 'the tool ran and the question was withdrawn'
}
