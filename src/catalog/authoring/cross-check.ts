import { suggest } from '../../platform/did-you-mean.ts'
import { thumbprint } from '../../platform/signing/ed25519.ts'
import { fieldOf } from '../../platform/yaml/parse-yaml.ts'
import { describe } from '../../platform/yaml/value-words.ts'
import type { AuthoredTool, CatalogSettings } from '../records/authored.ts'
import type { Tombstone } from '../records/change.ts'
import type { FileProblem } from '../records/problem.ts'
import type { ReviewerKey } from '../records/review.ts'
import { CHAIN_ID, SLUG_PATTERN } from '../records/words.ts'
import type { CatalogSource } from './catalog-source.ts'
import { checkDays } from './check-days.ts'
import { checkDesk, deskOf } from './check-desk.ts'
import { checkMethodology } from './check-methodology.ts'
import { checkReplies, repliesOf } from './check-replies.ts'
import { checkTool } from './check-tool.ts'
import { type Folder, type FromFile, problemReporter, type ReportProblem } from './folder.ts'

const SLUG = new RegExp(SLUG_PATTERN)
const SLUG_MAX = 64

type AnyFile = FromFile<{ id?: string; slug?: string }>

type Context = {
  folder: Folder
  /** Slugs of all tools with a file, broken ones included. */
  slugs: ReadonlySet<string>
  removedSlugs: ReadonlySet<string>
  problems: FileProblem[]
  report: ReportProblem
}

/**
 * Checks files against each other. `latest` is the last day that is not in the future. Returns a `source` only if every file that it needs is valid.
 */
export function crossCheck(
  folder: Folder,
  latest: string,
): { source?: CatalogSource; problems: FileProblem[] } {
  const problems: FileProblem[] = []
  const report = problemReporter(problems)
  const { settings, methodology, removed, vendors, tools, changes } = folder
  // A broken file is one problem, not one more for each file that refers to it.
  const vendorIds = namesIn('vendors/', [...vendors.map(pathOf), ...folder.broken])
  const slugs = namesIn('tools/', [...tools.map(pathOf), ...folder.broken])
  const removedSlugs = new Set((removed?.value ?? []).map(({ slug }) => slug))
  const context = { folder, slugs, removedSlugs, problems, report }

  const files: AnyFile[] = [...vendors, ...tools, ...changes, ...folder.desk]
  for (const file of files) checkName(file, context)
  for (const { path, parsed } of folder.reviews) checkName({ path, parsed, value: {} }, context)
  if (settings) {
    checkIds(settings, '/categories', settings.value.categories, report)
    checkIds(settings, '/capabilities', settings.value.capabilities ?? [], report)
    checkAccepts(settings, report)
  }
  if (methodology) checkMethodology(methodology, report)
  for (const tool of tools) checkTool(tool, { vendorIds, settings, methodology }, report)
  checkDesk(folder, slugs, report)
  checkReplies(folder, report)
  if (removed) checkRemoved(removed, slugs, report)
  if (folder.keys) checkKeys(folder.keys, report)
  checkPlaces(context)
  checkChanges(context)
  checkDays(folder, latest, report)
  const source = sourceOf(folder)
  return { problems, ...(source ? { source } : {}) }
}

function checkName({ path, parsed, value }: AnyFile, { problems, report }: Context): void {
  const name = nameOf(path)
  if (!SLUG.test(name) || name.length > SLUG_MAX) {
    const expected = `small letters, digits and single hyphens as name, at most ${SLUG_MAX}`
    problems.push({ file: path, line: 0, field: '', expected, found: describe(name) })
  }
  for (const field of ['slug', 'id'] as const) {
    const own = value[field]
    if (own === undefined || own === name) continue
    report(parsed, `/${field}`, `${describe(name)}, the name of the file`, describe(own))
  }
}

function checkIds(
  { parsed }: FromFile<unknown>,
  pointer: string,
  items: ReadonlyArray<{ id: string }>,
  report: ReportProblem,
): void {
  const earlier = new Set<string>()
  for (const [i, { id }] of items.entries()) {
    const at = `${pointer}/${i}/id`
    if (earlier.has(id)) report(parsed, at, `${fieldOf(pointer)} once each`, describe(id))
    earlier.add(id)
  }
}

/** Texts and reviews must belong to a tool. */
function checkPlaces({ folder, slugs, removedSlugs, problems }: Context): void {
  for (const { path } of folder.texts) {
    if (slugs.has(nameOf(path))) continue
    const expected = `tools/${nameOf(path)}.yaml next to it${suggest(nameOf(path), slugs)}`
    problems.push({ file: path, line: 0, field: '', expected, found: 'no such file' })
  }
  for (const { path } of folder.reviews) {
    const slug = path.split('/')[1] ?? ''
    if (slugs.has(slug) || removedSlugs.has(slug)) continue
    const expected = `the slug of a tool as folder${suggest(slug, slugs)}`
    problems.push({ file: path, line: 0, field: '', expected, found: describe(slug) })
  }
}

function checkChanges({ folder, slugs, removedSlugs, report }: Context): void {
  const paths = new Map<string, string>()
  for (const { path, parsed, value } of folder.changes) {
    const [, year = ''] = path.split('/')
    const name = nameOf(path)
    const earlier = paths.get(name)
    if (earlier) report(parsed, '', 'an id that no other change has', `that of ${earlier}`)
    paths.set(name, path)
    if (!value.date.startsWith(`${year}-`)) {
      report(parsed, '/date', `a day of ${describe(year)}, the folder`, describe(value.date))
    }
    if (value.endsPart !== undefined && value.kind !== 'notice') {
      report(parsed, '/kind', 'notice, as only a part ends', value.kind)
    }
    if (removedSlugs.has(value.tool)) {
      if (value.name !== undefined) continue
      report(parsed, '/name', 'the name, as its record is removed', 'nothing')
    } else if (!slugs.has(value.tool)) {
      const expected = `the slug of a tool${suggest(value.tool, slugs)}`
      report(parsed, '/tool', expected, describe(value.tool))
    }
  }
}

/** Undefined while the settings or the methodology are missing. */
function sourceOf(folder: Folder): CatalogSource | undefined {
  const { settings, methodology, removed, vendors, tools, texts, reviews, changes, keys } = folder
  if (!settings || !methodology) return undefined
  const deskBySlug = deskOf(folder.desk)
  const replyBySlug = repliesOf(folder.replies)
  const textBySlug = new Map(texts.map(({ path, value }) => [nameOf(path), value]))
  return {
    settings: settings.value,
    methodology: methodology.value,
    removed: removed?.value ?? [],
    vendors: vendors.map(({ path, value }) => ({ ...value, id: nameOf(path) })),
    tools: tools.map(({ path, value }) => {
      const slug = nameOf(path)
      const text = textBySlug.get(slug)
      const desk = deskBySlug.get(slug)
      const reply = replyBySlug.get(slug)
      return {
        ...desk,
        ...value,
        slug,
        ...(text ? { text } : {}),
        ...(reply ? { reply } : {}),
      } as AuthoredTool
    }),
    reviews: reviews.map(({ path, value }) => ({
      ...value,
      id: nameOf(path),
      tool: path.split('/')[1] ?? '',
    })),
    changes: changes.map(({ path, value }) => ({ ...value, id: nameOf(path) })),
    ...(keys?.value.length ? { keys: keys.value } : {}),
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

/** Each key appears once, under its own thumbprint (RFC 7638). */
function checkKeys({ parsed, value }: FromFile<ReviewerKey[]>, report: ReportProblem): void {
  const earlier = new Set<string>()
  for (const [i, { kid, jwk, since, until }] of value.entries()) {
    const own = thumbprint(jwk)
    if (kid !== own) report(parsed, `/${i}/kid`, `${own}, the thumbprint of the key`, describe(kid))
    if (earlier.has(kid)) report(parsed, `/${i}/kid`, 'each key once', describe(kid))
    if (until !== undefined && until < since) {
      report(parsed, `/${i}/until`, `a day from ${since} on`, describe(until))
    }
    earlier.add(kid)
  }
}

/** Each key appears once, under its own thumbprint (RFC 7638). */
function checkRemoved(
  { parsed, value }: FromFile<Tombstone[]>,
  slugs: ReadonlySet<string>,
  report: ReportProblem,
): void {
  const targets = new Map(value.map(({ slug, renamedTo }) => [slug, renamedTo]))
  const earlier = new Set<string>()
  for (const [i, { slug, renamedTo, replacement }] of value.entries()) {
    if (earlier.has(slug)) report(parsed, `/${i}/slug`, 'each slug once', describe(slug))
    earlier.add(slug)
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

/** True if a chain of renames ends at a record. */
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

const EVM = /^0x[0-9a-fA-F]{40}$/
const NOBODY = /^0x0{40}$/
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
// Addresses of other chains, but not a placeholder in angle brackets.
const OTHER = /^[A-Za-z0-9._:-]{8,200}$/

/** A catalog that takes payments must say where to, so that a client can pay. */
function checkAccepts({ parsed, value }: FromFile<CatalogSettings>, report: ReportProblem): void {
  const accepts = value.catalogAccepts
  if (!accepts?.live) return
  const { asset, networks, facilitator, payTo } = accepts
  const at = (field: string) => `/catalogAccepts/${field}`
  if (asset.trim() === '')
    report(parsed, at('asset'), 'the asset of payments, as live is true', 'nothing')
  if (networks.length === 0) {
    report(parsed, at('networks'), 'a chain id, as live is true', 'an empty list')
  }
  for (const [i, network] of networks.entries()) {
    if (CHAIN_ID.test(network)) continue
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
