import { expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { createAgents } from '../../src/ask/accounts/model/agents.ts'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { loadSecrets } from '../../src/platform/db/settings-store.ts'
import { beckon } from '../support/beckon.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { wholeServer } from '../support/whole-server.ts'
import { page } from './blocks.ts'

test('the copy that docs/operations.md makes of a running server has everything', async () => {
  using folder = tempFolder()
  await using server = await wholeServer()
  const token = await server.token()
  const question = await server.call(token, 'ask_user', { question: 'Deploy?', wait: false })

  // The commands of the page, with the paths of this test.
  const text = await page('docs/operations.md')
  const commands = [...text.matchAll(/^beckon (backup|restore) \S+ --data \S+$/gm)]
  expect(commands.map(([, name]) => name)).toEqual(['backup', 'restore'])
  const copy = join(folder.path, 'copy.db')
  const restored = join(folder.path, 'restored')
  const running = dirname(server.app.db.place)
  for (const [name, data] of [
    ['backup', running],
    ['restore', restored],
  ] as const) {
    expect(await beckon([name, copy, '--data', data])).toMatchObject({ code: 0 })
  }
  await using db = openDataFolder(restored)
  const id = question.correlationId as QuestionId
  expect(await findQuestion(db.read, server.workspaceId, id)).toMatchObject({ status: 'pending' })
  expect(await loadSecrets(db, systemClock)).toEqual(server.app.secrets)
  using agents = createAgents({ db, clock: systemClock })
  expect(await agents.find(token)).toMatchObject({ workspaceId: server.workspaceId })
})
