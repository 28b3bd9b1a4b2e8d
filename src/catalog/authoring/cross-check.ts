import { createHash } from 'node:crypto'
import type { AuthoredTool, CatalogSettings } from '../records/authored.ts'
import type { Tombstone } from '../records/change.ts'
import type { FileProblem } from '../records/problem.ts'
import type { ReviewerKey } from '../records/reviewer-key.ts'
import { SLUG_PATTERN } from '../records/words.ts'
import type { CatalogSource } from './catalog-source.ts'
import { checkMethodology } from './check-methodology.ts'
import { checkTool } from './check-tool.ts'
import { suggest } from './did-you-mean.ts'
import { describe } from './expected.ts'
import type { Folder, FromFile } from './folder.ts'
import { fieldOf } from './parse-yaml.ts'
import { problemReporter, type ReportProblem } from './report-problem.ts'

const SLUG = new RegExp(SLUG_PATTERN)
const SLUG_MAX = 64

/** What files say of each other. There is a `source` when nothing is missing for one. */
export function crossCheck(folder: Folder): { source?: CatalogSource; problems: FileProblem[] } {
  const problems: FileProblem[] = []
  const report = problemReporter(problems)
  const { settings, methodology, removed, vendors, tools, texts, reviews, changes } = folder
  const removedSlugs = new Set((removed?.value ?? []).map(({ slug }) => slug))
  // A broken file is one problem, not one more for each that refers to it.
  const vendorIds = namesIn('vendors/', [...vendors.map(pathOf), ...folder.broken])
  const slugs = namesIn('tools/', [...tools.map(pathOf), ...folder.broken])

  const named: FromFile<{ id?: string; slug?: string }>[] = [...vendors, ...tools, ...changes]
  for (const file of named) checkName(file)
  for (const { path, parsed } of reviews) checkName({ path, parsed, value: {} })
  if (settings) {
    unique(settings, '/categories', settings.value.categories)
    unique(settings, '/capabilities', settings.value.capabilities ?? [])
    checkAccepts(settings, report)
  }
  if (methodology) checkMethodology(methodology, report)
  for (const tool of tools) checkTool(tool, { vendorIds, settings, methodology }, report)
  if (removed) checkRemoved(removed, slugs, report)
  if (folder.keys) checkKeys(folder.keys, report)
  for (const { path } of texts) {
    if (slugs.has(nameOf(path))) continue
    const expected = `tools/${nameOf(path)}.yaml beside it${suggest(nameOf(path), slugs)}`
    problems.push({ file: path, line: 0, field: '', expected, found: 'no such file' })
  }
  for (const { path } of reviews) {
    const slug = path.split('/')[1] ?? ''
    if (slugs.has(slug) || removedSlugs.has(slug)) continue
    const expected = `the slug of a tool as folder${suggest(slug, slugs)}`
    problems.push({ file: path, line: 0, field: '', expected, found: describe(slug) })
  }
  checkChanges()

  function checkName({ path, parsed, value }: FromFile<{ id?: string; slug?: string }>) {
    const name = nameOf(path)
    if (!SLUG.test(name) || name.length > SLUG_MAX) {
      const expected = `small letters, digits and single hyphens as name, at most ${SLUG_MAX}`
      problems.push({ file: path, line: 0, field: '', expected, found: describe(name) })
    }
    for (const field of ['slug', 'id'] as const) {
      const said = value[field]
      if (said === undefined || said === name) continue
      report(parsed, `/${field}`, `${describe(name)}, the name of the file`, describe(said))
    }
  }

  function unique({ parsed }: FromFile<unknown>, pointer: string, items: Array<{ id: string }>) {
    const seen = new Set<string>()
    for (const [i, { id }] of items.entries()) {
      if (seen.has(id))
        report(parsed, `${pointer}/${i}/id`, `${fieldOf(pointer)} once each`, describe(id))
      seen.add(id)
    }
  }

  function checkChanges() {
    const seen = new Map<string, string>()
    for (const { path, parsed, value } of changes) {
      const [, year = ''] = path.split('/')
      const name = nameOf(path)
      const earlier = seen.get(name)
      if (earlier) report(parsed, '', 'an id that no other change has', `that of ${earlier}`)
      seen.set(name, path)
      if (!value.date.startsWith(`${year}-`)) {
        report(parsed, '/date', `a day of ${describe(year)}, the folder`, describe(value.date))
      }
      if (removedSlugs.has(value.tool)) {
        if (value.name === undefined) {
          report(parsed, '/name', 'the name, as its record is removed', 'nothing')
        }
      } else if (!slugs.has(value.tool)) {
        report(
          parsed,
          '/tool',
          `the slug of a tool${suggest(value.tool, slugs)}`,
          describe(value.tool),
        )
      }
    }
  }

  if (!settings || !methodology) return { problems }
  const textBySlug = new Map(texts.map(({ path, value }) => [nameOf(path), value]))
  return {
    problems,
    source: {
      settings: settings.value,
      methodology: methodology.value,
      removed: removed?.value ?? [],
      vendors: vendors.map(({ path, value }) => ({ ...value, id: nameOf(path) })),
      tools: tools.map(({ path, value }) => {
        const slug = nameOf(path)
        const text = textBySlug.get(slug)
        return { ...value, slug, ...(text ? { text } : {}) } as AuthoredTool
      }),
      reviews: reviews.map(({ path, value }) => ({
        ...value,
        id: nameOf(path),
        tool: path.split('/')[1] ?? '',
      })),
      changes: changes.map(({ path, value }) => ({ ...value, id: nameOf(path) })),
      ...(folder.keys?.value.length ? { keys: folder.keys.value } : {}),
    },
  }
}

function pathOf({ path }: { path: string }): string {
  return path
}

/** `tools/resend.yaml` → `resend` */
function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/\.[a-z]+$/, '')
}

function namesIn(prefix: string, paths: Iterable<string>): Set<string> {
  return new Set([...paths].filter((it) => it.startsWith(prefix) && /\.yaml$/.test(it)).map(nameOf))
}

/** Each key once, and under its own thumbprint (RFC 7638). */
function checkKeys({ parsed, value }: FromFile<ReviewerKey[]>, report: ReportProblem): void {
  const seen = new Set<string>()
  for (const [i, { kid, jwk, since, until }] of value.entries()) {
    const { crv, kty, x } = jwk
    const own = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
    if (kid !== own) report(parsed, `/${i}/kid`, `${own}, the thumbprint of the key`, describe(kid))
    if (seen.has(kid)) report(parsed, `/${i}/kid`, 'each key once', describe(kid))
    if (until !== undefined && until < since) {
      report(parsed, `/${i}/until`, `a day from ${since} on`, describe(until))
    }
    seen.add(kid)
  }
}

/** A removed slug is never used again, and what takes its place exists. */
function checkRemoved(
  { parsed, value }: FromFile<Tombstone[]>,
  slugs: ReadonlySet<string>,
  report: ReportProblem,
): void {
  const targets = new Map(value.map(({ slug, renamedTo }) => [slug, renamedTo]))
  const seen = new Set<string>()
  for (const [i, { slug, renamedTo, replacement }] of value.entries()) {
    if (seen.has(slug)) report(parsed, `/${i}/slug`, 'each slug once', describe(slug))
    seen.add(slug)
    if (slugs.has(slug)) {
      report(
        parsed,
        `/${i}/slug`,
        'a slug that no tool has: it is never used again',
        describe(slug),
      )
    }
    if (renamedTo !== undefined && replacement !== undefined) {
      report(parsed, `/${i}/replacement`, 'either renamedTo or replacement', 'both')
    }
    if (renamedTo !== undefined && !leads(slug, targets, slugs)) {
      report(
        parsed,
        `/${i}/renamedTo`,
        `the slug of a tool${suggest(renamedTo, slugs)}`,
        describe(renamedTo),
      )
    }
    if (replacement !== undefined && !slugs.has(replacement)) {
      const expected = `the slug of a tool${suggest(replacement, slugs)}`
      report(parsed, `/${i}/replacement`, expected, describe(replacement))
    }
  }
}

/** Whether renames, one after the other, end at a record. */
function leads(
  slug: string,
  targets: ReadonlyMap<string, string | undefined>,
  slugs: ReadonlySet<string>,
): boolean {
  const been = new Set([slug])
  let at = targets.get(slug)
  while (at !== undefined && !slugs.has(at)) {
    if (been.has(at)) return false
    been.add(at)
    at = targets.get(at)
  }
  return at !== undefined
}

const CHAIN = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9+/=]{1,64}$/
const EVM = /^0x[0-9a-fA-F]{40}$/
const NOBODY = /^0x0{40}$/
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
// Addresses of other chains, and no placeholder in angle brackets.
const OTHER = /^[A-Za-z0-9._:-]{8,200}$/

/** Whoever says that payments are taken now must say where to, so that a client can pay. */
function checkAccepts({ parsed, value }: FromFile<CatalogSettings>, report: ReportProblem): void {
  const accepts = value.catalogAccepts
  if (!accepts?.live) return
  const { asset, networks, facilitator, payTo } = accepts
  const at = (field: string) => `/catalogAccepts/${field}`
  if (asset.trim() === '')
    report(parsed, at('asset'), 'what is paid with, as live is true', 'nothing')
  if (networks.length === 0) {
    report(parsed, at('networks'), 'a chain id, as live is true', 'an empty list')
  }
  for (const [i, network] of networks.entries()) {
    if (CHAIN.test(network)) continue
    report(parsed, at(`networks/${i}`), 'a chain id, such as eip155:8453', describe(network))
  }
  if (URL.parse(facilitator)?.protocol !== 'https:') {
    report(parsed, at('facilitator'), 'an address that starts with https://', describe(facilitator))
  }
  if (NOBODY.test(payTo) || !networks.every((network) => couldBePaid(network, payTo))) {
    report(parsed, at('payTo'), 'the address of a payee on these networks', describe(payTo))
  }
}

function couldBePaid(network: string, payTo: string): boolean {
  if (network.startsWith('eip155:')) return EVM.test(payTo)
  if (network.startsWith('solana:')) return SOLANA.test(payTo)
  return OTHER.test(payTo)
}
