import { expect, test } from 'bun:test'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const shell = (action: string) => ({
  ...{ toolName: 'Bash', toolTarget: action, action },
  exact: { argumentsHash: 'a'.repeat(64), arguments: 'command' as const, cwd: '/home/u/shop' },
})
const SESSION = { sessionId: 's1', machineId: 'm1' }
const text = async (world: PageWorld, path: string) => (await world.get(path)).text()
const plain = (page: string) => page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

test('a yes for calls that begin so says by examples what it allows, and ends from its session', async () => {
  await using world = await pageWorld()
  const session = await world.work()
  const id = await world.ask({ detail: shell('go test ./...'), ...SESSION })
  const page = await text(world, `/d/${id}`)
  expect(page).toContain('value="session_words"')
  expect(plain(page)).toMatch(
    /would allow.*go test .\/... src.*ask about.*go run x.*&amp;&amp; rm notes.txt/,
  )
  await world.post(`/d/${id}/answer`, { grant: 'session_words' })
  const live = await text(world, `/live/${session}`)
  expect(plain(live)).toContain('go test … for calls that begin so, in this session')
  const [, revoke = ''] = /action="(\/settings\/allowed\/\w+\/revoke)"/.exec(live) ?? []
  const ended = await world.post(revoke, { session })
  expect(ended.headers.get('location')).toBe(`/live/${session}#allowed`)
  expect(await text(world, `/live/${session}`)).not.toContain(revoke)
})

test('a grant for the first words is not offered where other words could do something else', async () => {
  await using world = await pageWorld()
  for (const command of ['npm install x', 'go run .', 'rm x', 'go test > x.go', 'lex build']) {
    const id = await world.ask({ detail: shell(command), ...SESSION })
    const page = await text(world, `/d/${id}`)
    expect([command, page.includes('session_words')]).toEqual([command, false])
  }
})
