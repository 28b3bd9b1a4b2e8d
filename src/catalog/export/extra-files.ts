import { BLOB_PREFIX } from '../feeds/manifest-paths.ts'
import { exceptions, fileOf, type Typed, typesByEnding, unescaped } from './file-layout.ts'
import type { ServedDocument } from './served-documents.ts'

/** The input of the files that are written in addition to the documents. */
export type ExtraFilesInput = {
  documents: readonly Typed[]
  /** Redirects and problems at former addresses. */
  dead: readonly ServedDocument[]
  /** The signed manifest and the files that belong to it; empty if the catalog is not signed. */
  forMirrors: readonly ServedDocument[]
  baseUrl: string
  /** Headers of all files, of pages, of immutable files and of problems. */
  headers: { document: Headers; page: Headers; asset: Headers; refusal: Headers }
}

/** A folder for the bodies of problems; no document is called like it. */
export const GONE = '/_gone'
/** For addresses that never existed, by the type of the body. */
export const NOT_FOUND_FILES = { page: `${GONE}/nothing.html`, json: `${GONE}/nothing.json` }
const ASSETS = '/tools-assets/'
/** The Markdown version links to its page. */
const TWIN = 'location ~ "^(/tools/[a-z0-9-]+)(\\.min)?\\.md$"'
/** Registry addresses have no endings, and there are several for each server. */
const REGISTRY = '/v0.1/'
const ENTRY = '/api/v1/index.json'
const SAID = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
]

/** The path of a problem's body. */
export function goneFile(document: ServedDocument): string {
  const html = /^text\/html/.test(document.type) ? '.html' : ''
  return `${GONE}${document.path}${html}`
}

/**
 * `_nginx.conf`: included in a `server` block that sets the root, it makes nginx answer as the
 * catalog does.
 */
export function nginxFile({
  documents,
  dead,
  forMirrors,
  headers,
  baseUrl,
}: ExtraFilesInput): string {
  const lines = [
    '# Written by beckon catalog export. Include it in a server block that names the root.',
    'gzip_static on;',
    'gzip_vary on;',
    'absolute_redirect off;',
    `error_page 404 ${NOT_FOUND_FILES.page};`,
    ...block(
      'types',
      [...typesByEnding(documents)].map(([ending, type]) => `${quoted(type)} ${ending};`),
    ),
    ...added(headers.document),
    'location / { try_files $uri @page; }',
    ...block('location @page', ['try_files $uri/index.html =404;', ...added(headers.page)]),
    ...block('location ~ "\\.html$"', added(headers.page)),
    ...block(TWIN, [
      `add_header link ${quoted(`<${baseUrl}$1>; rel="canonical"`)};`,
      ...added(headers.document),
    ]),
    ...block(`location ^~ ${REGISTRY}`, [
      'types { }',
      'default_type application/json;',
      'try_files $uri $uri.json =404;',
      `error_page 404 ${NOT_FOUND_FILES.json};`,
      ...added(headers.document),
    ]),
    `location ^~ /api/ { try_files $uri =404; error_page 404 ${NOT_FOUND_FILES.json}; }`,
    ...mirrored(forMirrors).flatMap(({ where, type, headers: own }) =>
      block(`location ${where}`, [
        'types { }',
        `default_type ${quoted(type)};`,
        'try_files $uri =404;',
        `error_page 404 ${NOT_FOUND_FILES.json};`,
        ...added(own),
      ]),
    ),
    'location = / { return 302 /tools; }',
    `location = /api/v1 { return 308 ${ENTRY}; }`,
    `location = /api/v1/ { return 308 ${ENTRY}; }`,
    'location ~ "^(/.+)/$" { return 308 $1; }',
    'location ~ "^/(_[a-z.]+|\\.beckon.*)$" { return 404; }',
    ...block(`location ^~ ${ASSETS}`, added(headers.asset)),
    ...block(`location ^~ ${GONE}/`, [
      'internal;',
      'types { text/html html; application/problem+json json; }',
      'charset utf-8;',
      'charset_types text/html;',
      ...added(headers.refusal, ' always'),
    ]),
    ...exceptions(documents.filter(({ path }) => !path.startsWith(REGISTRY))).flatMap((one) =>
      block(`location = ${unescaped(one.path)}`, [
        'types { }',
        `default_type ${quoted(one.type)};`,
        `try_files ${fileOf(one)} =404;`,
        ...(one.link ? [`add_header link ${quoted(one.link)};`, ...added(headers.document)] : []),
      ]),
    ),
    ...dead.flatMap(deadBlock),
    ...refusedTypes(dead, headers.refusal),
  ]
  return `${lines.join('\n')}\n`
}

/** One row for all blobs, which share their headers, and one for each other file. */
function mirrored(documents: readonly ServedDocument[]) {
  const files = documents.filter(({ path }) => !path.startsWith(BLOB_PREFIX))
  const [blob] = documents.filter(({ path }) => path.startsWith(BLOB_PREFIX))
  return [
    ...files.map((one) => ({ ...one, where: `= ${one.path}`, pattern: one.path })),
    ...(blob ? [{ ...blob, where: `^~ ${BLOB_PREFIX}`, pattern: `${BLOB_PREFIX}*` }] : []),
  ]
}

function deadBlock(document: ServedDocument): string[] {
  const { path, status } = document
  if (status < 400)
    return [`location = ${path} { return ${status} ${quoted(locationOf(document))}; }`]
  return block(`location = ${path}`, [
    `error_page ${status} ${goneFile(document)};`,
    `return ${status};`,
  ])
}

/** Problems in other types: Markdown and feeds. */
function refusedTypes(dead: readonly ServedDocument[], refusal: Headers): string[] {
  return dead
    .filter(({ status, type }) => status >= 400 && !/^(text\/html|application\/problem)/.test(type))
    .flatMap((document) =>
      block(`location = ${goneFile(document)}`, [
        'internal;',
        'types { }',
        `default_type ${quoted(document.type)};`,
        ...added(refusal, ' always'),
      ]),
    )
}

/** `_redirects`, as several hosts of static files read it. */
export function redirectsFile({ dead }: ExtraFilesInput): string {
  const moved = dead.filter(({ status }) => status < 400)
  const lines = [
    '/ /tools 302',
    `/api/v1 ${ENTRY} 308`,
    ...moved.map((document) => `${document.path} ${locationOf(document)} ${document.status}`),
  ]
  return `${lines.join('\n')}\n`
}

/** `_headers`, as the same hosts read it. */
export function headersFile({ documents, forMirrors, headers }: ExtraFilesInput): string {
  const own = SAID.filter((name) => !name.startsWith('content')).flatMap((name) => {
    const value = headers.document.get(name)
    return value ? [`  ${name}: ${value}`] : []
  })
  const types = exceptions(documents).flatMap(({ path, type }) => [path, `  content-type: ${type}`])
  const blocks = mirrored(forMirrors).flatMap(({ pattern, type, headers: fileHeaders }) => [
    pattern,
    `  content-type: ${type}`,
    `  cache-control: ${fileHeaders.get('cache-control') ?? 'no-cache'}`,
  ])
  return `${['/*', ...own, ...types, ...blocks].join('\n')}\n`
}

function locationOf({ headers }: ServedDocument): string {
  return headers.get('location') ?? '/'
}

function added(headers: Headers, always = ''): string[] {
  return SAID.flatMap((name) => {
    const value = headers.get(name)
    return value ? [`add_header ${name} ${quoted(value)}${always};`] : []
  })
}

function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), '}']
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
