import { type Static, Type } from '@sinclair/typebox'
import { getDomain, getPublicSuffix } from 'tldts'
import { shape } from '../../platform/schema.ts'
import { closed, day, instantField, orNull, textField } from '../records/words.ts'
import type { FactBases } from './bases.ts'
import { domainOf } from './bases.ts'
import { defineFact, type Probe, type ProbeNetwork, type Subject, withTime } from './fact.ts'
import { pastDay, plausibleDay, readJsonAddress } from './read-address.ts'
import { createShared } from './shared.ts'

const DAY_MS = 24 * 3_600_000
const EVERY_MS = 30 * DAY_MS
const LIST_KEEP_MS = 7 * DAY_MS
const LIST_BYTES_MAX = 1024 * 1024

// RFC 9224: pairs of names and servers.
const Names = Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 10_000 })
const List = Type.Object({ services: Type.Array(Type.Array(Names), { maxItems: 10_000 }) })
const LIST = shape(List)

// RFC 9083, 5.3 and 4.5.
const Domain = Type.Object({
  ldhName: Type.Optional(Type.String({ maxLength: 300 })),
  events: Type.Optional(
    Type.Array(
      Type.Object({
        eventAction: Type.String({ maxLength: 200 }),
        eventDate: Type.Optional(Type.String({ maxLength: 64 })),
      }),
      { maxItems: 1_000 },
    ),
  ),
})
const DOMAIN_FORM = shape(Domain)
type DomainFacts = Omit<Static<typeof DomainRecord>, 'checkedAt'>

const DomainRecord = closed({
  name: textField('The domain.', 253),
  registered: orNull(day('Day of registration (RDAP).')),
  expires: Type.Optional(day('Day on which the registration ends.')),
  checkedAt: instantField('When it was looked up.'),
})

/** When the vendor's domain was registered. */
export const DOMAIN = defineFact({
  name: 'domain',
  value: Type.Omit(DomainRecord, ['checkedAt'], { additionalProperties: false }),
  live: { domain: Type.Optional(DomainRecord) },
  probes: (bases) => [rdapProbe(bases)],
  read: ([stored]) => (stored ? { domain: withTime(stored) } : {}),
})

/** When the vendor's domain was registered and how long it is paid for, every 30 days (RDAP). */
export function rdapProbe({ rdapServers }: FactBases): Probe {
  const lists = createShared<Static<typeof List> | undefined>(LIST_KEEP_MS)
  const shared = createShared<DomainFacts | undefined>(EVERY_MS / 2)

  async function find(
    outside: ProbeNetwork,
    name: string,
    now: number,
  ): Promise<DomainFacts | undefined> {
    const list = await lists('', now, () => readList(outside, rdapServers))
    if (!list.value) return undefined
    const server = serverOf(name, list.value)
    // No server for this ending, so nothing can be known.
    return server === undefined
      ? { name, registered: null }
      : readDomain(outside, server, name, now)
  }

  return {
    name: 'rdap',
    everyMs: EVERY_MS,
    appliesTo: (subject) => registrableOf(subject) !== undefined,
    async run(outside, subject, now) {
      const name = registrableOf(subject)
      if (name === undefined) return { facts: [] }
      const { at, value } = await shared(name, now, () => find(outside, name, now))
      return { facts: value ? [{ subject: 'domain', value, at }] : [] }
    },
  }
}

/** The registered part: `docs.acme.co.uk` → `acme.co.uk`. */
function registrableOf(subject: Pick<Subject, 'vendor'>): string | undefined {
  return getDomain(domainOf(subject) ?? '') ?? undefined
}

async function readList(outside: ProbeNetwork, url: string) {
  const reply = await readJsonAddress(outside, url, LIST, { maxBytes: LIST_BYTES_MAX })
  return reply.outcome === 'read' ? reply.value : undefined
}

/** The longest listed ending wins (RFC 9224, 4), and https is preferred. */
function serverOf(name: string, { services }: Static<typeof List>): string | undefined {
  const endings = [getPublicSuffix(name) ?? '', name.split('.').at(-1) ?? '']
  for (const ending of endings) {
    const [, servers = []] = services.find(([names = []]) => names.includes(ending)) ?? []
    const server = servers.find((one) => one.startsWith('https:')) ?? servers[0]
    if (server && URL.canParse(server)) return server.replace(/\/*$/, '/')
  }
  return undefined
}

async function readDomain(
  outside: ProbeNetwork,
  server: string,
  name: string,
  now: number,
): Promise<DomainFacts | undefined> {
  const headers = { accept: 'application/rdap+json, application/json' }
  const reply = await readJsonAddress(outside, `${server}domain/${name}`, DOMAIN_FORM, { headers })
  if (reply.outcome === 'absent') return { name, registered: null }
  if (reply.outcome !== 'read') return undefined
  const { ldhName, events = [] } = reply.value
  // The answer must be about the domain that was asked for.
  if (ldhName !== undefined && ldhName.toLowerCase().replace(/\.$/, '') !== name) return undefined
  const dateOf = (action: string) =>
    events.find(({ eventAction }) => eventAction.toLowerCase() === action)?.eventDate
  const expires = plausibleDay(dateOf('expiration'))
  const registered = pastDay(dateOf('registration'), now) ?? null
  return { name, registered, ...(expires ? { expires } : {}) }
}
