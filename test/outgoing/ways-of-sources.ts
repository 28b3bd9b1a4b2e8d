import { deadLinks } from '../../src/catalog/authoring/check-links.ts'
import { IMPORTERS } from '../../src/catalog/importers/all-importers.ts'
import type { ImportDeps } from '../../src/catalog/importers/importer.ts'
import { originAt } from '../../src/catalog/mirror/origin.ts'
import { syncMirror } from '../../src/catalog/mirror/sync.ts'
import { publishedKey } from '../../src/catalog/signing/reply.ts'
import { fromAddress } from '../../src/catalog/verifying/from-address.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type Guard, orWhy, type WayOut, type WayResult, type Ways } from './way-out.ts'

const READ = 'src/catalog/importers/read-source.ts'
const NPM = 'src/catalog/importers/npm/ask-registry.ts'
const ORIGIN = 'src/catalog/mirror/origin.ts'

// Where an importer reads, of an address. The others read files alone.
const SOURCES: Record<string, (base: string) => string> = {
  'mcp-registry': (base) => base,
  npm: () => 'npm:tool',
  'x402-discovery': (base) => `${base}/discovery/resources`,
  catalog: (base) => `${base}/tools.json`,
  openapi: (base) => `${base}/openapi.json`,
}

/** What a curator reads, follows, verifies and checks. */
export function waysOfSources({ fetch }: Guard): Ways {
  const folder = tempFolder()
  const db = openDataFolder(folder.path)
  const importers = IMPORTERS.map(
    (importer): WayOut => ({
      name: `the importer of ${importer.name}`,
      through: importer.name === 'npm' ? [NPM] : [READ],
      ask: (base) => orWhy(imported(importer.name, base)),
    }),
  ).filter(({ name }) => Object.keys(SOURCES).some((source) => name.endsWith(` ${source}`)))
  const paths = ['manifest.json', 'manifest.jws.json', `blobs/sha256/${'0'.repeat(64)}`]
  const originPaths = [...paths.map((path) => `/api/v1/${path}`), '/.well-known/catalog-keys.json']
  const mirror = { fetch, clock, userAgent: 'test' }
  const ways: WayOut[] = [
    ...importers,
    ...originPaths.map(
      (path): WayOut => ({
        name: `a mirror's ${path}`,
        through: [ORIGIN],
        byStatus: true,
        async ask(base) {
          const got = await originAt(base, mirror).get(path, { maxBytes: 10_000 })
          return { taken: got.outcome === 'body', why: 'why' in got ? got.why : got.outcome }
        },
      }),
    ),
    {
      name: 'a mirror as a whole',
      through: [ORIGIN],
      async ask(base) {
        const synced = await syncMirror({ ...mirror, db, random: () => 0 }, { source: base })
        return { taken: synced.outcome === 'updated', why: synced.why ?? synced.refusal }
      },
    },
    {
      name: 'what is verified at an address',
      through: ['src/catalog/verifying/from-address.ts'],
      byStatus: true,
      ask: (base) => orWhy(fromAddress(base, fetch).then(() => ({ taken: true }))),
    },
    {
      name: 'the key of a reply at the site of a vendor',
      through: ['src/catalog/signing/reply.ts'],
      async ask(base) {
        const key = await publishedKey(fetch, base, 'none')
        return typeof key === 'string' ? { taken: false, why: key } : { taken: true }
      },
    },
    {
      name: 'a link of a catalog',
      through: ['src/catalog/authoring/check-links.ts'],
      byStatus: true,
      ask: linked,
    },
  ]

  async function imported(name: string, base: string): Promise<WayResult> {
    const importer = IMPORTERS.find((one) => one.name === name)
    const source = SOURCES[name]?.(base)
    const stop = new AbortController()
    if (!importer || source === undefined) throw new Error(`no importer ${name}`)
    const deps: ImportDeps = {
      ...{ fetch: name === 'npm' ? once(stop) : fetch, signal: stop.signal },
      ...{ now: clock.now(), progress: () => {}, options: { registry: base } },
    }
    const [skipped, records]: [string[], unknown[]] = [[], []]
    for await (const item of importer.read(source, deps)) {
      if ('skipped' in item) skipped.push(item.why)
      else if (!('until' in item) && !('wrong' in item)) records.push(item)
    }
    return { taken: records.length > 0, why: skipped.join(' ') }
  }

  /** A registry in trouble is asked again after a pause; nobody waits for that here. */
  function once(stop: AbortController): Guard['fetch'] {
    return async (url, request) => {
      const answer = await fetch(url, request)
      const leadsOn = answer.outcome === 'answered' && answer.status >= 300 && answer.status < 400
      if (!leadsOn) stop.abort()
      return answer
    }
  }

  async function linked(base: string): Promise<WayResult> {
    const { tools, vendors, ...source } = generatedCatalog(1)
    const bare = { ...source, changes: [], tools: [], vendors: [], settings: {} }
    const [vendor] = vendors
    const only = { ...bare, vendors: [{ id: vendor?.id, name: 'A', url: `${base}/` }] }
    const dead = await deadLinks(folder.path, only as never, { fetch, pauseMs: 0 })
    // What is no web address is no link.
    const isLink = /^https?:/.test(base) && URL.canParse(base)
    const why = dead[0]?.found ?? (isLink ? undefined : 'Only https addresses may be reached.')
    return { taken: why === undefined, why }
  }

  return {
    ways,
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
