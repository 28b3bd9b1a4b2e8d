import type { FactModule } from '../../facts/fact.ts'
import { FACTS } from '../../facts/facts.ts'
import { byPlace, type RecordField } from '../../records/fields/field.ts'
import { ALL_FIELDS } from '../../records/fields/fields.ts'
import { flagWords, MODELS_SHOWN } from '../../records/models.ts'
import { questionWords } from '../../records/not-known.ts'
import type { MarkdownKit } from '../../records/output-kits.ts'
import { disagreementWords } from '../../records/paid-check.ts'
import type { ToolDetail, UnitPrice } from '../../records/tool.ts'
import type { PaidEndpoint } from '../../records/x402.ts'
import { mdAddress, mdCode, mdCodeBlock, mdText } from './escape.ts'
import { factLine, items, joinedWords, usdAmount } from './lines.ts'
import { shownAddress } from './shown-text.ts'

const KIT: MarkdownKit = {
  fact: factLine,
  text: mdText,
  words: joinedWords,
  code: mdCode,
  address: mdAddress,
}

type Lines = { place: number; linesOf(tool: ToolDetail): string[] }

/** The lines of the fields, and those that need more than a field. */
const FACT_LINES = byPlace<Lines>([
  {
    place: 10,
    linesOf: ({ vendor, vendorUrl }) =>
      factLine('Vendor', `${mdText(vendor)} ${linkOf(vendorUrl) ?? ''}`.trim()),
  },
  {
    place: 20,
    linesOf: ({ kind }) => factLine('Kind', kind === 'unknown' ? '' : mdText(kind)),
  },
  {
    place: 30,
    linesOf: ({ category, area }) => factLine('Category', joinedWords([category, area])),
  },
  { place: 200, linesOf: (tool) => factLine('Also of this company', companyOf(tool)) },
  { place: 220, linesOf: ({ details }) => details.flatMap(detailLine) },
  ...ALL_FIELDS.flatMap(({ markdown }) => (markdown ? [fieldLine(markdown)] : [])),
])

function fieldLine({ place, label, text }: NonNullable<RecordField['markdown']>): Lines {
  return { place, linesOf: (tool) => factLine(label, text(tool, KIT)) }
}

function detailLine({ label, value }: ToolDetail['details'][number]): string[] {
  // A sentence that begins with an address is a sentence.
  const isAddress = !/[\s"<>]/.test(value) && shownAddress(value)
  return factLine(label, isAddress ? mdAddress(value) : mdText(value))
}

/** What the tool is, where it runs and how it is reached. */
export function factLines(tool: ToolDetail): string[] {
  return FACT_LINES.flatMap(({ linesOf }) => linesOf(tool))
}

function companyOf({ sameCompany, sameCompanyMore: more }: ToolDetail): string {
  const slugs = joinedWords(sameCompany)
  return more ? `${slugs} and ${more.count} more (${mdAddress(more.url)})` : slugs
}

/** The questions that the record leaves open, with the reason. */
export function notKnownLines({ notKnown }: ToolDetail): string[] {
  return notKnown.flatMap(({ field, why }) => factLine(questionWords(field), mdText(why)))
}

export function priceLines(tool: ToolDetail): string[] {
  return [
    ...factLine('Pricing', withNote(tool.pricing, tool.priceSummary)),
    ...items([tool.pricingNotes]),
    ...tool.unitPrices.map(priceLine),
  ]
}

/** Nothing if the record does not say. */
export function payLines({ x402 }: ToolDetail): string[] {
  if (!x402) return []
  return [
    ...factLine('x402', withNote(x402.level, x402.evidence ?? '')),
    ...x402.endpoints.map((endpoint) => `- ${endpointLine(endpoint)}`),
    ...(x402.disagreements ?? []).flatMap(({ url, ...differs }) =>
      factLine(
        'Differs',
        [url && mdAddress(url), mdText(disagreementWords(differs))].filter(Boolean).join(' '),
      ),
    ),
  ]
}

export function endpointLine({ url, priceUsd, network }: PaidEndpoint): string {
  const price = priceUsd === null ? 'price not known' : `${usdAmount(priceUsd)} a call`
  return `${mdAddress(url)}: ${price}${network === '' ? '' : ` on ${mdText(network)}`}`
}

/** Samples to copy, each in its own block of code. */
export function connectLines({ connect }: ToolDetail): string[] {
  const samples = [
    ['Install', connect.install],
    ['Request', connect.http],
    ['Claude Code', connect.claudeCode],
    ['Configuration', connect.config],
    ['Paid request', connect.x402],
  ] as const
  return samples.flatMap(([label, sample]) =>
    sample ? [`${label}:\n\n${mdCodeBlock(sample)}`] : [],
  )
}

export function provenanceLines({ provenance }: ToolDetail): string[] {
  const onOwn = { true: 'on the domain of the vendor', false: 'not on the domain of the vendor' }
  return [
    ...factLine('Legal entity', mdText(provenance.legalEntity)),
    ...factLine('Domain', mdText(provenance.domain)),
    ...factLine('Domain registered', provenance.domainRegistered ?? undefined),
    ...factLine('Endpoint', onOwn[`${provenance.endpointOnVendorDomain}` as 'true']),
    ...factLine('Terms', linkOf(provenance.terms)),
    ...factLine('Privacy', linkOf(provenance.privacy)),
    ...factLine('Status page', linkOf(provenance.statusPage)),
    ...factLine('Changelog', linkOf(provenance.changelog)),
    ...factLine('security.txt', mdText(provenance.securityTxt ?? '')),
    ...factLine('Checked', provenance.checked ?? undefined),
    ...items(provenance.notes ?? []),
    ...factLine('Provenance score', scoreOf(provenance)),
    ...(provenance.checks ?? [])
      .filter(({ held }) => !held)
      .flatMap(({ name, result }) => factLine(`Does not hold: ${name}`, mdText(result))),
    ...(provenance.sources ?? []).flatMap(({ url, read, facts }) =>
      factLine(joinedWords(facts) || 'Source', `${mdAddress(url)} (${mdText(read)})`),
    ),
  ]
}

function scoreOf({ score, checks = [] }: ToolDetail['provenance']): string | undefined {
  if (score === null) return undefined
  const counted = checks.filter(({ path }) => path === undefined)
  const holding = counted.filter((it) => it.held).length
  return `${score} of 100, ${holding} of ${counted.length} checks hold`
}

/** The measurements: the lines of every fact, in their order. */
export function liveLines(
  { live }: Pick<ToolDetail, 'live'>,
  facts: readonly FactModule[] = FACTS,
): string[] {
  return [
    ...factLine('Measured', live.updatedAt ?? undefined),
    ...facts.flatMap((one) => one.markdown?.(live, KIT) ?? []),
  ]
}

function priceLine({ item, unit, usd: amount, note, source }: UnitPrice): string {
  const remark = note ? `. ${mdText(note)}` : ''
  const where = source ? ` (${mdAddress(source)})` : ''
  return `- ${mdText(item)}: ${usdAmount(amount)} per ${mdText(unit)}${remark}${where}`
}

function linkOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : mdAddress(url)
}

function withNote(word: string, note: string): string {
  return note === '' ? mdText(word) : `${mdText(word)}. ${mdText(note)}`
}

type Model = NonNullable<ToolDetail['live']['models']>[string]

/** The capabilities of each model, one line each, for the first hundred. */
export function modelLines({ live, jsonUrl }: ToolDetail): string[] {
  const all = Object.entries(live.models ?? {})
  const visible = all.slice(0, MODELS_SHOWN).map(([id, model]) => modelLine(id, model))
  const more = all.length - visible.length
  return more > 0 ? [...visible, `- ${more} more: ${mdAddress(jsonUrl)}`] : visible
}

function modelLine(id: string, model: Model): string {
  const can = joinedWords(flagWords(model, true))
  const cannot = joinedWords(flagWords(model, false))
  const facts = [
    can,
    cannot && `not: ${cannot}`,
    amount('context', model.contextTokens),
    amount('longest output', model.outputTokens),
    labelled('takes', model.input),
    labelled('gives', model.output),
    labelled('knowledge until', model.knowledge),
    labelled('owned by', model.ownedBy),
  ].filter(Boolean)
  const sources = [
    sourceOf(model.source, model.checkedAt),
    sourceOf(model.writtenSource, model.writtenOn),
  ].filter(Boolean)
  const read = sources.length > 0 ? ` (${sources.join(', ')})` : ''
  return `- ${mdCode(id)}${facts.length > 0 ? `: ${facts.join('; ')}` : ''}${read}`
}

function amount(label: string, value: unknown): string {
  return typeof value === 'number' ? `${label} ${value} tokens` : ''
}

function labelled(label: string, value: unknown): string {
  const text = typeof value === 'string' ? mdText(value) : ''
  return text === '' ? '' : `${label} ${text}`
}

function sourceOf(url: unknown, day: unknown): string {
  if (typeof url !== 'string') return ''
  return `${mdAddress(url)} ${typeof day === 'string' ? mdText(day.slice(0, 10)) : ''}`.trim()
}
