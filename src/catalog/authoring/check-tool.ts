import type { Static } from '@sinclair/typebox'
import type { AuthoredScore, AuthoredTool, CatalogSettings } from '../records/authored.ts'
import type { Methodology } from '../records/methodology.ts'
import { hint } from './did-you-mean.ts'
import { found } from './expected.ts'
import type { Filed } from './folder.ts'
import type { Tell } from './tell.ts'

type Tool = Static<typeof AuthoredTool>
type Beside = {
  vendorIds: ReadonlySet<string>
  settings: Filed<CatalogSettings> | undefined
  methodology: Filed<Methodology> | undefined
}

/** What a tool says of others, and what its fields say of each other. */
export function checkTool(tool: Filed<Tool>, beside: Beside, tell: Tell): void {
  const { parsed, value } = tool
  const { vendorIds, settings, methodology } = beside
  if (value.vendor !== undefined && !vendorIds.has(value.vendor)) {
    const expected = `the name of a file in vendors/${hint(value.vendor, vendorIds)}`
    tell(parsed, '/vendor', expected, found(value.vendor))
  }
  if (settings) checkWords(tool, settings.value, tell)
  checkPrices(tool, tell)
  checkModels(tool, tell)
  checkScores(tool, tell)
  if (methodology) checkCodes(tool, methodology.value, tell)
}

function checkWords({ parsed, value }: Filed<Tool>, settings: CatalogSettings, tell: Tell) {
  const categories = settings.categories.map(({ id }) => id)
  if (!categories.includes(value.category)) {
    const expected = `a category of catalog.yaml${hint(value.category, categories)}`
    tell(parsed, '/category', expected, found(value.category))
  }
  const seen = new Set<string>()
  const known = settings.capabilities?.map(({ id }) => id)
  for (const [i, word] of (value.capabilities ?? []).entries()) {
    if (seen.has(word)) tell(parsed, `/capabilities/${i}`, 'each capability once', found(word))
    seen.add(word)
    if (!known || known.includes(word)) continue
    const expected = `a capability of catalog.yaml${hint(word, known)}`
    tell(parsed, `/capabilities/${i}`, expected, found(word))
  }
}

function checkPrices({ parsed, value: { x402 } }: Filed<Tool>, tell: Tell) {
  if (!x402) return
  const { level, evidence, source, endpoints = [] } = x402
  // The addresses themselves show it once they are asked.
  if (level !== 'no' && !evidence && endpoints.length === 0) {
    tell(parsed, '/x402/evidence', `what shows the level ${found(level)}`, 'nothing')
  }
  if (level === 'no' && endpoints.length > 0) {
    tell(parsed, '/x402/endpoints', 'no endpoints with the level "no"', 'a list')
  }
  for (const [i, endpoint] of endpoints.entries()) {
    if (endpoint.priceUsd === null || endpoint.source || source) continue
    tell(parsed, `/x402/endpoints/${i}/source`, 'where the price was read', 'nothing')
  }
}

function checkModels({ parsed, value: { models, sources = [] } }: Filed<Tool>, tell: Tell) {
  if (!models || sources.some(({ facts }) => facts.includes('models'))) return
  tell(parsed, '/models', 'an entry of sources whose facts name models', 'none')
}

function checkScores({ parsed, value }: Filed<Tool>, tell: Tell) {
  const scores = Object.entries((value.scores ?? {}) as Record<string, AuthoredScore>)
  for (const [key, { score, state }] of scores) {
    if (score === undefined && state === undefined) {
      tell(parsed, `/scores/${key}/score`, 'a score from 0 to 10, or a state', 'nothing')
    }
    if (score !== undefined && state !== undefined) {
      tell(parsed, `/scores/${key}/state`, 'either a score or a state', 'both')
    }
  }
  if (scores.some(([, { score }]) => score !== undefined) && !value.assessment) {
    tell(parsed, '/assessment', 'the confidence and the day of the scores', 'nothing')
  }
}

function checkCodes({ parsed, value }: Filed<Tool>, methodology: Methodology, tell: Tell) {
  const criteria = methodology.criteria.map(({ key }) => key)
  for (const key of Object.keys(value.scores ?? {})) {
    if (criteria.includes(key)) continue
    const expected = `a criterion of the methodology${hint(key, criteria)}`
    tell(parsed, `/scores/${key}`, expected, found(key))
  }
  const codes = methodology.negatives.codes
  for (const [i, { code, points, date, expires }] of (value.negatives ?? []).entries()) {
    const known = codes.find((it) => it.code === code)
    const names = codes.map((it) => it.code)
    if (!known) {
      const expected = `a deduction of the methodology${hint(code, names)}`
      tell(parsed, `/negatives/${i}/code`, expected, found(code))
    } else if (points < known.points) {
      tell(parsed, `/negatives/${i}/points`, `at least ${known.points}`, found(points))
    }
    if (expires < date) {
      tell(parsed, `/negatives/${i}/expires`, `a day from ${date} on`, found(expires))
    }
  }
  const gates = methodology.gates.map(({ code }) => code)
  for (const [i, { code, date, until }] of (value.gates ?? []).entries()) {
    if (!gates.includes(code)) {
      const expected = `a gate of the methodology${hint(code, gates)}`
      tell(parsed, `/gates/${i}/code`, expected, found(code))
    }
    if (until !== undefined && until < date) {
      tell(parsed, `/gates/${i}/until`, `a day from ${date} on`, found(until))
    }
  }
}
