import { Failure } from '../../platform/failure.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { BEST, LISTING_PARAMETERS, type ListingParameter } from '../records/parameters.ts'
import { isDay } from '../records/words.ts'
import { foldText } from '../search/match.ts'
import { INVALID_PARAMETER } from './failures.ts'

export const PARAMETERS = Object.keys(LISTING_PARAMETERS) as readonly ListingParameter[]

// Parameters with one value or several, separated by commas.
const WORDS = PARAMETERS.filter((name) => LISTING_PARAMETERS[name].type === 'array')

export type ListingQuery = {
  /** Folded values by parameter; one of them must fit. */
  words: ReadonlyMap<string, readonly string[]>
  minScore?: number
  agentReady?: boolean
  graded?: boolean
  /** What it is for, in words. */
  search?: string
  updatedSince?: string
  removed: boolean
  sort: string
  slim: boolean
  limit: number
  cursor?: string
  /** The query as it was understood; a cursor belongs to it. */
  filters: Record<string, string | number | boolean | readonly string[]>
}

const { limit: LIMIT, q: Q, kind: LIST } = LISTING_PARAMETERS

/** Throws `invalid_parameter` that names the parameter and what it takes. */
export function readListingQuery(query: URLSearchParams): ListingQuery {
  const values = valuesByName(query)
  const one = (name: string) => values.get(name)
  const filters: ListingQuery['filters'] = {}
  const words = new Map<string, readonly string[]>()
  for (const name of WORDS) {
    const values = one(name) && listed(name, one(name) as string)
    if (!values) continue
    words.set(name, values)
    filters[name] = values
  }
  const minScore = number(one('minScore'), 'minScore')
  const agentReady = yesOrNo(one('agentReady'), 'agentReady')
  const graded = yesOrNo(one('graded'), 'graded')
  const removed = yesOrNo(one('removed'), 'removed')
  const updatedSince = day(one('updatedSince'))
  const search = one('q')
  const sort = oneOf(one('sort'), 'sort') ?? (search === undefined ? 'score' : BEST)
  const view = oneOf(one('view'), 'view')
  const rest = { minScore, agentReady, graded, q: search, updatedSince, removed }
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) filters[name] = value
  filters.sort = sort
  if (view === 'slim') filters.view = view
  const cursor = one('cursor')
  return {
    words,
    sort,
    filters,
    removed: removed ?? false,
    slim: view === 'slim',
    ...(search === undefined ? {} : { search }),
    ...(minScore === undefined ? {} : { minScore }),
    ...(agentReady === undefined ? {} : { agentReady }),
    ...(graded === undefined ? {} : { graded }),
    ...(updatedSince === undefined ? {} : { updatedSince }),
    ...(cursor === undefined ? {} : { cursor }),
    limit: number(one('limit'), 'limit') ?? LIMIT.default,
  }
}

function valuesByName(query: URLSearchParams): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of query) {
    if (!Object.hasOwn(LISTING_PARAMETERS, name)) throw unknown(name)
    if (value.trim() === '') throw invalid(name, 'must not be empty; leave it out instead')
    const before = values.get(name)
    if (before === undefined) values.set(name, value)
    else if ((WORDS as readonly string[]).includes(name)) values.set(name, `${before},${value}`)
    else throw invalid(name, 'must be given once')
  }
  const long = values.get('q')
  if (long !== undefined && long.length > (Q.maxLength as number)) {
    throw invalid('q', `must have at most ${Q.maxLength} characters`)
  }
  return values
}

function unknown(name: string): Failure {
  const parameter = cutText(cleanLine(name), 64)
  return new Failure(
    INVALID_PARAMETER,
    `There is no parameter "${parameter}"; this list takes ${PARAMETERS.join(', ')}.`,
    { parameter, allowed: PARAMETERS },
  )
}

function invalid(parameter: string, must: string, allowed?: readonly string[]): Failure {
  const more = allowed ? { parameter, allowed } : { parameter }
  return new Failure(INVALID_PARAMETER, `The parameter ${parameter} ${must}.`, more)
}

function listed(name: string, text: string): string[] {
  const values = text
    .split(',')
    .map((value) => foldText(value.trim()))
    .filter(Boolean)
  if (values.length === 0) throw invalid(name, 'must have a value besides the commas')
  const most = LIST.maxItems as number
  if (values.length > most) throw invalid(name, `takes at most ${most} values`)
  return [...new Set(values)].sort()
}

function number(text: string | undefined, name: 'minScore' | 'limit'): number | undefined {
  if (text === undefined) return undefined
  const { type, minimum = 0, maximum = 0 } = LISTING_PARAMETERS[name]
  const whole = type === 'integer'
  const pattern = whole ? /^\d{1,6}$/ : /^\d{1,3}(\.\d{1,4})?$/
  const value = pattern.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw invalid(name, `must be a ${whole ? 'whole ' : ''}number from ${minimum} to ${maximum}`)
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

function oneOf(text: string | undefined, name: 'sort' | 'view'): string | undefined {
  const allowed: readonly string[] = LISTING_PARAMETERS[name].enum
  if (text === undefined || allowed.includes(text)) return text
  throw invalid(name, `must be one of ${allowed.join(', ')}`, allowed)
}
