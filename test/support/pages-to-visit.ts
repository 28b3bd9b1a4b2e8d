import { listPeople } from '../../src/ask/accounts/model/person-store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { loadOnce } from '../../src/platform/once.ts'
import { CATALOG, ROWS } from '../ask/http/who/rows.ts'
import type { PageWorld } from './page-world.ts'
import { type Things, thingsOf } from './things.ts'

// The catalog has walks of its own.
const OF_CATALOG = new Set(CATALOG.map(({ route }) => route))

/**
 * The address of every page that the server has mounted and its owner sees, but for those of which
 * `visited` has an address. What stands for a parameter comes from the page's row of who may do
 * what. Throws for a page with a parameter and no row.
 */
export async function pagesToVisit(
  world: PageWorld,
  visited: readonly string[] = [],
): Promise<string[]> {
  const { app } = world
  // Only where a page is about one: what is stored decides which texts a walk tries where.
  const things = loadOnce(() => thingsIn(world))
  const paths = (await app.routes())
    .filter(({ method, path }) => method === 'GET' && !OF_CATALOG.has(`GET ${path}`))
    .map(({ path }) => path)
  const done = new Set(visited.map((address) => patternOf(address, paths)))
  const addresses: string[] = []
  for (const path of paths.filter((one) => !done.has(one) && !one.startsWith('/api/'))) {
    const row = ROWS.find(({ route }) => route === `GET ${path}`)
    if (row && row.statuses.owner !== 200) continue
    if (path.includes(':') && !row?.thing) throw new Error(withoutRow(path))
    const thing = row?.thing ? encodeURIComponent(await row.thing(await things())) : ''
    const address = path.replace(/:\w+/, thing)
    const response = await world.get(address)
    await response.body?.cancel()
    if (response.headers.get('content-type')?.startsWith('text/html')) addresses.push(address)
  }
  return addresses
}

async function thingsIn({ app, db, workspaceId }: PageWorld): Promise<Things> {
  const [owner] = await listPeople(db.read, workspaceId)
  if (!owner) throw new Error('the world has no owner')
  const { record } = await createToken({ db, clock }, { workspaceId, name: 'Of the pages' })
  return thingsOf(app, owner, record.id)
}

/** Says what a page lacks that the walks of all pages cannot fill. */
function withoutRow(path: string): string {
  return `GET ${path} has a parameter and no row in test/ask/http/who/rows.ts: add one with what each caller is told and the \`thing\` that fills the parameter.`
}

/** The mounted path of a visited address; one without parameters comes first, as in the router. */
function patternOf(address: string, paths: readonly string[]): string | undefined {
  const { pathname } = new URL(address, 'http://localhost')
  return paths.includes(pathname)
    ? pathname
    : paths.find((path) =>
        new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`).test(pathname),
      )
}
