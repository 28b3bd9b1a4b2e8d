import type { Static, TProperties } from '@sinclair/typebox'
import { oncePer } from '../../platform/once.ts'
import { shape } from '../../platform/schema.ts'
import type { Intersection } from '../records/fields/field.ts'
import { ANSWERS } from './answers/fact.ts'
import { type FactBases, PUBLIC_BASES } from './bases.ts'
import { CERTIFICATE } from './certificate.ts'
import { DOMAIN } from './domain.ts'
import type { FactModule, FoundFact, Probe, StoredValue } from './fact.ts'
import { LLMS_TXT } from './llms-txt.ts'
import { MCP_TOOLS } from './mcp-tools/fact.tsx'
import { MODEL_LIST } from './models.ts'
import { OPENAPI_DOCUMENT } from './openapi/fact.ts'
import { WATCHED_PAGES } from './pages/fact.ts'
import { POPULARITY } from './popularity.ts'
import { REPOSITORY } from './repository/fact.ts'
import { SECURITY_TXT } from './security-txt.ts'
import { VENDOR_STATUS } from './vendor-status/fact.tsx'
import { VERSIONS } from './versions/fact.tsx'
import { X402_ADDRESSES } from './x402/fact.ts'

/**
 * Every fact, in the order of `live`, Markdown and the page. A new fact is one module and one line
 * here.
 */
export const FACTS = [
  ANSWERS,
  VENDOR_STATUS,
  VERSIONS,
  POPULARITY,
  SECURITY_TXT,
  LLMS_TXT,
  DOMAIN,
  REPOSITORY,
  CERTIFICATE,
  WATCHED_PAGES,
  MCP_TOOLS,
  OPENAPI_DOCUMENT,
  MODEL_LIST,
  X402_ADDRESSES,
] as const satisfies readonly FactModule[]

export type AnyFact = (typeof FACTS)[number]
type Name = AnyFact['name']

/** Every probe except the one for availability, which runs in rounds. */
export function probesOf(bases: FactBases, facts: readonly FactModule[] = FACTS): readonly Probe[] {
  return facts.flatMap(({ probes }) => probes?.(bases) ?? [])
}

export const ALL_PROBES: readonly Probe[] = probesOf(PUBLIC_BASES)

/** The schemas of all members of `live` that facts fill. */
export type LiveProperties = Intersection<AnyFact['live']>

export function livePropertiesOf(facts: readonly FactModule[]): TProperties {
  return Object.assign({}, ...facts.map(({ live }) => live))
}

type FactValues = { [Fact in AnyFact as Fact['name']]: Static<Fact['value']> }

/** The value if it fits its schema; anything else is never served. */
export function factValue<K extends Name>(name: K, value: unknown): FactValues[K] | undefined {
  const fact = FACTS.find((one) => one.name === name)
  return fact && isValue(fact, value) ? (value as FactValues[K]) : undefined
}

/** The rows of a tool that belong to a fact and fit its schema. */
export function rowsOfFact<V>(fact: FactModule, rows: ReadonlyArray<StoredValue<unknown>>) {
  return rows.filter(
    ({ subject, value }) =>
      (subject === fact.name || subject.startsWith(`${fact.name} `)) && isValue(fact, value),
  ) as Array<StoredValue<V>>
}

/** The facts whose earlier values stay on record. */
export function remembered(facts: readonly FoundFact[]): FoundFact[] {
  return facts.filter(({ subject, value }) => {
    const [name] = subject.split(' ')
    const fact: FactModule | undefined = FACTS.find((one) => one.name === name)
    return fact?.remembered === true && isValue(fact, value)
  })
}

const shapeOf = oncePer((schema: FactModule['value']) => shape(schema))

function isValue({ value: schema }: FactModule, value: unknown): boolean {
  return shapeOf(schema).wrong(value).length === 0
}
