import { expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { findHooks } from '../../../src/ask/scopes/model/hook-store.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import { hookWorld, SESSION } from '../../support/hook-world.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { until } from '../../support/until.ts'
import { wholeServer } from '../../support/whole-server.ts'

test('a hook whose files are removed fetches the scope again, and the person is told once', async () => {
  await using server = await wholeServer()
  using world = hookWorld({ waitSeconds: 30 })
  const { run, event, before, home, state } = world
  const { app, workspaceId, url } = server
  const token = await server.token()
  writeClientFile({ url, token, machineId: 'm_1', hookWaitSeconds: 30 }, { HOME: home })
  await run('claude', event('SessionStart', { source: 'startup' }))
  const proposed = await server.call(token, 'propose_scope', {
    doneWhen: 'the tests pass',
    sessionId: SESSION,
    offLimitsPaths: ['infra'],
    timeoutMs: 1000,
  })
  const questionId = proposed.correlationId as QuestionId
  await answerQuestion(
    { db: app.db, clock, onEnded: onEnded(noSender) },
    { workspaceId, questionId, value: 'yes' },
  )
  const waited = event('PostToolUse', { tool_name: 'mcp__beckon__wait_for_answer' })
  const held = async () => (await findHooks(app.db.read, workspaceId, SESSION))[0]?.contractEtag
  await until(async () => {
    await run('claude', waited)
    return (await held())?.startsWith(questionId) === true
  })

  rmSync(state, { recursive: true })
  const off = before('Edit', { file_path: 'infra/a' })
  await until(async () => (await run('claude', off)).code === 2)
  const titles = async () => {
    const { items } = await readActivity({ db: app.db }, { workspaceId }, {})
    return items.flatMap((item) => (item.kind === 'notification' ? item.notification.title : []))
  }
  const gone = async () =>
    (await titles()).filter((one) => one === 'The files of a hook were removed')
  await until(async () => (await gone()).length > 0)
  expect(existsSync(join(state, 'scope'))).toBe(true)
  expect(readdirSync(join(state, 'scope')).some((name) => name.endsWith('.active'))).toBe(true)
  expect(await run('claude', off)).toMatchObject({ code: 2 })
  expect(await gone()).toHaveLength(1)
}, 120_000)
