import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import { keptBaselines } from '../../support/git-session.ts'
import { hookWorld, SESSION } from '../../support/hook-world.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { put, repository } from '../../support/repository.ts'
import { until } from '../../support/until.ts'
import { wholeServer } from '../../support/whole-server.ts'

test('from the yes of a person to her being told what changed outside of it', async () => {
  await using server = await wholeServer()
  using world = hookWorld()
  const { run, event, home, project } = world
  const { app, workspaceId, url } = server
  const token = await server.token()
  writeClientFile({ url, token, machineId: 'm_1' }, { HOME: home })
  repository(project, { 'README.md': '1', 'src/a.ts': '' })
  await run('claude', event('SessionStart', { source: 'startup' }))

  const proposed = await server.call(token, 'propose_scope', {
    doneWhen: 'the tests pass',
    sessionId: SESSION,
    allowedPaths: ['src'],
    timeoutMs: 1000,
  })
  const deps = { db: app.db, clock, onEnded: onEnded(noSender) }
  const questionId = proposed.correlationId as QuestionId
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  const waited = event('PostToolUse', { tool_name: 'mcp__beckon__wait_for_answer' })
  await until(async () => (await run('claude', waited)).out.includes('Write only to: src'))

  const look = event('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'make' } })
  await until(async () => {
    if (keptBaselines(world).some((name) => name.endsWith('.json'))) return true
    await run('claude', look)
    return false
  })
  put(project, { 'README.md': '2', 'src/a.ts': '2' })
  await until(async () => (await run('claude', look)).out.includes('README.md'))
  const notifications = async () => (await readActivity({ db: app.db }, { workspaceId }, {})).items
  await until(async () => (await notifications()).some(({ kind }) => kind === 'notification'))
  const [item] = await notifications()
  expect(item).toMatchObject({
    kind: 'notification',
    notification: {
      title: 'Claude Code: a file changed outside the scope',
      sessionId: SESSION,
      machineId: 'm_1',
      context: { type: 'error', filesChanged: ['README.md'] },
    },
  })
})
