import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import { agentHouse } from '../../support/agent-house.ts'
import { hookWorld, NOTHING, SESSION } from '../../support/hook-world.ts'
import { until } from '../../support/until.ts'

/** The real server instead of the stand-in, and a person who agrees to a scope on her phone. */
test('a scope holds from the yes on, through restarts of the server, until the session ends', async () => {
  await using house = await agentHouse()
  using world = hookWorld()
  const { run, before, event, home } = world
  const file = { url: house.url, token: house.token, machineId: 'm_1', hookWaitSeconds: 30 }
  writeClientFile(file, { HOME: home })
  await using first = await house.start()
  // A hook waits for the server a moment only, and a busy machine needs more than one.
  const says = async (input: Record<string, unknown>, text: string) =>
    (await run('claude', input)).out.includes(text)
  const start = event('SessionStart', { source: 'startup' })
  await until(async () => {
    expect(await says(start, SESSION)).toBe(true)
    return existsSync(join(world.state, 'scope'))
  })

  const propose = async () => {
    const response = await fetch(`${house.url}/api/v1/scopes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        doneWhen: 'the tests pass',
        sessionId: SESSION,
        machineId: 'm_1',
        allowedPaths: ['src'],
        offLimitsPaths: ['infra/**'],
      }),
    })
    return (await response.json()) as Record<string, unknown>
  }
  const proposed = propose()
  const proposal = await house.opened()
  const off = before('Write', { file_path: 'infra/a' })
  expect(await run('claude', off)).toEqual(NOTHING)
  await house.answer(proposal.correlationId, { value: 'yes' })
  expect(await proposed).toMatchObject({ ratified: true, hookSeen: true })
  const after = event('PostToolUse', { tool_name: 'mcp__beckon__propose_scope' })
  await until(() => says(after, 'Write only to: src, src/**.'))
  expect(await run('claude', off)).toMatchObject({ code: 2 })

  const outside = run('claude', before('Write', { file_path: 'README.md' }))
  const question = await house.opened(({ question }) => question.includes('README.md'))
  // As long as the check of the hook is held: from then on it waits for the answer by the id.
  await house.read(question.correlationId)
  await first.end('SIGKILL')
  expect(await run('claude', off)).toMatchObject({ code: 2 })
  await using second = await house.start()
  await house.answer(question.correlationId, { value: 'yes' })
  expect(await outside).toEqual(NOTHING)

  // What was allowed once is allowed to the session: the server says so to whoever asks next.
  await until(() => says(event('SessionStart', { source: 'resume' }), 'README.md'))
  await second.end('SIGTERM')
  const again = { tool_use_id: 'toolu_2' }
  expect(await run('claude', before('Edit', { file_path: 'README.md' }, again))).toEqual(NOTHING)
  expect(await run('claude', before('Write', { file_path: 'NOTES.md' }, again))).toMatchObject({
    out: expect.stringContaining('"ask"'),
  })

  await run('claude', event('SessionEnd', { reason: 'clear' }))
  expect(await run('claude', off)).toEqual(NOTHING)
}, 60_000)
