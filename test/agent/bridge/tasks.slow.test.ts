import { expect, setDefaultTimeout, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { bridgeProcess } from '../../support/bridge-process.ts'
import { settle } from '../../support/fake-clock.ts'
import { mcpWorld, modernMeta, rpc, TOKEN } from '../../support/mcp-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

setDefaultTimeout(60_000)

const FOLLOWS = modernMeta({
  'io.modelcontextprotocol/clientCapabilities': {
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
})

test('a task is followed through the bridge, also while the server is away', async () => {
  using folder = tempFolder()
  const here = await mcpWorld()
  const { waiters } = here.world.deps
  await here.world.device('laptop')
  const env = { HOME: folder.path, BECKON_URL: new URL(here.url).origin, BECKON_TOKEN: TOKEN }
  await using bridge = bridgeProcess(env, { limits: { restartMs: 500 } })
  const until = async (fits: () => boolean) => {
    while (!fits()) await settle()
  }

  const args = { question: 'Deploy?' }
  bridge.send(rpc('tools/call', { name: 'ask_user', arguments: args, _meta: FOLLOWS }, 1))
  await until(() => waiters.count() === 1)
  await here.world.clock.advance(45_000)
  const { result } = (await bridge.reply(1)) as { result: Record<string, unknown> }
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  const taskId = result.taskId as QuestionId

  bridge.send(rpc('tasks/get', { taskId, _meta: FOLLOWS }, 2))
  await until(() => waiters.count() === 1)
  // Longer than the bridge waits for anything but calls and tasks.
  await Bun.sleep(2_500)
  const { workspaceId } = here.world.call().caller
  await answerQuestion(here.world.deps, { workspaceId, questionId: taskId, value: 'yes' })
  expect(await bridge.reply(2)).toMatchObject({
    result: { status: 'completed', result: { structuredContent: { value: 'yes' } } },
  })

  await here[Symbol.asyncDispose]()
  bridge.send(rpc('tasks/get', { taskId, _meta: FOLLOWS }, 3))
  expect(await bridge.reply(3)).toMatchObject({ error: { code: -32603 } })
})
