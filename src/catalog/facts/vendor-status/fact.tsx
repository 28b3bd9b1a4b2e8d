/** @jsxImportSource preact */
import { type Static, Type } from '@sinclair/typebox'
import { shape } from '../../../platform/schema.ts'
import { cleanLine } from '../../../platform/text.ts'
import { closed, instantField, link, openWord, textField } from '../../records/words.ts'
import type { FactBases } from '../bases.ts'
import { defineFact, type Probe, type ProbeNetwork, withTime } from '../fact.ts'
import { readAddress, textOf } from '../read-address.ts'
import { createShared } from '../shared.ts'
import { type Adapter, readPageOf, type StatusSummary } from './adapter.ts'
import {
  BETTER_STACK,
  CACHET,
  CACHET_2,
  INCIDENT_IO,
  INSTATUS,
  ROOTLY,
  STATUS_IO,
  STATUSPAGE,
  statusIoId,
} from './makers.ts'

const VendorStatus = closed({
  page: link('Status page of the vendor.'),
  indicator: openWord('What it says.', ['none', 'minor', 'major', 'critical', 'unknown']),
  summary: textField('Its headline.'),
  checkedAt: instantField('When it was read.'),
})

const HOUR_MS = 3_600_000
const KEEP_MS = HOUR_MS / 2

/** The provider that a page belongs to; the paths are tried once, and the result is kept. */
const Recognised = closed({
  page: Type.String({ maxLength: 2_000 }),
  /** Null: no known provider. */
  adapter: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
  /** The address that the provider's paths are relative to. */
  under: Type.String({ maxLength: 2_100 }),
  /** When a page without a known provider is tried again; 0 for the others. */
  again: Type.Integer(),
})
type Recognised = Static<typeof Recognised>

const FORM = shape(Recognised)
const MEMORY = 'memory vendorStatus'

const UNREADABLE: StatusSummary = { indicator: 'unknown', summary: 'Not readable by machines' }

type Read = { memory: Recognised; says?: StatusSummary }

export const VENDOR_STATUS = defineFact({
  name: 'vendorStatus',
  value: Type.Omit(VendorStatus, ['checkedAt'], { additionalProperties: false }),
  live: { vendorStatus: Type.Optional(VendorStatus) },
  remembered: true,
  probes: (bases) => [vendorStatusProbe(bases)],
  read: ([stored]) => (stored ? { vendorStatus: withTime(stored) } : {}),
  markdown: ({ vendorStatus }, { fact, text }) =>
    fact('Vendor status', text(vendorStatus?.summary ?? '')),
  html: ({ vendorStatus }, { Fact, Out }) =>
    vendorStatus && (
      <Fact name="Vendor says">
        <Out to={vendorStatus.page}>{cleanLine(vendorStatus.summary)}</Out>
      </Fact>
    ),
})

/** Reads the vendor's status page every hour. */
export function vendorStatusProbe({ statusIo }: FactBases): Probe {
  const shared = createShared<Read | undefined>(KEEP_MS)

  return {
    name: 'vendor-status',
    everyMs: HOUR_MS,
    appliesTo: ({ vendor }) => URL.canParse(vendor?.statusPage ?? ''),
    async run(outside, { vendor, memories }, now) {
      const page = vendor?.statusPage
      if (page === undefined) return { facts: [] }
      const memory = readMemory(memories.get(MEMORY), page, now)
      const find = () => readStatus({ outside, page, statusIo, now }, memory)
      const { at, value } = await shared(page, now, find)
      if (!value) return { facts: [] }
      const { memory: next, says = UNREADABLE } = value
      return {
        facts: [
          { subject: MEMORY, value: next, at },
          { subject: 'vendorStatus', value: { page, ...says }, at },
        ],
      }
    },
  }
}

function readMemory(value: unknown, page: string, now: number): Recognised | undefined {
  if (FORM.wrong(value).length > 0) return undefined
  const memory = value as Recognised
  const isOver = memory.adapter === null && (now >= memory.again || now + LONGEST_MS < memory.again)
  return memory.page === page && !isOver ? memory : undefined
}

/** Undefined if nothing is known now. */
async function readStatus(
  asking: Asking,
  memory: Recognised | undefined,
): Promise<Read | undefined> {
  if (!memory) return await recogniseAndRead(asking)
  const one = findAdapter(memory.adapter)
  if (!one) return memory.adapter === null ? { memory } : recogniseAndRead(asking)
  const reading = await readPageOf(asking.outside, one, memory.under)
  if (reading.outcome === 'says') return { memory, says: reading.says }
  // The vendor may have changed its provider.
  return reading.outcome === 'other' ? await recogniseAndRead(asking) : undefined
}

async function recogniseAndRead(asking: Asking): Promise<Read | undefined> {
  const recognition = await recognise(asking)
  return (
    recognition && {
      memory: recognition.recognised,
      ...(recognition.says ? { says: recognition.says } : {}),
    }
  )
}

/** In the order in which they are tried: the most common first. */
const ADAPTERS: readonly Adapter[] = [
  STATUSPAGE,
  INSTATUS,
  BETTER_STACK,
  INCIDENT_IO,
  ROOTLY,
  CACHET,
  CACHET_2,
]

type Asking = { outside: ProbeNetwork; page: string; statusIo: string; now: number }

const DAY_MS = 24 * 3_600_000
const LONGEST_MS = 30 * DAY_MS
const PAGE_BYTES_MAX = 512 * 1024

function findAdapter(name: string | null): Adapter | undefined {
  return [...ADAPTERS, STATUS_IO].find((one) => one.name === name)
}

/**
 * Tries the known paths in turn. A page without a known provider is tried again in a month, one
 * that refused in a day. Undefined if it does not answer at all.
 */
async function recognise(
  asking: Asking,
): Promise<{ recognised: Recognised; says?: StatusSummary } | undefined> {
  const { outside, page, statusIo, now } = asking
  let refused = false
  for (const under of placesOf(page)) {
    for (const one of ADAPTERS) {
      const reading = await readPageOf(outside, one, under)
      if (reading.outcome === 'says')
        return { recognised: { page, adapter: one.name, under, again: 0 }, says: reading.says }
      if (reading.outcome === 'silent' && !reading.answers) return undefined
      if (reading.outcome === 'silent') refused = true
    }
  }
  const html = await readAddress(outside, page, { maxBytes: PAGE_BYTES_MAX })
  const id = html.outcome === 'answered' ? statusIoId(textOf(html)) : undefined
  if (id !== undefined) {
    const under = `${statusIo}/1.0/status/${id}`
    const reading = await readPageOf(outside, STATUS_IO, under)
    if (reading.outcome === 'says')
      return { recognised: { page, adapter: STATUS_IO.name, under, again: 0 }, says: reading.says }
    if (reading.outcome === 'silent') refused = true
  }
  const again = now + (refused ? DAY_MS : LONGEST_MS)
  return { recognised: { page, adapter: null, under: '', again } }
}

/** The page itself, for providers with many pages on one host, and then the host. */
function placesOf(page: string): string[] {
  const { origin, pathname } = new URL(page)
  return [...new Set([origin + pathname.replace(/\/+$/, ''), origin])]
}
