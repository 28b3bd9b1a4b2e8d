import { Type } from '@sinclair/typebox'
import { closed, instantField, link, openWord } from '../records/words.ts'
import type { FactBases } from './bases.ts'
import { domainOf } from './bases.ts'
import { defineFact, type Probe, type ProbeNetwork, type Subject, withTime } from './fact.ts'
import { isAbsent, mediaTypeOf, readAddress, textOf } from './read-address.ts'
import { createShared } from './shared.ts'

const DAY_MS = 24 * 3_600_000
const EVERY_MS = 7 * DAY_MS
// Enough to recognise the file; it may have any length.
const BYTES_MAX = 16 * 1024
const TYPES = new Set([
  'text/plain',
  'text/markdown',
  'text/x-markdown',
  'application/octet-stream',
  '',
])

type Read = { url: string; status: 'found' | 'none' }

const LlmsTxtRecord = closed({
  url: link('Address that was read.'),
  status: openWord('State.', ['found', 'none']),
  checkedAt: instantField('When it was read.'),
})

/** The llms.txt of the tool: found or missing. */
export const LLMS_TXT = defineFact({
  name: 'llmsTxt',
  value: Type.Omit(LlmsTxtRecord, ['checkedAt'], { additionalProperties: false }),
  live: { llmsTxt: Type.Optional(LlmsTxtRecord) },
  probes: (bases) => [llmsTxtProbe(bases)],
  read: ([stored]) => (stored ? { llmsTxt: withTime(stored) } : {}),
})

/**
 * Checks every week whether there is an llms.txt, at the address in the record or else at the
 * vendor's domain.
 */
export function llmsTxtProbe({ site }: FactBases): Probe {
  const shared = createShared<Read | undefined>(EVERY_MS / 2)
  const addressOf = (subject: Subject) => {
    const domain = domainOf(subject)
    return subject.tool.llmsTxt ?? (domain && `${site(domain)}/llms.txt`)
  }

  return {
    name: 'llms-txt',
    everyMs: EVERY_MS,
    appliesTo: (subject) => addressOf(subject) !== undefined,
    async run(outside, subject, now) {
      const url = addressOf(subject)
      if (url === undefined) return { facts: [] }
      const { at, value } = await shared(url, now, () => read(outside, url))
      return { facts: value ? [{ subject: 'llmsTxt', value, at }] : [] }
    },
  }
}

async function read(outside: ProbeNetwork, url: string): Promise<Read | undefined> {
  const headers = { accept: 'text/plain, text/markdown' }
  const reply = await readAddress(outside, url, { headers, maxBytes: BYTES_MAX })
  if (isAbsent(reply)) return { url, status: 'none' }
  if (reply.outcome !== 'answered' || reply.status !== 200) return undefined
  if (reply.cut === 'broken') return undefined
  const text = textOf(reply)
    .replace(/^\ufeff/, '')
    .trim()
  const isText = TYPES.has(mediaTypeOf(reply.headers)) && text !== '' && !isMarkup(text)
  return { url: reply.url, status: isText ? 'found' : 'none' }
}

/** A page, JSON or an archive does not count, whatever its name. */
function isMarkup(text: string): boolean {
  return (
    /^(<!doctype|<html|<\?xml|<head|<body|<script|[{[]\s*["{[])/i.test(text) || text.includes('\0')
  )
}
