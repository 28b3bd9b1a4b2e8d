import { cleanLine, cutText } from '../../kernel/text.ts'
import { isDay } from '../record/words.ts'
import { CatalogProblem } from './problem.ts'
import { isSort, SORTS } from './sorts.ts'

/** Parameters that take one value or several, separated by commas. */
export const WORDS = [
  ...['kind', 'category', 'area', 'grade', 'transport', 'auth', 'pricing', 'where'],
  ...['registry', 'capability', 'tag', 'x402', 'vendor'],
] as const

/** Every parameter of the listing (design: Feeds). */
export const PARAMETERS = [
  ...['kind', 'category', 'area', 'grade', 'minScore', 'transport', 'auth', 'pricing', 'where'],
  ...['registry', 'capability', 'tag', 'x402', 'vendor', 'agentReady', 'graded', 'q'],
  ...['updatedSince', 'removed', 'sort', 'view', 'limit', 'cursor'],
] as const

export type ListingQuery = {
  /** Folded values by parameter; one of them must fit. */
  words: ReadonlyMap<string, readonly string[]>
  minScore?: number
  agentReady?: boolean
  graded?: boolean
  /** Folded words, all of which must occur. */
  search: readonly string[]
  updatedSince?: string
  removed: boolean
  sort: string
  slim: boolean
  limit: number
  cursor?: string
  /** What was asked for, as it was understood: also what a cursor belongs to. */
  filters: Record<string, string | number | boolean | readonly string[]>
}

const LIMIT_USUAL = 100
const LIMIT_MOST = 500
const VALUES_MOST = 50
const TEXT_MOST = 200

/** Letters without marks and case, so that "Café" is found by "cafe". */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}

/** Folded words of a search. */
export function searchWords(text: string): string[] {
  return folded(text).split(/\s+/).filter(Boolean)
}

/** Throws `invalid_parameter` that names the parameter and what it takes. */
export function readListingQuery(query: URLSearchParams): ListingQuery {
  const given = valuesByName(query)
  const one = (name: string) => given.get(name)
  const filters: ListingQuery['filters'] = {}
  const words = new Map<string, readonly string[]>()
  for (const name of WORDS) {
    const values = one(name) && listed(name, one(name) as string)
    if (!values) continue
    words.set(name, values)
    filters[name] = values
  }
  const minScore = number(one('minScore'), 'minScore', 0, 100)
  const agentReady = yesOrNo(one('agentReady'), 'agentReady')
  const graded = yesOrNo(one('graded'), 'graded')
  const removed = yesOrNo(one('removed'), 'removed')
  const updatedSince = day(one('updatedSince'))
  const sort = oneOf(one('sort'), 'sort', isSort, SORTS) ?? 'score'
  const view = oneOf(one('view'), 'view', (text) => text === 'slim' || text === 'full', VIEWS)
  const search = searchWords(one('q') ?? '')
  const rest = { minScore, agentReady, graded, q: one('q'), updatedSince, removed }
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) filters[name] = value
  filters.sort = sort
  if (view === 'slim') filters.view = view
  const cursor = one('cursor')
  return {
    ...{ words, search, sort, filters, removed: removed ?? false, slim: view === 'slim' },
    ...(minScore === undefined ? {} : { minScore }),
    ...(agentReady === undefined ? {} : { agentReady }),
    ...(graded === undefined ? {} : { graded }),
    ...(updatedSince === undefined ? {} : { updatedSince }),
    ...(cursor === undefined ? {} : { cursor }),
    limit: number(one('limit'), 'limit', 1, LIMIT_MOST, true) ?? LIMIT_USUAL,
  }
}

const VIEWS = ['full', 'slim']

function valuesByName(query: URLSearchParams): Map<string, string> {
  const given = new Map<string, string>()
  for (const [name, value] of query) {
    if (!(PARAMETERS as readonly string[]).includes(name)) throw unknown(name)
    if (value.trim() === '') throw invalid(name, 'must not be empty; leave it out instead')
    const before = given.get(name)
    if (before === undefined) given.set(name, value)
    else if ((WORDS as readonly string[]).includes(name)) given.set(name, `${before},${value}`)
    else throw invalid(name, 'must be given once')
  }
  const long = given.get('q')
  if (long !== undefined && long.length > TEXT_MOST) {
    throw invalid('q', `must have at most ${TEXT_MOST} characters`)
  }
  return given
}

function unknown(name: string): CatalogProblem {
  const said = cutText(cleanLine(name), 64)
  return new CatalogProblem(
    'invalid_parameter',
    `There is no parameter "${said}"; this list takes ${PARAMETERS.join(', ')}.`,
    { parameter: said, allowed: PARAMETERS },
  )
}

function invalid(parameter: string, must: string, allowed?: readonly string[]): CatalogProblem {
  const more = allowed ? { parameter, allowed } : { parameter }
  return new CatalogProblem('invalid_parameter', `The parameter ${parameter} ${must}.`, more)
}

function listed(name: string, text: string): string[] {
  const values = text
    .split(',')
    .map((value) => folded(value.trim()))
    .filter(Boolean)
  if (values.length === 0) throw invalid(name, 'must have a value beside the commas')
  if (values.length > VALUES_MOST) throw invalid(name, `takes at most ${VALUES_MOST} values`)
  return [...new Set(values)].sort()
}

function number(
  text: string | undefined,
  name: string,
  least: number,
  most: number,
  whole = false,
): number | undefined {
  if (text === undefined) return undefined
  const pattern = whole ? /^\d{1,6}$/ : /^\d{1,3}(\.\d{1,4})?$/
  const value = pattern.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalid(name, `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`)
}

function yesOrNo(text: string | undefined, name: string): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'true') return true
  if (text === 'false') return false
  throw invalid(name, 'must be true or false', ['true', 'false'])
}

function day(text: string | undefined): string | undefined {
  if (text === undefined || isDay(text)) return text
  throw invalid('updatedSince', 'must be a day like 2026-01-31')
}

function oneOf(
  text: string | undefined,
  name: string,
  fits: (text: string) => boolean,
  allowed: readonly string[],
): string | undefined {
  if (text === undefined || fits(text)) return text
  throw invalid(name, `must be one of ${allowed.join(', ')}`, allowed)
}
