import { cleanLine, cutText } from '../../../platform/text.ts'
import { fieldReader, isObject, wordOf } from '../fields.ts'
import type { Imported, ToolFacts, Wrong } from '../importer.ts'
import { asLink } from '../words/as-link.ts'
import { oneSentence } from '../words/one-sentence.ts'
import { spdxOf } from '../words/spdx.ts'
import { authOf } from './auth.ts'
import { categoryOf, tagsOf } from './category.ts'
import { identityOf } from './identity.ts'
import type { ApiDocument } from './parse-document.ts'
import { serverOf } from './servers.ts'

const NAME_CHARS_MAX = 200
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** One document as a record, with what is needed to tell its versions apart. */
export type ReadApi = {
  item: Imported
  /** Whose it is, as exactly as the document says. */
  provider: string
  version: string
  suffix: string
  isPreferred: boolean
}

type Read = { name: string; readAt: string | undefined; read: string; tell: (it: Wrong) => void }

/** What a document says of its API, in the words of the catalog; or why it makes no record. */
export function apiFacts(
  document: ApiDocument,
  { name, readAt, read, tell }: Read,
): ReadApi | { why: string } {
  const info = isObject(document.info) ? document.info : {}
  const fields = fieldReader({ file: name, record: 'info' }, document.info, tell)
  const title = lineOf(fields.text('title')) || lineOf(listedAs(info))
  if (title === '') return { why: 'it has no title' }
  const version = cleanLine((fields.text('version') ?? '').slice(0, 100))
  const origin = originOf(info['x-origin'])
  const at = readAt ?? origin?.url
  const server = serverOf(document, readAt)
  const docsUrl = linkIn(document.externalDocs, 'url')
  const contact = linkIn(info.contact, 'url')
  const terms = asLink(info.termsOfService)
  const identity = identityOf(document, [server.url, contact, docsUrl, terms])
  if (!identity) return { why: 'no address in it says whose API it is' }
  const { vendor, slug, suffix } = identity
  const summary = oneSentence(fields.text('description')) ?? oneSentence(fields.text('summary'))
  const tool: ToolFacts = {
    name: title,
    kind: 'http-api',
    ...given('category', categoryOf(info)),
    ...given('summary', summary),
    ...given('docsUrl', docsUrl),
    ...given('openapi', readAt ?? (origin?.isOpenApi ? origin.url : undefined)),
    ...given('remoteUrl', server.url),
    ...given('license', licenseOf(info.license)),
    transports: ['http'],
    ...authOf(document),
    ...(server.url ? { where: 'hosted' } : {}),
    ...given('tags', tagsOf(info)),
    details: detailsOf([
      ['Version', version],
      ['Operations', `${operations(document.paths)}`],
      [
        'Description',
        document.swagger === undefined ? `OpenAPI ${document.openapi}` : 'Swagger 2.0',
      ],
      ['Server', server.note],
      ['Terms', terms],
      ['Contact', contact],
      ['Made by', info['x-unofficialSpec'] === true ? 'others than the vendor' : undefined],
    ]),
  }
  const from = at ?? server.url ?? vendor.url
  return {
    item: {
      slug,
      tool,
      vendor,
      acrossKinds: ['openapi', 'docsUrl'],
      from: { url: from, read, facts: Object.keys(tool) },
    },
    provider: wordOf(info['x-providerName']) || vendor.domain || vendor.id,
    version,
    suffix,
    isPreferred: info['x-preferred'] === true,
  }
}

function given<const N extends string, T>(name: N, value: T | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [name in N]?: T }
}

function lineOf(text: string | undefined): string {
  return cutText(cleanLine((text ?? '').slice(0, 1000)), NAME_CHARS_MAX)
}

/** The name in a directory of APIs, for a document that has none of its own. */
function listedAs(info: Record<string, unknown>): string {
  const words = [info['x-providerName'], info['x-serviceName']]
  return words.filter((it) => typeof it === 'string').join(' ')
}

/** Where a directory of APIs has read the document; it may have been of another format there. */
function originOf(value: unknown): { url: string; isOpenApi: boolean } | undefined {
  const first = Array.isArray(value) ? value.find(isObject) : value
  if (!isObject(first)) return undefined
  const url = asLink(first.url)
  const isOpenApi = first.format === 'openapi' || first.format === 'swagger'
  return url === undefined ? undefined : { url, isOpenApi }
}

function linkIn(value: unknown, field: string): string | undefined {
  return isObject(value) ? asLink(value[field]) : undefined
}

function licenseOf(value: unknown): string | undefined {
  return isObject(value) ? (spdxOf(value.identifier) ?? spdxOf(value.name)) : undefined
}

/** What is referred to is not looked up: the operations that the document itself has. */
function operations(paths: unknown): number {
  if (!isObject(paths)) return 0
  let count = 0
  for (const item of Object.values(paths)) {
    if (isObject(item)) count += METHODS.filter((it) => isObject(item[it])).length
  }
  return count
}

function detailsOf(said: ReadonlyArray<readonly [label: string, value: string | undefined]>) {
  return said.filter(([, value]) => value).map(([label, value]) => ({ label, value: value ?? '' }))
}
