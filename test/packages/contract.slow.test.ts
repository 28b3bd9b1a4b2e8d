import { expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, cancel, notify, proposeScope, wait } from '../../packages/js/src/client.ts'
import { protect } from '../../packages/js/src/protect.ts'
import type { Server } from '../../packages/js/src/server.ts'
import storedFacts from '../fixtures/openapi/kept.json'
import { keptDatabase, keptNames, keptStory } from '../support/kept-databases.ts'
import { type Send, signedIn } from '../support/kept-story.ts'
import { PYTHON } from '../support/python.ts'
import { startedApp } from '../support/started-app.ts'
import { until } from '../support/until.ts'

// Processes of Python, on a busy machine.
setDefaultTimeout(120_000)

/** The server of this commit on a database that an earlier one left. */
async function onDatabase(name: string) {
  const story = keptStory('sqlite', name)
  const file = keptDatabase('sqlite', name)
  const house = await startedApp({
    env: { BECKON_CATALOG_PROBES: 'off' },
    fill: async (folder) => writeFileSync(join(folder, 'beckon.db'), file),
  })
  const { url } = house.app
  const person = await signedIn(url)
  const close = () => house[Symbol.asyncDispose]()
  return { server: { url, token: story.token }, person, [Symbol.asyncDispose]: close }
}

async function answer(person: Send, question: string, value: string): Promise<void> {
  let id = ''
  await until(async () => {
    const { questions } = (await person('/inbox')) as {
      questions: Array<{ correlationId: string; question: string }>
    }
    id = questions.find((one) => one.question === question)?.correlationId ?? ''
    return id !== ''
  })
  await person(`/questions/${id}/answer`, { value })
}

test.each(keptNames('sqlite'))(
  'on the kept database of %s the JavaScript package asks, and runs what was allowed once',
  async (name) => {
    await using old = await onDatabase(name)
    const { server, person } = old
    const ran: unknown[] = []
    const remove = protect((one: { id: number }) => ran.push(one), {
      name: 'remove',
      label: 'Delete a customer',
      server,
    })
    const done = remove({ id: 7 })
    await answer(person, 'Delete a customer?', 'yes')
    expect(await done).toMatchObject({ status: 'done' })
    expect(ran).toEqual([{ id: 7 }])
    const no = ask.confirm('Delete all?', { server })
    await answer(person, 'Delete all?', 'no')
    expect(await no).toMatchObject({ status: 'declined' })
  },
)

test.skipIf(!PYTHON).each(keptNames('sqlite'))(
  'on the kept database of %s the Python package runs what was allowed once',
  async (name) => {
    await using old = await onDatabase(name)
    const { server, person } = old
    const src = join(import.meta.dir, '../../packages/python')
    const env = {
      ...{ PATH: process.env.PATH, PYTHONPATH: join(src, 'src') },
      ...{ BECKON_URL: server.url, BECKON_TOKEN: server.token },
    }
    const acts = [PYTHON ?? '', join(src, 'tests/acts.py'), 'protected']
    const child = Bun.spawn(acts, { env, stdout: 'pipe', stderr: 'inherit' })
    await answer(person, 'Delete a customer?', 'yes')
    expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject([
      { status: 'done' },
      [7],
    ])
  },
)

// What came with the packages; the kept API is of the version before.
const NEWER = /\/permit$|^POST \/api\/v1\/permits\//

type Called = { operation: string; fields: string[] }

/** The operation of the kept API that a call is one of. */
function called(url: string, init: RequestInit | undefined): Called {
  const path = new URL(url).pathname
  const under = path.startsWith('/api/v1/scopes/') ? '{sessionId}' : '{id}'
  const operation = `${init?.method} ${path.replace(/\/(q_\w+|permit_\w+|s-\w+)/, `/${under}`)}`
  const fields = init?.body ? Object.keys(JSON.parse(String(init.body))) : []
  return { operation, fields }
}

test('what the packages send, the kept API takes', async () => {
  await using old = await onDatabase(keptNames('sqlite').at(-1) as string)
  const calls: Called[] = []
  const noting = ((url: string, init?: RequestInit) => {
    calls.push(called(url, init))
    return fetch(url, init)
  }) as typeof fetch
  const server: Server = { ...old.server, fetch: noting }
  const about = { context: 'c', action: 'a', actionBody: 'b', blocker: 'x', intent: 'i' }
  const where = { agentName: 'n', machineId: 'm', sessionId: 's-1', repoKey: 'r' }
  const asking = ask.choose('Which?', ['a', 'b'], { ...about, ...where, tags: ['t'], server })
  const one = await ask.text('Name?', { server, placeholder: 'p', waitMs: 1_000 })
  if (one.status === 'waiting') {
    await wait(one.id, { server, waitMs: 1_000 })
    await cancel(one.id, { server, reason: 'enough' })
  }
  await notify('Done', 'All of it.', { server, sessionId: 's-1' })
  const scope = { server, sessionId: 's-2', allowedPaths: ['src'], waitMs: 1_000 }
  await proposeScope('Green.', { ...scope, promises: ['p'], offLimitsPaths: ['x'] })
  await asking
  const api = storedFacts as Record<string, Record<string, unknown>>
  const unknown = calls
    .filter(({ operation }) => !NEWER.test(operation))
    .flatMap(({ operation, fields }) => {
      const facts = api[operation]
      if (!facts) return [operation]
      return fields
        .filter((name) => !facts[`in json.${name}`])
        .map((name) => `${operation} ${name}`)
    })
  expect(unknown).toEqual([])
  expect(new Set(calls.map(({ operation }) => operation)).size).toBeGreaterThanOrEqual(5)
})
