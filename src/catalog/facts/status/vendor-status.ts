import { shape } from '../../../platform/schema.ts'
import type { Probe } from '../../probing/probe.ts'
import type { FactBases } from '../bases.ts'
import { createShared } from '../shared.ts'
import type { Says } from './adapter.ts'
import { type Asking, adapterNamed, LONGEST_MS, Recognised, recognise } from './recognise.ts'
import { tell } from './tell.ts'

const HOUR_MS = 3_600_000
const KEEP_MS = HOUR_MS / 2

const FORM = shape(Recognised)
const MEMORY = 'memory vendorStatus'

const UNREADABLE: Says = { indicator: 'unknown', summary: 'Not readable by machines' }

type Read = { memory: Recognised; says?: Says }

/** What the vendor's status page says, every hour. */
export function vendorStatusProbe({ statusIo }: FactBases): Probe {
  const shared = createShared<Read | undefined>(KEEP_MS)

  return {
    name: 'vendor-status',
    everyMs: HOUR_MS,
    appliesTo: ({ vendor }) => URL.canParse(vendor?.statusPage ?? ''),
    async run(outside, { vendor, known }, now) {
      const page = vendor?.statusPage
      if (page === undefined) return { facts: [] }
      const memory = rememberedOf(known.get(MEMORY), page, now)
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

function rememberedOf(value: unknown, page: string, now: number): Recognised | undefined {
  if (FORM.wrong(value).length > 0) return undefined
  const memory = value as Recognised
  const isOver = memory.adapter === null && (now >= memory.again || now + LONGEST_MS < memory.again)
  return memory.page === page && !isOver ? memory : undefined
}

/** Undefined when nothing can be said now. */
async function readStatus(
  asking: Asking,
  memory: Recognised | undefined,
): Promise<Read | undefined> {
  if (!memory) return await recogniseAndRead(asking)
  const one = adapterNamed(memory.adapter)
  if (!one) return memory.adapter === null ? { memory } : recogniseAndRead(asking)
  const told = await tell(asking.outside, one, memory.under)
  if (told.outcome === 'says') return { memory, says: told.says }
  // The vendor may have moved to another maker.
  return told.outcome === 'other' ? await recogniseAndRead(asking) : undefined
}

async function recogniseAndRead(asking: Asking): Promise<Read | undefined> {
  const found = await recognise(asking)
  return found && { memory: found.recognised, ...(found.says ? { says: found.says } : {}) }
}
