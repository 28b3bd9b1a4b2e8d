import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Shape, shape } from '../../platform/schema.ts'
import { Live } from '../records/live.ts'
import { PaidCheck } from '../records/paid-check.ts'
import { closed } from '../records/words.ts'

const { versions, securityTxt, llmsTxt, domain, pages, mcpTools, vendorStatus, models } =
  Live.properties
const { repository, certificate } = Live.properties
const { githubStars, npmWeekly, pypiWeekly } = Live.properties
const { target, method } = Live.properties.probe.properties

/** What the values of facts look like. Times stand beside a fact, never in it. */
export const FACT_VALUES = {
  /** `probe`: what is asked whether the tool is there. */
  probe: closed({ target, method }),
  /** `version REGISTRY NAME`. */
  version: Type.Pick(versions.items, ['version', 'released'], { additionalProperties: false }),
  /** `popularity`, or `popularity WHERE` for those that are read apart. */
  popularity: closed({ githubStars, npmWeekly, pypiWeekly }),
  /** `securityTxt`. */
  securityTxt: Type.Omit(securityTxt, ['checkedAt'], { additionalProperties: false }),
  /** `llmsTxt`. */
  llmsTxt: Type.Omit(llmsTxt, ['checkedAt'], { additionalProperties: false }),
  /** `domain`. */
  domain: Type.Omit(domain, ['checkedAt'], { additionalProperties: false }),
  /** `repository`. */
  repository: Type.Omit(repository, ['checkedAt'], { additionalProperties: false }),
  /** `certificate`. */
  certificate: Type.Omit(certificate, ['checkedAt'], { additionalProperties: false }),
  /** `page URL`. */
  page: Type.Pick(pages.items, ['kind', 'status', 'fingerprint'], { additionalProperties: false }),
  /** `mcpTools`. */
  mcpTools: Type.Omit(mcpTools, ['checkedAt'], { additionalProperties: false }),
  /** `vendorStatus`. */
  vendorStatus: Type.Omit(vendorStatus, ['checkedAt'], { additionalProperties: false }),
  /** `models`. */
  models,
  /** `x402 URL`. */
  x402: Type.Omit(PaidCheck, ['url', 'checkedAt', 'changedAt', 'prices'], {
    additionalProperties: false,
  }),
} satisfies Record<string, TSchema>

export type FactKind = keyof typeof FACT_VALUES
export type FactValue<K extends FactKind> = Static<(typeof FACT_VALUES)[K]>

const SHAPES = new Map<string, Shape<TSchema>>(
  Object.entries(FACT_VALUES).map(([kind, schema]) => [kind, shape<TSchema>(schema)]),
)

/** The value when it is one of its kind: what is not is never served. */
export function factValue<K extends FactKind>(kind: K, value: unknown): FactValue<K> | undefined {
  return SHAPES.get(kind)?.wrong(value).length === 0 ? (value as FactValue<K>) : undefined
}
