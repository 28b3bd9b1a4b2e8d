import { expect, test } from 'bun:test'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { relayWorld } from '../../support/relay-world.ts'
import { repository } from '../../support/repository.ts'

test('the real server asks a person, whatever its rules allow, and the yes counts for the prompt too', async () => {
  await using world = await relayWorld()
  const project = join(realpathSync(world.home), 'shop')
  mkdirSync(project)
  repository(project, { 'a.txt': '1' })
  writeFileSync(join(project, 'a.txt'), '2')
  const { app, workspaceId } = world.house
  await addRule({ db: app.db, clock }, workspaceId, {
    match: { toolName: 'Bash' },
    decision: 'allow',
  })
  const sessionId = world.session()
  const call = {
    session_id: sessionId,
    cwd: project,
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command: 'git checkout -- .' },
    tool_use_id: 'toolu_9',
  }
  const before = world.start('claude', { ...call, hook_event_name: 'PreToolUse' })
  const [question] = await world.asked(sessionId)
  expect(question).toMatchObject({
    question: 'Work that is not committed would be lost: a.txt. Let it run?',
    detail: { action: 'git checkout -- .', toolName: 'Bash' },
  })
  await world.answer(question, 'yes')
  expect(await before.done).toEqual({ code: 0, out: '', err: '' })
  const { tool_use_id: _, ...prompt } = call
  const relayed = world.start('claude', { ...prompt, hook_event_name: 'PermissionRequest' })
  expect((await relayed.done).out).toContain('"allow"')
}, 90_000)
