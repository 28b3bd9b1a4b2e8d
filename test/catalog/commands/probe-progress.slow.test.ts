import { expect, setDefaultTimeout, test } from 'bun:test'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { beckon } from '../../support/beckon.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { onTerminal } from '../../support/on-terminal.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { toolAt } from '../probing/probe-world.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

async function publishedAt(folder: string, url: string): Promise<void> {
  await using db = openDataFolder(folder)
  const source = generatedCatalog(4)
  const tools = [toolAt(SLUG, `${url}/mail`)]
  const own = { changes: [], reviews: [], removed: [] }
  await publish({ db, clock: systemClock }, { ...source, ...own, tools })
}

const SLUG = 'slow-mail-of-a-name-that-does-not-fit-into-a-terminal'
const ENV = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }

test('a terminal shows at once who is asked, before anybody has answered', async () => {
  const answers = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      await answers.promise
      return Response.json({})
    },
  })
  using folder = tempFolder()
  await publishedAt(folder.path, `http://127.0.0.1:${server.port}`)
  const args = ['catalog', 'probe', '--data', folder.path]
  const until = /0 of [1-9]\d* measured, asking slow-mail/
  const { code, output } = await onTerminal(args, ENV, { cols: 80, until })
  expect([code, output]).toEqual([1, expect.stringContaining('It was given up.')])
  // Drawn over, never on a second line.
  const drawn = output.split(/\r|\n/).filter((line) => line.includes('measured'))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what clears a line takes no column.
  const widths = drawn.map((line) => line.replace(/\u001b\[K/g, '').length)
  expect(Math.max(...widths)).toBeLessThan(80)
  answers.resolve()
  expect((await beckon(args, { env: ENV })).err).not.toContain('asking')
  await server.stop(true)
})

test('whether credentials are needed is left open where no answer says it', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(null, { status: 401 }),
  })
  using folder = tempFolder()
  await publishedAt(folder.path, `http://127.0.0.1:${server.port}`)
  const answers = async (env: Record<string, string>) => {
    const args = ['catalog', 'probe', '--data', folder.path, '--json']
    return JSON.parse((await beckon(args, { env })).out).tools[0].answers
  }
  expect(await answers(ENV)).toMatchObject({ outcome: 'gated', authRequired: true })
  const unasked = await answers({})
  expect(unasked.outcome).toBe('unknown')
  expect(unasked).not.toHaveProperty('authRequired')
  await server.stop(true)
})
