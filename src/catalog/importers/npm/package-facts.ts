import { cleanLine, cutText } from '../../../platform/text.ts'
import { isDay } from '../../records/words.ts'
import { fieldReader, isObject } from '../fields.ts'
import type { ImportedChange, ImportedRecord, WrongValue } from '../importer.ts'
import { slugFrom } from '../slug-from.ts'
import { stated } from '../stated.ts'
import { vendorOf } from '../vendor-of.ts'
import { keyStep } from '../witness-path.ts'
import { asLink } from '../words/as-link.ts'
import { oneSentence } from '../words/one-sentence.ts'
import { spdxOf } from '../words/spdx.ts'
import type { Packument } from './packument.ts'

const TAGS_MAX = 20
const TAG_CHARS_MAX = 50
const DIST_TAGS_MAX = 10
const NOTE_CHARS_MAX = 500
// The form of names in the official MCP registry.
const REGISTRY_NAME = /^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/

/** Reads the statements of a package about itself, in the catalog's terms. */
export function packageFacts(
  name: string,
  packument: Packument,
  { read, tell }: { read: string; tell: (wrong: WrongValue) => void },
): ImportedRecord {
  const { url, document, place, manifest, time } = packument
  const fields = fieldReader({ file: url, record: name }, manifest, tell)
  const repo = repositoryLink(manifest.repository)
  const homepage = homepageOf(manifest.homepage, repo)
  const registryName = fields.text('mcpName')
  const version = fields.text('version')
  const at = (field: string) => (place === '' ? field : `${place}.${field}`)
  const isNamed = REGISTRY_NAME.test(registryName ?? '')
  const { tool, paths } = stated(document, {
    name: [name, 'name'],
    // A package that only uses an SDK may be a client, and a command need not be a server.
    kind: [isNamed ? 'mcp' : undefined, at('mcpName')],
    summary: [oneSentence(manifest.description), at('description')],
    homepage: [homepage, at('homepage')],
    repo: [repo, at('repository')],
    license: [licenseOf(manifest), [at('license'), at('licenses')]],
    registryName: [isNamed ? registryName : undefined, at('mcpName')],
    packages: [[{ registry: 'npm', name }], 'name'],
    tags: [tagsOf(manifest.keywords), at('keywords')],
    lastRelease: [dayOfInstant(time[version ?? '']), `time${keyStep(version ?? '')}`],
    details: [
      detailsOf(packument, version),
      [at('version'), 'time', 'dist-tags', at('deprecated')],
    ],
  })
  const vendor = homepage || repo ? undefined : vendorOf(authorsAddress(manifest.author))
  return {
    slug: slugFrom(name),
    tool,
    ...(vendor ? { vendor } : {}),
    acrossKinds: ['packages', 'lastRelease'],
    changes: deprecation(name, packument, version),
    from: { url, id: name, read, paths },
  }
}

/** The day of an instant; undefined if it is not one. */
export function dayOfInstant(instant: unknown): string | undefined {
  const day = typeof instant === 'string' ? instant.slice(0, 10) : ''
  return isDay(day) ? day : undefined
}

/** `npm init` sets it to the repository, which adds nothing. */
function homepageOf(value: unknown, repo: string | undefined): string | undefined {
  const homepage = asLink(value)
  const plain = homepage?.replace(/#.*$/, '').replace(/\/$/, '').replace('://www.', '://')
  if (repo && plain && `${plain}/`.toLowerCase().startsWith(`${repo}/`.toLowerCase()))
    return undefined
  return homepage
}

function licenseOf({ license, licenses }: Record<string, unknown>): string | undefined {
  const older = Array.isArray(licenses) && licenses.length === 1 ? licenses[0] : undefined
  const value = license ?? older
  const text = isObject(value) ? value.type : value
  return text === 'UNLICENSED' ? 'proprietary' : spdxOf(text)
}

function tagsOf(keywords: unknown): string[] | undefined {
  if (!Array.isArray(keywords)) return undefined
  const tags = keywords
    .filter((it) => typeof it === 'string')
    .map((it) => cleanLine(it.slice(0, 1000)).toLowerCase())
    .filter((it) => it !== '' && it.length <= TAG_CHARS_MAX)
  return tags.length > 0 ? [...new Set(tags)].slice(0, TAGS_MAX) : undefined
}

function authorsAddress(author: unknown): string | undefined {
  if (isObject(author)) return asLink(author.url)
  return typeof author === 'string' ? asLink(/\((https?:[^()\s]+)\)/.exec(author)?.[1]) : undefined
}

function detailsOf({ manifest, time, distTags }: Packument, version: string | undefined) {
  const others = Object.entries(distTags)
    .filter(([tag, it]) => tag !== 'latest' && typeof it === 'string')
    .slice(0, DIST_TAGS_MAX)
    .map(([tag, it]) => `${tag} ${it}`)
  const details = [
    ['Version', version],
    ['First release', firstRelease(time)],
    ['Other versions', others.join(', ') || undefined],
    ['Folder in the repository', folderOf(manifest.repository)],
    ['Deprecated', messageOf(manifest.deprecated)],
  ] as const
  return details
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => ({ label, value: short(value ?? '') }))
}

/** `created` where the registry says it, else the earliest release that it lists. */
function firstRelease(time: Packument['time']): string | undefined {
  const { created, modified, unpublished, ...releases } = time
  return (
    dayOfInstant(created) ??
    Object.values(releases)
      .map(dayOfInstant)
      .filter((it) => it !== undefined)
      .sort()[0]
  )
}

function short(text: string): string {
  return cutText(cleanLine(text), NOTE_CHARS_MAX)
}

/** Why the package is deprecated; some give no reason. */
function messageOf(deprecated: unknown): string | undefined {
  if (deprecated === true) return 'yes'
  return typeof deprecated === 'string' && deprecated.trim() !== '' ? deprecated : undefined
}

/** The day of the packument's last change: no registry is more exact. */
function deprecation(
  name: string,
  { url, manifest, time }: Packument,
  version: string | undefined,
): ImportedChange[] {
  const message = messageOf(manifest.deprecated)
  const date = dayOfInstant(time.modified) ?? dayOfInstant(time[version ?? ''])
  if (message === undefined || date === undefined) return []
  const why = message === 'yes' ? '' : `: ${short(message)}`
  const what = `The npm package ${name} is deprecated in its newest version, ${short(version ?? '')}${why}`
  return [{ key: 'deprecated-on-npm', date, kind: 'notice', what, source: url }]
}

const SHORT: Record<string, string> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
}
const NAME = '(?!\\.{1,2}(?:/|#|$))[A-Za-z0-9_.-]+'
const PART = new RegExp(`^${NAME}$`)
const SHORTHAND = new RegExp(`^(?:(github|gitlab|bitbucket):)?(${NAME}/${NAME})(?:#.*)?$`)
const OVER_SSH = /^(?:ssh:\/\/)?[A-Za-z0-9_-]+@([A-Za-z0-9.-]+)[:/](.+)$/

/**
 * The web address of a repository, however a package writes it: `owner/name`, `gitlab:owner/name`,
 * `git@host:owner/name.git`, `git+https://…`, or an object with `url`. Without credentials.
 */
export function repositoryLink(value: unknown): string | undefined {
  if (typeof value === 'string') return addressOf(value)
  if (typeof value !== 'object' || value === null) return undefined
  const { url } = value as { url?: unknown }
  return typeof url === 'string' ? addressOf(url) : undefined
}

/** The folder of a package in a repository with several; undefined for its root. */
function folderOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { directory } = value as { directory?: unknown }
  if (typeof directory !== 'string' || directory.length > 300) return undefined
  const path = directory.trim().replace(/^(\.?\/)+|\/+$/g, '')
  return path.split('/').every((part) => PART.test(part)) ? path : undefined
}

function addressOf(text: string): string | undefined {
  const trimmed = text.trim().replace(/^git\+/, '')
  if (trimmed.length > 500) return undefined
  const [, host = 'github', path] = SHORTHAND.exec(trimmed) ?? []
  if (path) return tidied(`https://${SHORT[host]}/${path}`)
  const [, server, rest] = OVER_SSH.exec(trimmed) ?? []
  // A number after the colon is a port.
  if (server) return tidied(`https://${server}/${rest?.replace(/^\d+\//, '')}`)
  const url = URL.parse(trimmed)
  if (!url || !/^(https?|git|ssh):$/.test(url.protocol)) return undefined
  return tidied(`https://${url.hostname}${url.pathname}`)
}

function tidied(address: string): string | undefined {
  const url = URL.parse(address)
  const path = url?.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return path ? asLink(`https://${url?.hostname.replace(/^www\./, '')}${path}`) : undefined
}
