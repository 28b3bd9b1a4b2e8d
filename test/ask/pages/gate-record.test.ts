import { expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { sha256 } from '../../../src/platform/signing/sha256.ts'
import { READ } from '../../support/gate-world.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { pageWorld } from '../../support/page-world.ts'
import { until } from '../../support/until.ts'

test('the record of a gated server stands beside its gate and its question', async () => {
  await using world = await pageWorld()
  const { db, workspaceId, url } = world
  const catalog = generatedCatalog(4)
  const tool = catalog.tools.find(({ packages }) => packages?.length)
  const name = tool?.packages?.[0]?.name ?? ''
  await publish({ db, clock }, catalog)
  const owner = await findPersonByEmail(db.read, 'mara@example.org')
  const { token } = await createToken(
    { db, clock },
    { workspaceId, name: 'g', by: owner?.id ?? '' },
  )
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v1/gates/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Record<string, never>
  }
  const gate = async (words: string[]) => {
    const server = JSON.stringify(words)
    const { gateId } = await post('mine/tools', { server, tools: [READ] })
    const { question } = await post('mine/calls', {
      ...{ server, tool: 'read_file', fingerprint: null, argumentsHash: sha256('{}') },
      ...{ arguments: 'none', action: 'mcp__mine__read_file', holdMs: 60_000, timeoutMs: 1_000 },
    })
    if (!question) throw new Error('nothing was asked')
    const { correlationId } = question as { correlationId: string }
    const paths = [`/settings/gates/${gateId}`, `/d/${correlationId}`]
    return await Promise.all(paths.map(async (path) => (await world.get(path)).text()))
  }
  const link = `href="/tools/${tool?.slug}"`
  await until(async () => (await (await world.get('/')).text()).includes('href="/tools#beckon"'))
  const [page, question] = await gate(['npx', '-y', name])
  expect(page).toContain(link)
  expect(question).toContain(link)
  for (const other of await gate(['node', name])) expect(other).not.toContain(link)
})
