import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { type App, startApp } from '../../../src/app.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import { openListener } from '../../../src/platform/http/listener.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { readConfig } from '../../../src/settings.ts'
import recorded from '../../fixtures/clients/codex/PermissionRequest.mcp__svc__ask_user.json'
import { beckon } from '../../support/beckon.ts'
import { connect } from '../../support/devices.ts'
import { type HookServer, TOKEN } from '../../support/hook-server.ts'
import { hookWaits } from '../../support/hook-waits.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { pushServer } from '../../support/push-server.ts'
import { readInbox } from '../../support/read-inbox.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(60_000)

async function serve(data: string, port: number): Promise<App> {
  const env = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const config = readConfig({ data, port: String(port) }, env)
  const listener = openListener({ ...config, log: silentLog })
  return await startApp(config, { log: silentLog, listener })
}

test('a server that goes away while a hook waits and comes back still has its question', async () => {
  using data = tempFolder()
  using home = tempFolder()
  await using push = await pushServer()
  let app = await serve(data.path, 0)
  const port = Number(new URL(app.url).port)
  const now = clock.now()
  const workspaceId = await app.db.write((tx) => homeWorkspace(tx, 'ws_1', now))
  await connect(app.db, { workspaceId, ...push.subscribe('browser') })
  const { token } = await createToken({ db: app.db, clock }, { workspaceId, name: 'agent' })
  const file = { url: `http://127.0.0.1:${port}`, token, machineId: 'm', hookWaitSeconds: 60 }
  writeClientFile(file, { HOME: home.path })
  mkdirSync(`${home.path}/proj`)

  const { tool_name: _, ...rest } = recorded
  const input = { ...rest, tool_name: 'Bash', tool_input: { command: 'ls' } }
  const env = { HOME: home.path, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  const result = beckon(['hook', 'codex'], { env, stdin: JSON.stringify(input) })
  const open = () => readInbox({ db: app.db, clock }, workspaceId)
  await until(async () => (await open()).length === 1)
  await hookWaits(home.path, (await open())[0]?.id ?? 'q_none')
  await app.stop()
  // Long enough that the hook finds nobody there.
  await Bun.sleep(2_500)
  app = await serve(data.path, port)
  try {
    const [question, ...more] = await open()
    expect(more).toEqual([])
    const answer = { workspaceId, questionId: question?.id ?? 'q_none', value: 'yes' } as const
    await answerQuestion({ db: app.db, clock, onEnded: onEnded(noSender) }, answer)
    expect(await result).toEqual({
      code: 0,
      out: '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}',
      err: '',
    })
  } finally {
    await app.stop()
  }
})

// Longer than a hook that only looks again once.
const AWAY_MS = 2_500

/** Leads to `server`; once that has a request of this event, it breaks off and is gone for a while. */
async function breaksOffOnce(server: HookServer, event: string) {
  let broke = false
  const between = createServer((socket) => {
    const on = dial(Number(new URL(server.url).port), '127.0.0.1')
    on.on('error', () => socket.destroy()).pipe(socket)
    socket.on('error', () => on.destroy()).pipe(on)
  })
  const open: Socket[] = []
  between.on('connection', (socket) => open.push(socket))
  server.before = async (request) => {
    if (broke || !(await request.clone().text()).includes(`"event":"${event}"`)) return undefined
    broke = true
    server.asked.push((await request.clone().json()) as HookServer['asked'][number])
    between.close()
    for (const socket of open) socket.resetAndDestroy()
    setTimeout(() => between.listen(port, '127.0.0.1'), AWAY_MS)
    return new Response()
  }
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  const { port } = between.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void between.close() }
}

test('a prompt whose question was cut off with its server is asked again under its id', async () => {
  using world = hookWorld({ waitSeconds: 20 })
  using between = await breaksOffOnce(world.server, 'approval')
  world.server.answer = { value: 'yes' }
  const input = { ...recorded, tool_name: 'Bash', tool_input: { command: 'ls' } }
  const env = { BECKON_URL: between.url, BECKON_TOKEN: TOKEN }
  const { out } = await world.run('codex', input, { env })
  expect(out).toContain('{"behavior":"allow"}')
  sameTwice(world.server, 'approval')
})

test('a path outside the scope is asked about again under the same id', async () => {
  using world = hookWorld({ waitSeconds: 20 })
  using between = await breaksOffOnce(world.server, 'check')
  world.server.answer = { value: 'yes' }
  const env = { BECKON_URL: between.url, BECKON_TOKEN: TOKEN }
  world.server.contract = contract({ allowedPaths: ['src'] })
  const agreed = world.event('PostToolUse', { tool_name: 'mcp__beckon__propose_scope' })
  await world.run('claude', agreed, { env })
  const file_path = join(world.project, 'lib/a.ts')
  const done = await world.run('claude', world.before('Write', { file_path, content: '' }), { env })
  expect(done).toMatchObject({ code: 0, out: '' })
  sameTwice(world.server, 'check')
})

function sameTwice(server: HookServer, event: string) {
  const [first, second, ...more] = server.asked.filter((one) => one.event === event)
  expect(more).toEqual([])
  expect(second?.ask).toEqual(first?.ask as NonNullable<typeof first>['ask'] & object)
}
