import { isObject } from '../fields.ts'
import type { ImportDeps } from '../importer.ts'
import { keyStep, type WitnessPath } from '../witness-path.ts'
import { askRegistry } from './ask-registry.ts'

// Most have less than one megabyte; the larger ones say no more about the newest version.
const PACKUMENT_BYTES_MAX = 16 * 1024 * 1024
const MANIFEST_BYTES_MAX = 1024 * 1024

/** The record of a registry about a package: the manifest of its newest version, and dates. */
export type Packument = {
  /** The address that was read, and the document there. */
  url: string
  document: Record<string, unknown>
  /** The place of the manifest in the document. */
  place: WitnessPath
  manifest: Record<string, unknown>
  /** Empty if the packument was too long. */
  time: Record<string, unknown>
  distTags: Record<string, unknown>
}

/** `gone`: it was removed; `day` if the registry says when. */
export type PackageLookup =
  | { outcome: 'there'; packument: Packument }
  | { outcome: 'gone'; url: string; since: string | undefined }
  | { outcome: 'none' | 'trouble'; why: string }

/** The address of a package, by which the next import finds it again. */
function packageUrl(registry: string, name: string): string {
  return `${registry}/${name.replace('/', '%2f')}`
}

/**
 * Looks a package up. For a packument that is too long the newest manifest is read instead, without
 * release dates. Never throws.
 */
export async function lookUp(
  registry: string,
  name: string,
  deps: ImportDeps,
): Promise<PackageLookup> {
  const url = packageUrl(registry, name)
  const reply = await askRegistry(url, deps, PACKUMENT_BYTES_MAX)
  if (reply.outcome === 'cut') return await newestOf(url, name, deps)
  if (reply.outcome !== 'read') return reply
  if (!isObject(reply.value)) return { outcome: 'none', why: 'the registry sent no packument' }
  const { versions, time, 'dist-tags': tags, name: publishedName } = reply.value
  if (publishedName !== undefined && publishedName !== name) {
    return { outcome: 'none', why: 'the registry sent the packument of another package' }
  }
  const days = isObject(time) ? time : {}
  const distTags = isObject(tags) ? tags : {}
  const all = isObject(versions) ? versions : {}
  if (Object.keys(all).length === 0) return { outcome: 'gone', url, since: unpublished(days) }
  const [newest, manifest] = manifestOf(all, distTags)
  if (!isObject(manifest)) return { outcome: 'none', why: 'its packument names no newest version' }
  const place = `versions${keyStep(newest)}`
  return {
    outcome: 'there',
    packument: { url, document: reply.value, place, manifest, time: days, distTags },
  }
}

async function newestOf(url: string, name: string, deps: ImportDeps): Promise<PackageLookup> {
  const latest = `${url}/latest`
  const reply = await askRegistry(latest, deps, MANIFEST_BYTES_MAX)
  if (reply.outcome === 'cut') {
    return { outcome: 'none', why: 'its packument and its manifest are both too long' }
  }
  if (reply.outcome !== 'read') return reply
  if (!isObject(reply.value) || reply.value.name !== name) {
    return { outcome: 'none', why: 'the registry sent no manifest of it' }
  }
  const document = reply.value
  return {
    outcome: 'there',
    packument: { url: latest, document, place: '', manifest: document, time: {}, distTags: {} },
  }
}

/** The version that `npm install` takes; without the `latest` tag, the last one listed. */
function manifestOf(versions: Record<string, unknown>, distTags: Record<string, unknown>) {
  const latest = typeof distTags.latest === 'string' ? distTags.latest : undefined
  const latestManifest =
    latest !== undefined && Object.hasOwn(versions, latest) ? versions[latest] : null
  const newest = isObject(latestManifest) ? (latest ?? '') : (Object.keys(versions).at(-1) ?? '')
  return [newest, versions[newest]] as const
}

function unpublished(time: Record<string, unknown>): string | undefined {
  const date = isObject(time.unpublished) ? time.unpublished.time : undefined
  return typeof date === 'string' ? date : undefined
}
