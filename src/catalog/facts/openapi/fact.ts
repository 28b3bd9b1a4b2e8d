import { Type } from '@sinclair/typebox'
import { closed, countField, instantField, link, openWord } from '../../records/words.ts'
import { defineFact, type Probe, type ProbeNetwork, withTime } from '../fact.ts'
import { isAbsent, readAddress } from '../read-address.ts'
import { createShared } from '../shared.ts'
import { lintDocument, RULES } from './lint.ts'
import { parseDocument } from './parse-document.ts'

const EVERY_MS = 7 * 24 * 3_600_000
// YAML of this size is parsed in a second; longer documents are not read.
const BYTES_MAX = 4 * 1024 * 1024

const LintRecord = closed({
  url: link('Address of the document.'),
  status: openWord('What was there.', ['read', 'none', 'foreign']),
  rules: Type.Array(
    closed({
      rule: openWord('The rule.', RULES),
      operations: countField('Operations that it is about.'),
      complete: countField('Those that have what it asks for.'),
    }),
    { description: 'Empty unless it was read and has operations.' },
  ),
  checkedAt: instantField('When it was read.'),
})

/** What the operations of the OpenAPI document have that the record names. */
export const OPENAPI_DOCUMENT = defineFact({
  name: 'openapiDocument',
  value: Type.Omit(LintRecord, ['checkedAt'], { additionalProperties: false }),
  live: { openapiDocument: Type.Optional(LintRecord) },
  probes: () => [openapiProbe()],
  read: ([stored]) => (stored ? { openapiDocument: withTime(stored) } : {}),
})

/** Reads the OpenAPI document of a record every week, and counts what its operations have. */
export function openapiProbe(): Probe {
  const shared = createShared<Awaited<ReturnType<typeof read>>>(EVERY_MS / 2)
  return {
    name: 'openapi',
    everyMs: EVERY_MS,
    appliesTo: ({ tool }) => tool.openapi !== undefined,
    async run(outside, { tool: { openapi: url } }, now) {
      if (url === undefined) return { facts: [] }
      const { at, value } = await shared(url, now, () => read(outside, url))
      return { facts: value ? [{ subject: 'openapiDocument', value, at }] : [] }
    },
  }
}

async function read(outside: ProbeNetwork, url: string) {
  const headers = { accept: 'application/json, application/yaml, text/yaml' }
  const reply = await readAddress(outside, url, { headers, maxBytes: BYTES_MAX })
  if (isAbsent(reply)) return { url, status: 'none', rules: [] }
  if (reply.outcome !== 'answered' || reply.status !== 200 || reply.cut) return undefined
  const parsed = parseDocument(reply.body)
  if ('why' in parsed) return { url, status: 'foreign', rules: [] }
  return { url, status: 'read', rules: lintDocument(parsed.document) ?? [] }
}
