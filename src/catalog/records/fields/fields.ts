import type { Static, TObject } from '@sinclair/typebox'
import { AUTH } from './auth.ts'
import { CAPABILITIES, TAGS } from './capabilities-tags.tsx'
import type { Intersection, RecordField } from './field.ts'
import { LAST_RELEASE } from './last-release.tsx'
import { LICENSE } from './license.ts'
import {
  CHANGELOG,
  DOCS,
  HOMEPAGE,
  LLMS_TXT_LINK,
  OPENAPI,
  RATE_LIMITS,
  REMOTE,
  REPO,
} from './links.ts'
import { PACKAGES } from './packages.tsx'
import { POPULARITY_NUMBERS } from './popularity.tsx'
import { PRICING } from './pricing.ts'
import { REGISTRY_NAME } from './registry-name.ts'
import { TOOL_COUNT } from './tool-count.ts'
import { TRANSPORT_LIST } from './transports.ts'
import { WHERE } from './where.ts'
import { PAYMENTS } from './x402.ts'

/** Every field, in the order of the schemas and of JSON. A new field is one module and one line here. */
const FIELDS = [
  HOMEPAGE,
  REPO,
  DOCS,
  LLMS_TXT_LINK,
  OPENAPI,
  RATE_LIMITS,
  REMOTE,
  CHANGELOG,
  REGISTRY_NAME,
  LICENSE,
  TRANSPORT_LIST,
  PACKAGES,
  AUTH,
  PRICING,
  WHERE,
  PAYMENTS,
  TOOL_COUNT,
  POPULARITY_NUMBERS,
  CAPABILITIES,
  TAGS,
  LAST_RELEASE,
] as const satisfies readonly RecordField[]

type AnyField = (typeof FIELDS)[number]

/** The fields as outputs read them, one like the other. */
export const ALL_FIELDS: readonly RecordField[] = FIELDS

/** The members of all fields in `tools/SLUG.yaml`. */
export const WRITTEN_FIELDS = Object.assign(
  {},
  ...FIELDS.map(({ written }) => written),
) as Intersection<AnyField['written']>

/** The members of all fields in the record. */
export const SERVED_FIELDS = Object.assign(
  {},
  ...FIELDS.map(({ served }) => served),
) as Intersection<AnyField['served']>

export type ServedFields = Static<TObject<typeof SERVED_FIELDS>>
