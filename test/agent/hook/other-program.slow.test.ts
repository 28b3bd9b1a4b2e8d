import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import { hookWorld, runHeard, SESSION } from '../../support/hook-world.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { wholeServer } from '../../support/whole-server.ts'

test('a scope that another program proposes over REST holds once the hook has read the yes', async () => {
  await using server = await wholeServer()
  using world = hookWorld({ waitSeconds: 30 })
  const { run, event, before, home } = world
  const { app, workspaceId, url } = server
  const token = await server.token()
  writeClientFile({ url, token, machineId: 'm_1', hookWaitSeconds: 30 }, { HOME: home })
  const other = {
    authorization: `Bearer ${await server.token()}`,
    'content-type': 'application/json',
  }
  const proposal = { doneWhen: 'Green.', sessionId: SESSION, offLimitsPaths: ['infra'] }
  const body = JSON.stringify({ ...proposal, timeoutMs: 1000 })
  const response = await fetch(`${url}/api/v1/scopes`, { method: 'POST', headers: other, body })
  const { correlationId } = (await response.json()) as { correlationId: QuestionId }
  await run('claude', event('SessionStart', { source: 'startup' }))
  await answerQuestion(
    { db: app.db, clock, onEnded: onEnded(noSender) },
    { workspaceId, questionId: correlationId, value: 'yes' },
  )
  const waitForAnswer = async () => await server.call(token, 'wait_for_answer', { correlationId })
  expect(await waitForAnswer()).toMatchObject({ ratified: true, enforces: [] })
  await Bun.sleep(1_100)
  const edit = before('Edit', { file_path: 'infra/a' })
  expect(await runHeard(world, edit)).toMatchObject({ code: 2 })
  expect(await waitForAnswer()).toMatchObject({ enforces: ['allowedPaths', 'offLimitsPaths'] })
}, 120_000)
