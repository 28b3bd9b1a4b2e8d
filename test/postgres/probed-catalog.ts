import { writeCatalogFolder } from '../support/catalog-folder.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type CountingServer, countingServer } from './counting-server.ts'
import { type LeaseWatch, watchLeases } from './lease-watch.ts'
import { type ServersWorld, serversWorld } from './servers-world.ts'

export const PROBING = 'catalog-probes'
const TOOLS = ['one', 'two', 'three']

/** Servers whose published catalog has three tools, all of them at `vendor`. */
export type ProbedCatalog = AsyncDisposable & {
  world: ServersWorld
  watch: LeaseWatch
  servers: ServerProcess[]
  vendor: CountingServer
  /** Starts so many servers at once. */
  start(many: number): Promise<void>
  /** How often each tool was asked, and by which processes. */
  asked(): { each: number[]; by: number[] }
  /** How many results are stored of each tool. */
  stored(): Promise<number[]>
}

export async function probedCatalog(): Promise<ProbedCatalog> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await serversWorld())
  const servers: ServerProcess[] = []
  const vendor = opened.use(
    countingServer(
      () => servers.map(({ pid }) => pid),
      () => new Response('ok'),
    ),
  )
  await publish(world, vendor)
  const watch = await watchLeases(world.sql)
  const owned = opened.move()
  return {
    ...{ world, watch, servers, vendor },
    async start(many) {
      servers.push(...(await Promise.all(Array.from({ length: many }, () => world.server()))))
    },
    asked() {
      const mine = vendor.requests.filter(({ path }) => TOOLS.includes(path.slice(1)))
      const each = TOOLS.map((name) => mine.filter(({ path }) => path === `/${name}`).length)
      return { each, by: [...new Set(mine.map(({ pid }) => pid ?? 0))] }
    },
    async stored() {
      const rows: Array<{ slug: string; n: number }> = await world.sql`
        select slug, count(*)::int n from catalog_probe_results group by slug`
      return TOOLS.map((name) => rows.find(({ slug }) => slug === name)?.n ?? 0)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function publish(world: ServersWorld, { url }: CountingServer): Promise<void> {
  // Nothing but the three addresses is measured: the others are no domains.
  const tool = (name: string) => `name: ${name}
vendor: example
kind: http-api
category: messaging
summary: A tool.
auth: unknown
pricing: free
where: hosted
homepage: ${url}/
transports: [http]
probe: { target: ${url}/${name} }
sources:
  - { url: ${url}/docs, read: 2026-11-01, facts: [name] }
`
  using folder = tempFolder()
  writeCatalogFolder(folder.path, {
    'vendors/example.yaml': `name: Example\nurl: ${url}/\n`,
    ...Object.fromEntries(TOOLS.map((name) => [`tools/${name}.yaml`, tool(name)])),
  })
  await world.command('catalog', 'publish', folder.path)
}
