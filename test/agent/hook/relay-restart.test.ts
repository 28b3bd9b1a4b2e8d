import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { type App, startApp } from '../../../src/app.ts'
import { createToken } from '../../../src/ask/accounts/agent-tokens.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../../src/ask/questions/answer-question.ts'
import { readInbox } from '../../../src/ask/questions/read-questions.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { openListener } from '../../../src/platform/http/listener.ts'
import { silentLog } from '../../../src/platform/log.ts'
import recorded from '../../fixtures/clients/codex/PermissionRequest.mcp__svc__ask_user.json'
import { beckon } from '../../support/beckon.ts'
import { connect } from '../../support/devices.ts'
import { hookWaits } from '../../support/hook-waits.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { pushServer } from '../../support/push-server.ts'
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
  const said = beckon(['hook', 'codex'], { env, stdin: JSON.stringify(input) })
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
    expect(await said).toEqual({
      code: 0,
      out: '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}',
      err: '',
    })
  } finally {
    await app.stop()
  }
})
