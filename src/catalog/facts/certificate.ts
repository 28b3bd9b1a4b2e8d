import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { shape } from '../../platform/schema.ts'
import { closed, instantField, link, openWord } from '../records/words.ts'
import {
  defineFact,
  type Findings,
  type Probe,
  type ProbeNetwork,
  type Subject,
  withTime,
} from './fact.ts'
import { createShared } from './shared.ts'

const HOUR_MS = 3_600_000
const EVERY_MS = 12 * HOUR_MS
// Two checks in one run count as one.
const APART_MS = HOUR_MS
// The names that TLS libraries give it in the reason of a failed connection.
const HAS_EXPIRED = /\bCERT_HAS_EXPIRED\b/

/** When a certificate was first seen expired; kept before it is reported. */
const Memory = closed({
  url: Type.String({ maxLength: 2_000 }),
  since: Type.String({ maxLength: 40 }),
})
const FORM = shape(Memory)
const MEMORY = 'memory certificate'

type CertificateState = 'valid' | 'expired'

const CertificateRecord = closed({
  url: link('The address whose certificate was checked.'),
  status: openWord('State.', ['valid', 'expired']),
  since: Type.Optional(instantField('When it was first seen to have expired.')),
  checkedAt: instantField('When it was looked at.'),
})

/** The expiry of the certificate of the tool. */
export const CERTIFICATE = defineFact({
  name: 'certificate',
  value: Type.Omit(CertificateRecord, ['checkedAt'], { additionalProperties: false }),
  live: { certificate: Type.Optional(CertificateRecord) },
  probes: () => [certificateProbe()],
  read: ([stored]) => (stored ? { certificate: withTime(stored) } : {}),
})

/**
 * Checks twice a day whether the certificate of the tool's address has expired. It is reported
 * after two checks in a row, so that a clock that is briefly wrong closes no gate.
 */
export function certificateProbe(): Probe {
  const shared = createShared<CertificateState | undefined>(EVERY_MS / 2)

  return {
    name: 'certificate',
    everyMs: EVERY_MS,
    appliesTo: (subject) => originOf(subject) !== undefined,
    async run(outside, subject, now) {
      const url = originOf(subject)
      if (url === undefined) return { facts: [] }
      const { at, value } = await shared(url, now, () => readCertificate(outside, url))
      return value ? findings(value, url, subject, at) : { facts: [] }
    },
  }
}

/** The address that users connect to. */
function originOf({ tool }: Subject): string | undefined {
  const url = URL.parse(tool.remoteUrl ?? tool.probe?.target ?? '')
  return url?.protocol === 'https:' ? `${url.origin}/` : undefined
}

async function readCertificate(
  outside: ProbeNetwork,
  url: string,
): Promise<CertificateState | undefined> {
  const answer = await outside.fetch(url, { method: 'HEAD', maxBytes: 1 })
  // Any answer means that the handshake succeeded.
  if (answer.outcome === 'answered') return 'valid'
  return answer.outcome === 'unreachable' && HAS_EXPIRED.test(answer.reason) ? 'expired' : undefined
}

function findings(
  state: CertificateState,
  url: string,
  { memories: memory }: Subject,
  at: number,
): Findings {
  const about = (value: unknown) => ({ subject: 'certificate', value, at })
  const remember = (since: string) => ({ subject: MEMORY, value: { url, since }, at })
  if (state === 'valid') return { facts: [about({ url, status: 'valid' }), remember('')] }
  const since = sinceOf(memory.get(MEMORY), url)
  if (!since) return { facts: [remember(isoTime(at))] }
  if (at - Date.parse(since) < APART_MS) return { facts: [remember(since)] }
  return { facts: [about({ url, status: 'expired', since }), remember(since)] }
}

function sinceOf(memory: unknown, url: string): string {
  if (FORM.wrong(memory).length > 0) return ''
  const remembered = memory as Static<typeof Memory>
  return remembered.url === url ? remembered.since : ''
}
