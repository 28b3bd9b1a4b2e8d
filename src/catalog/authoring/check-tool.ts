import type { Static } from '@sinclair/typebox'
import { suggest } from '../../platform/did-you-mean.ts'
import { describe } from '../../platform/yaml/value-words.ts'
import type { AuthoredScore, AuthoredTool, CatalogSettings } from '../records/authored.ts'
import type { Methodology } from '../records/methodology.ts'
import { CHAIN_ID, isDay } from '../records/words.ts'
import type { FromFile, ReportProblem } from './folder.ts'

type Tool = Static<typeof AuthoredTool>
type Beside = {
  vendorIds: ReadonlySet<string>
  settings: FromFile<CatalogSettings> | undefined
  methodology: FromFile<Methodology> | undefined
}

/** Checks a tool against the other files, and its fields against each other. */
export function checkTool(tool: FromFile<Tool>, beside: Beside, report: ReportProblem): void {
  const { parsed, value } = tool
  const { vendorIds, settings, methodology } = beside
  if (value.vendor !== undefined && !vendorIds.has(value.vendor)) {
    const expected = `the name of a file in vendors/${suggest(value.vendor, vendorIds)}`
    report(parsed, '/vendor', expected, describe(value.vendor))
  }
  if (settings) checkWords(tool, settings.value, report)
  checkPrices(tool, report)
  checkModels(tool, report)
  checkScores(tool, report)
  if (methodology) checkCodes(tool, methodology.value, report)
}

function checkWords(
  { parsed, value }: FromFile<Tool>,
  settings: CatalogSettings,
  report: ReportProblem,
) {
  const categories = settings.categories.map(({ id }) => id)
  if (!categories.includes(value.category)) {
    const expected = `a category of catalog.yaml${suggest(value.category, categories)}`
    report(parsed, '/category', expected, describe(value.category))
  }
  const earlier = new Set<string>()
  const capabilities = settings.capabilities?.map(({ id }) => id)
  for (const [i, word] of (value.capabilities ?? []).entries()) {
    if (earlier.has(word))
      report(parsed, `/capabilities/${i}`, 'each capability once', describe(word))
    earlier.add(word)
    if (!capabilities || capabilities.includes(word)) continue
    const expected = `a capability of catalog.yaml${suggest(word, capabilities)}`
    report(parsed, `/capabilities/${i}`, expected, describe(word))
  }
}

function checkPrices({ parsed, value: { x402 } }: FromFile<Tool>, report: ReportProblem) {
  if (!x402) return
  const { level, evidence, source, endpoints = [] } = x402
  // Endpoints are evidence too, once they are requested.
  if (level !== 'no' && !evidence && endpoints.length === 0) {
    report(parsed, '/x402/evidence', `what shows the level ${describe(level)}`, 'nothing')
  }
  if (level === 'no' && endpoints.length > 0) {
    report(parsed, '/x402/endpoints', 'no endpoints with the level "no"', 'a list')
  }
  for (const [i, { network }] of endpoints.entries()) {
    if (network === '' || CHAIN_ID.test(network)) continue
    const expected = 'a chain id, such as eip155:8453, or an empty text'
    report(parsed, `/x402/endpoints/${i}/network`, expected, describe(network))
  }
  for (const [i, endpoint] of endpoints.entries()) {
    if (endpoint.priceUsd === null || endpoint.source || source) continue
    report(parsed, `/x402/endpoints/${i}/source`, 'where the price was read', 'nothing')
  }
}

const FULL_DAY = 'YYYY-MM-DD'.length

function checkModels(
  { parsed, value: { models, sources = [] } }: FromFile<Tool>,
  report: ReportProblem,
) {
  for (const [name, { knowledge = '' }] of Object.entries(models ?? {})) {
    if (knowledge.length < FULL_DAY || isDay(knowledge)) continue
    const at = `/models/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/knowledge`
    report(parsed, at, 'a real day, such as 2026-01-31', describe(knowledge))
  }
  if (!models || sources.some(({ facts }) => facts.includes('models'))) return
  report(parsed, '/models', 'an entry of sources with models among its facts', 'none')
}

function checkScores({ parsed, value }: FromFile<Tool>, report: ReportProblem) {
  const scores = Object.entries((value.scores ?? {}) as Record<string, AuthoredScore>)
  for (const [key, { score, state }] of scores) {
    if (score === undefined && state === undefined) {
      report(parsed, `/scores/${key}/score`, 'a score from 0 to 10, or a state', 'nothing')
    }
    if (score !== undefined && state !== undefined) {
      report(parsed, `/scores/${key}/state`, 'either a score or a state', 'both')
    }
  }
  if (scores.some(([, { score }]) => score !== undefined) && !value.assessment) {
    report(parsed, '/assessment', 'the confidence and the day of the scores', 'nothing')
  }
}

function checkCodes(
  { parsed, value }: FromFile<Tool>,
  methodology: Methodology,
  report: ReportProblem,
) {
  const criteria = methodology.criteria.map(({ key }) => key)
  for (const key of Object.keys(value.scores ?? {})) {
    if (criteria.includes(key)) continue
    const expected = `a criterion of the methodology${suggest(key, criteria)}`
    report(parsed, `/scores/${key}`, expected, describe(key))
  }
  checkApplicable({ parsed, value }, methodology, report)
  const codes = methodology.negatives.codes
  for (const [i, { code, points, date, expires }] of (value.negatives ?? []).entries()) {
    const definition = codes.find((it) => it.code === code)
    const names = codes.map((it) => it.code)
    if (!definition) {
      const expected = `a deduction of the methodology${suggest(code, names)}`
      report(parsed, `/negatives/${i}/code`, expected, describe(code))
    } else if (points < definition.points) {
      report(parsed, `/negatives/${i}/points`, `at least ${definition.points}`, describe(points))
    }
    if (expires < date) {
      report(parsed, `/negatives/${i}/expires`, `a day from ${date} on`, describe(expires))
    }
  }
  const gates = methodology.gates.map(({ code }) => code)
  for (const [i, { code, date, until }] of (value.gates ?? []).entries()) {
    if (!gates.includes(code)) {
      const expected = `a gate of the methodology${suggest(code, gates)}`
      report(parsed, `/gates/${i}/code`, expected, describe(code))
    }
    if (until !== undefined && until < date) {
      report(parsed, `/gates/${i}/until`, `a day from ${date} on`, describe(until))
    }
  }
}

/** A kind that is not known is outside of no list. */
function isOutside(kinds: readonly string[] | undefined, kind: string): boolean {
  return kinds !== undefined && kind !== 'unknown' && !kinds.includes(kind)
}

/**
 * Checks that only the methodology says what applies to a kind, or a bad criterion could be left
 * out.
 */
function checkApplicable(
  { parsed, value }: Pick<FromFile<Tool>, 'parsed' | 'value'>,
  { criteria }: Methodology,
  report: ReportProblem,
) {
  const scores = (value.scores ?? {}) as Record<string, AuthoredScore>
  for (const { key, kinds } of criteria) {
    if (scores[key]?.state !== 'not-applicable' || isOutside(kinds, value.kind)) continue
    const expected = `a score or pending: by the methodology ${key} applies to the kind ${value.kind}`
    report(parsed, `/scores/${key}/state`, expected, describe('not-applicable'))
  }
}
