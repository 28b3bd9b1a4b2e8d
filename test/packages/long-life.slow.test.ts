import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { ask, resume, wait } from '../../packages/js/src/client.ts'
import { protect } from '../../packages/js/src/protect.ts'
import { type App, startApp } from '../../src/app.ts'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { openListener } from '../../src/platform/http/listener.ts'
import { newId } from '../../src/platform/ids.ts'
import { silentLog } from '../../src/platform/log.ts'
import { readConfig } from '../../src/settings.ts'
import { connect } from '../support/devices.ts'
import { type Send, senderTo } from '../support/kept-story.ts'
import { migratedDatabase } from '../support/migrated-database.ts'
import { type PushServer, pushServer } from '../support/push-server.ts'
import { PYTHON } from '../support/python.ts'
import { addPersonWithPassword, signInAs } from '../support/sign-in.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

// Servers start and stop, and processes of Python, on a busy machine.
setDefaultTimeout(120_000)

const HOUR_MS = 60 * 60_000
const QUESTION = 'Restart the payments service?'

/** A server on one folder of data, whose clock is put on while it is away. */
type House = AsyncDisposable & {
  app: App
  person: Send
  server: { url: string; token: string }
  /** Ends the server, lets `ms` go by and starts it again. */
  restart(ms: number): Promise<void>
}

let push: PushServer
beforeAll(async () => {
  push = await pushServer()
})
afterAll(() => push[Symbol.asyncDispose]())

async function house(longLifeMs: number): Promise<House> {
  const folder = tempFolder()
  migratedDatabase(folder.path)
  let ahead = 0
  const clock: Clock = { ...systemClock, now: () => Date.now() + ahead }
  const start = async () => {
    const config = readConfig(
      { data: folder.path, port: '0' },
      { BECKON_CATALOG_PROBES: 'off', BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
    )
    return await startApp(config, {
      log: silentLog,
      listener: openListener({ ...config, log: silentLog }),
      clock,
    })
  }
  const app = await start()
  const { db } = app
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  const ada = await addPersonWithPassword(
    { db, clock },
    { name: 'Ada', email: 'ada@example.com', role: 'owner' },
  )
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'nightly' })
  await connect(db, { workspaceId, ...push.subscribe('browser') })
  const signedIn = async (to: App) =>
    senderTo(to.url, { origin: to.baseUrl, cookie: await signInAs(to, ada.id) })
  const own: House = {
    app,
    person: await signedIn(app),
    server: { url: app.url, token },
    async restart(ms) {
      await own.app.stop()
      ahead += ms
      own.app = await start()
      own.person = await signedIn(own.app)
      own.server = { url: own.app.url, token }
    },
    async [Symbol.asyncDispose]() {
      await own.app.stop()
      folder[Symbol.dispose]()
    },
  }
  await own.person('/policy', { longLifeMs }, 'PATCH')
  return own
}

type Open = { correlationId: string; question: string; expiresAt: string }

async function inbox({ person }: House): Promise<Open[]> {
  return ((await person('/inbox')) as { questions: Open[] }).questions
}

async function answer(of: House, question: string, value: string): Promise<void> {
  let id: string | undefined
  await until(async () => {
    id = (await inbox(of)).find((one) => one.question === question)?.correlationId
    return id !== undefined
  })
  await of.person(`/questions/${id}/answer`, { value })
}

async function python({ server }: House, act: string, handle: object): Promise<unknown> {
  const folder = join(import.meta.dir, '../../packages/python')
  const env = {
    ...{ PATH: process.env.PATH, PYTHONPATH: join(folder, 'src'), HANDLE: JSON.stringify(handle) },
    ...{ BECKON_URL: server.url, BECKON_TOKEN: server.token },
  }
  const command = [PYTHON ?? '', join(folder, 'tests/acts.py'), act]
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text())
}

test('a question of the night is answered in the morning, two restarts later, in both languages', async () => {
  await using here = await house(24 * HOUR_MS)
  const asking = { subject: 'restart-payments', lifeMs: 12 * HOUR_MS, waitMs: 1_000 }
  const night = await ask.confirm(QUESTION, { ...asking, server: here.server })
  if (night.status !== 'waiting') throw new Error(night.status)
  const stored = JSON.stringify(night.handle)

  await here.restart(4 * HOUR_MS)
  // The same key finds it, also in another language, and nobody is asked twice.
  const again = await ask.confirm(QUESTION, { ...asking, server: here.server })
  expect(again).toMatchObject({ status: 'waiting', id: night.id })
  if (PYTHON) expect(await python(here, 'night', {})).toMatchObject({ id: night.id })
  expect(await inbox(here)).toHaveLength(1)

  await here.restart(5 * HOUR_MS)
  const waiting = resume(JSON.parse(stored), { server: here.server })
  await answer(here, QUESTION, 'yes')
  const outcome = { status: 'answered', value: true, id: night.id, question: QUESTION }
  expect(await waiting).toMatchObject(outcome)
  expect(await wait(night.id, { server: here.server })).toMatchObject(outcome)
  expect(await ask.confirm(QUESTION, { ...asking, server: here.server })).toMatchObject(outcome)
  if (PYTHON) expect(await python(here, 'handle', night.handle)).toMatchObject(outcome)
})

test('asked again under the same subject after nobody answered, a person is asked anew', async () => {
  await using here = await house(24 * HOUR_MS)
  const asking = { subject: 'nightly', lifeMs: 8 * HOUR_MS, waitMs: 1_000 }
  const first = await ask.confirm(QUESTION, { ...asking, server: here.server })
  if (first.status !== 'waiting') throw new Error(first.status)
  await here.restart(8 * HOUR_MS + 60_000)
  // Two programs at once ask one question.
  const both = [1, 2].map(() => ask.confirm(QUESTION, { ...asking, server: here.server }))
  const [second, third] = await Promise.all(both)
  if (second?.status !== 'waiting') throw new Error(second?.status)
  expect(second.id).not.toBe(first.id)
  expect(third).toMatchObject({ status: 'waiting', id: second.id })
  expect(await wait(first.id, { server: here.server })).toMatchObject({ status: 'expired' })
  await answer(here, QUESTION, 'no')
  expect(await resume(second.handle, { server: here.server })).toMatchObject({ status: 'declined' })
})

test('the policy bounds the life, and what is neither is refused by name', async () => {
  await using here = await house(HOUR_MS)
  const agent = senderTo(here.server.url, { authorization: `Bearer ${here.server.token}` })
  const question = { question: 'Go?', wait: false, lifeMs: 12 * HOUR_MS }
  expect(await agent('/questions', question)).toMatchObject({ expiresInSeconds: 3_600 })
  const { server } = here
  for (const lifeMs of [599_999, 7 * 24 * HOUR_MS + 1, 600_000.5]) {
    await expect(ask.confirm('Go?', { lifeMs, server })).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [{ field: 'lifeMs' }],
    })
  }
})

test('a protected call is approved hours before its program comes back, and runs once', async () => {
  await using here = await house(24 * HOUR_MS)
  const ran: unknown[] = []
  const remove = (waitMs: number) =>
    protect((one: { id: number }) => ran.push(one), {
      ...{ name: 'remove', label: 'Delete a customer', subject: 'customer-7' },
      ...{ lifeMs: 12 * HOUR_MS, waitMs, server: here.server },
    })({ id: 7 })
  expect(await remove(1_000)).toMatchObject({ status: 'waiting' })
  await answer(here, 'Delete a customer?', 'yes')
  await here.restart(6 * HOUR_MS)
  expect(await remove(60_000)).toMatchObject({ status: 'done' })
  expect(await remove(60_000)).toMatchObject({ status: 'refused' })
  expect(ran).toEqual([{ id: 7 }])
})

test('a session whose approvals nobody answered is paused: nobody is told, whatever life a call wants', async () => {
  await using here = await house(24 * HOUR_MS)
  await here.person('/policy', { pauseAfterUnanswered: 1 }, 'PATCH')
  const asking = {
    ...{ sessionId: 's-1', machineId: 'm-1', toolName: 'deploy', toolTarget: 'production' },
    ...{ lifeMs: 8 * HOUR_MS, waitMs: 1_000 },
  }
  const askAbout = (subject: string) =>
    ask.confirm(QUESTION, { ...asking, subject, server: here.server })
  const first = await askAbout('one')
  if (first.status !== 'waiting') throw new Error(first.status)
  await here.restart(8 * HOUR_MS + 60_000)
  expect(await wait(first.id, { server: here.server })).toMatchObject({ status: 'expired' })
  const second = await askAbout('two')
  if (second.status !== 'paused') throw new Error(second.status)
  // Nobody was told, so the program took it back: a late yes would reach nobody.
  expect(await inbox(here)).toEqual([])
  expect(await askAbout('two')).toMatchObject({ status: 'cancelled', id: second.id })

  const { sessions } = (await here.person('/sessions')) as { sessions: { id: string }[] }
  await here.person(`/sessions/${sessions[0]?.id}/resume`, {})
  await here.restart(11 * 60_000)
  const third = await askAbout('two')
  if (third.status !== 'waiting') throw new Error(third.status)
  expect(third.id).not.toBe(second.id)
  await here.restart(7 * HOUR_MS)
  await answer(here, QUESTION, 'yes')
  expect(await askAbout('two')).toMatchObject({ status: 'answered', value: true, id: third.id })
})
