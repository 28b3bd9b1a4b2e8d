import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serverNames } from '../../../src/catalog/registry/entries.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { heldTo } from '../../support/held-to-description.ts'
import {
  asFiles,
  type PublishedCatalog,
  publishedCatalog,
} from '../../support/published-catalog.ts'

let world: PublishedCatalog
let check: ReturnType<typeof heldTo>
beforeAll(async () => {
  world = await publishedCatalog(await asFiles(generatedCatalog(4)))
  check = heldTo(world.description)
})
afterAll(() => world[Symbol.asyncDispose]())

function described(): string[] {
  const all = Object.entries(world.description.paths)
  return all.flatMap(([path, { get }]) => (get?.tags.includes('catalog') ? [path] : []))
}

/** One address that is there, for what stands in braces. */
function existing(path: string): string {
  const [name = ''] = serverNames(world.snapshot).values()
  return path
    .replace('{slug}', 'tool-0001')
    .replace('{category}', world.snapshot.tools[0]?.category ?? '')
    .replace('{capability}', world.snapshot.tools[0]?.capabilities[0] ?? '')
    .replace('{serverName}', encodeURIComponent(name))
    .replace('{version}', 'latest')
}

async function refused(
  status: number,
  path: string,
  init: Parameters<PublishedCatalog['get']>[1] = {},
) {
  const response = await world.get(path, init)
  expect([path, response.status]).toEqual([path, status])
  await check(path, response)
}

test('every address of a record: never was, renamed and removed', async () => {
  const ofARecord = described().filter((path) => path.includes('{slug}'))
  expect(ofARecord.length).toBeGreaterThan(6)
  for (const path of ofARecord) {
    await refused(404, path.replace('{slug}', 'never-was'))
    await refused(301, path.replace('{slug}', 'tool-old-name'))
    await refused(410, path.replace('{slug}', 'tool-gone'))
  }
})

test('every address: methods and codings that there are none of', async () => {
  for (const path of described().map(existing)) {
    // There is a file only under the hash of one, and a second page only of a long list.
    const isMissing = /\{(sha256|number)\}/.test(path)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) await refused(405, path, { method })
    if (path === '/.well-known/security.txt' || isMissing) continue
    await refused(406, path, { headers: { 'accept-encoding': 'identity;q=0' } })
  }
})

test('parameters of what has none, unknown ones, and cursors of other lists', async () => {
  const whole = described().filter((path) => path.startsWith('/api/') && !/tools\.json$/.test(path))
  for (const path of whole) await refused(400, `${path.replace('{slug}', 'tool-0001')}?limit=3`)
  const listing = '/api/v1/tools.json'
  for (const query of ['no=1', 'cursor=x', `q=${'x'.repeat(5_000)}`]) {
    await refused(400, `${listing}?${query}`)
  }
  for (const query of ['tool=nothing', 'kind=oops', `kind=${'x'.repeat(5_000)}`]) {
    await refused(400, `/sunsets.ics?${query}`)
  }
  for (const page of ['/tools', '/compare', '/changes']) {
    await refused(400, `${page}?kind=${'x'.repeat(5_000)}`)
  }
  const { page } = await (await world.get(`${listing}?limit=1`)).json()
  await refused(400, `${listing}?sort=name&cursor=${page.cursor}`)
  const [list, , ...place] = JSON.parse(Buffer.from(page.cursor, 'base64url').toString())
  const old = Buffer.from(JSON.stringify([list, 'before', ...place])).toString('base64url')
  await refused(410, `${listing}?limit=1&cursor=${old}`)
})

test('no contact, no security.txt', async () => {
  await refused(404, '/.well-known/security.txt')
})

test('whoever asks too often, and what is left of the limit before that', async () => {
  await using limited = await publishedCatalog(await asFiles(generatedCatalog(2)), {})
  const path = '/api/v1/tools.json?limit=1'
  const held = heldTo(limited.description)
  const answers = await Promise.all(Array.from({ length: 400 }, () => limited.get(path)))
  const fine = answers.filter(({ status }) => status === 200)
  expect(fine.length).toBeGreaterThanOrEqual(120)
  expect(fine[0]?.headers.get('ratelimit')).toMatch(/^"queries";r=\d+/)
  const slowed = answers.find(({ status }) => status === 429)
  if (!slowed) throw new Error('nobody was slowed down')
  await held(path, slowed)
  for (const answer of fine) await held(path, answer)
  const document = await limited.get('/api/v1/x402.json')
  expect(document.headers.get('ratelimit')).toMatch(/^"documents";r=\d+/)
  await held('/api/v1/x402.json', document)
})
