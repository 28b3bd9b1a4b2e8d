import { createKeyedQueue } from '../../platform/keyed-queue.ts'
import type { Fetched, GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { fieldOf, parseYaml, placeOfValue } from '../../platform/yaml/parse-yaml.ts'
import type { FileProblem } from '../records/problem.ts'
import type { CatalogSource } from './catalog-source.ts'
import { readFolderFile } from './read-text.ts'

export type LinkOptions = {
  fetch: GuardedFetch['fetch']
  onProgress?: (done: number, of: number) => void
  /** Milliseconds between two requests to one host. */
  pauseMs?: number
  agent?: string
}

type Place = { file: string; pointer: string }

const PAUSE_MS = 1000
const AGENT = 'Beckon catalog lint (checks links of a directory of tools)'
const HOPS_MAX = 5
const TRIES = 2
const TIMEOUT_MS = 15_000
// The address exists: it asks for credentials, payment, another method or a pause.
const THERE = new Set([401, 402, 403, 405, 406, 415, 429])

/**
 * Requests every address in the files, one at a time per host with a pause between, and reports a
 * problem for each dead one. Samples in `connect` and paid endpoints are not requested.
 */
export async function deadLinks(
  folder: string,
  source: CatalogSource,
  { fetch, onProgress, pauseMs = PAUSE_MS, agent = AGENT }: LinkOptions,
): Promise<FileProblem[]> {
  const places = linksOf(source)
  const hosts = createKeyedQueue(1)
  const dead: Array<Place & { found: string }> = []
  let done = 0
  for (const [url, where] of places) {
    hosts.run(new URL(url).host, async () => {
      const failure = await ask(url, fetch, agent)
      if (failure) dead.push(...where.map((place) => ({ ...place, found: `${failure} at ${url}` })))
      onProgress?.(++done, places.size)
      await Bun.sleep(pauseMs)
    })
  }
  await hosts.idle()
  return Promise.all(dead.map((it) => located(folder, it))).then((all) => all.sort(inOrder))
}

/** Why the address is dead; undefined if it is not. */
async function ask(url: string, fetch: GuardedFetch['fetch'], agent: string) {
  let trouble: string | undefined
  for (let i = 0; i < TRIES; i++) {
    trouble = await followed(url, fetch, agent)
    if (trouble === undefined || trouble.startsWith('HTTP 4')) return trouble
  }
  return trouble
}

async function followed(url: string, fetch: GuardedFetch['fetch'], agent: string) {
  let at = url
  for (let hop = 0; hop <= HOPS_MAX; hop++) {
    const request = { headers: { 'user-agent': agent, accept: '*/*' }, timeoutMs: TIMEOUT_MS }
    let answer: Fetched = await fetch(at, { ...request, method: 'HEAD' })
    // Not every server supports HEAD.
    if (answer.outcome === 'answered' && answer.status >= 400) {
      answer = await fetch(at, { ...request, method: 'GET', maxBytes: 1024 })
    }
    if (answer.outcome !== 'answered') return answer.reason.replace(/\.$/, '')
    const { status, headers } = answer
    const next = status >= 300 && status < 400 ? headers.get('location') : null
    if (next === null) return status < 400 || THERE.has(status) ? undefined : `HTTP ${status}`
    const target = URL.parse(next, at)
    if (!target) return 'a redirect to no address'
    at = target.href
  }
  return `more than ${HOPS_MAX} redirects`
}

/** Every address without its fragment, with the place where it is used. */
function linksOf({ vendors, tools, changes, settings }: CatalogSource): Map<string, Place[]> {
  const places = new Map<string, Place[]>()
  function visit(value: unknown, file: string, pointer: string) {
    if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)) {
      const url = new URL(value)
      url.hash = ''
      places.set(url.href, [...(places.get(url.href) ?? []), { file, pointer }])
    } else if (value && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) visit(inner, file, `${pointer}/${key}`)
    }
  }
  const { baseUrl, ...rest } = settings
  visit(rest, 'catalog.yaml', '')
  for (const { id, ...vendor } of vendors) visit(vendor, `vendors/${id}.yaml`, '')
  for (const { slug, text, connect, x402, remoteUrl, probe, ...tool } of tools) {
    visit(tool, `tools/${slug}.yaml`, '')
  }
  for (const { id, ...change } of changes) {
    visit(change, `changes/${change.date.slice(0, 4)}/${id}.yaml`, '')
  }
  return places
}

async function located(
  folder: string,
  { file, pointer, found: failure }: Place & { found: string },
) {
  const text = await readFolderFile(folder, file)
  const parsed = typeof text === 'string' ? parseYaml(file, text) : []
  const place = Array.isArray(parsed) ? { line: 0 } : placeOfValue(parsed, pointer)
  return {
    file,
    ...place,
    field: fieldOf(pointer),
    expected: 'an address that leads somewhere',
    found: failure,
  }
}

function inOrder(a: FileProblem, b: FileProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line
}
