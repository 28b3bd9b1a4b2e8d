import type { Probe, Subject } from '../../src/catalog/facts/fact.ts'
import { probesOf } from '../../src/catalog/facts/facts.ts'
import { createPoliteFetch } from '../../src/catalog/probing/polite-fetch.ts'
import { tryTarget } from '../../src/catalog/probing/round.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { aSubject, basesAt, NOW } from '../catalog/facts/subjects.ts'
import type { Guard, WayOut, WayResult } from './way-out.ts'

const FACTS = 'src/catalog/facts'
const X402 = 'src/catalog/facts/x402/check-endpoint.ts'
const POLITE = 'src/catalog/probing/polite-fetch.ts'
const FOLLOW = 'src/catalog/facts/follow.ts'

// Those that ask in another way than `ask`.
const THROUGH: Record<string, string[]> = {
  certificate: [`${FACTS}/certificate.ts`],
  mcp: [`${FACTS}/mcp-tools/mcp-request.ts`, FOLLOW],
  x402: [X402],
}

// They say that something is there, whatever it is.
const BY_STATUS = new Set(['certificate', 'pages', 'llms-txt', 'x402'])

/** Everything that measures the tools of a catalog; `robots.txt` is asked before each. */
export function waysOfProbes({ fetch }: Guard): WayOut[] {
  const polite = () =>
    createPoliteFetch({ fetch, clock, baseUrl: () => 'https://beckon.example', pauseMs: 0 })
  const methods = ['GET', 'HEAD', 'POST', 'mcp'] as const
  const pings = methods.map(
    (method): WayOut => ({
      name: `whether a tool answers (${method})`,
      through: [FOLLOW, POLITE],
      byStatus: true,
      async ask(base) {
        const { outcome, why } = await tryTarget(
          { outside: polite() },
          { target: `${base}/`, method },
        )
        return { taken: outcome === 'open', why: why ?? outcome }
      },
    }),
  )
  const facts = probesOf(basesAt('http://nowhere.example')).map(
    ({ name }): WayOut => ({
      name: `facts of ${name}`,
      through: THROUGH[name] ?? [`${FACTS}/read-address.ts`],
      ...(BY_STATUS.has(name) ? { byStatus: true } : {}),
      ask: (base) => measured(polite(), probeNamed(name, base), base),
    }),
  )
  return [...pings, ...facts]
}

function probeNamed(name: string, base: string): Probe {
  const probe = probesOf(basesAt(base)).find((probe) => probe.name === name)
  if (!probe) throw new Error(`there is no probe ${name}`)
  return probe
}

async function measured(
  outside: Parameters<Probe['run']>[0],
  probe: Probe,
  base: string,
): Promise<WayResult> {
  const subject = subjectAt(base)
  if (!probe.appliesTo(subject)) return { taken: false }
  const { facts } = await probe.run(outside, subject, NOW)
  const visibleFacts = facts.filter(({ subject: about }) => !about.startsWith('memory '))
  return {
    taken: visibleFacts.some(({ value }) => isGood(value)),
    why: JSON.stringify(visibleFacts),
  }
}

// What a fact says when it could not be read.
const UNREAD = new Set([
  'silent',
  'not-asked',
  'error',
  'auth',
  'unreadable',
  'foreign',
  'missing',
  'none',
  'expired',
])

function isGood(value: unknown): boolean {
  const { status, answer, indicator } = (value ?? {}) as Record<string, unknown>
  return ![status, answer].some((word) => UNREAD.has(word as string)) && indicator !== 'unknown'
}

/** A tool that every probe has something to ask about, at one address. */
function subjectAt(base: string): Subject {
  const page = { url: `${base}/pricing`, read: '2026-11-21', facts: ['pricingNotes'] }
  return aSubject(
    {
      ...{ remoteUrl: `${base}/mcp`, transports: ['streamable-http'] },
      ...{ kind: 'http-api', category: 'models' },
      repo: 'https://github.com/acme/tool',
      packages: ['npm', 'pypi', 'go'].map((registry) => ({ registry, name: nameIn(registry) })),
      ...{ llmsTxt: `${base}/llms.txt`, openapi: `${base}/openapi.json` },
      ...{ changelog: `${base}/changes`, sources: [page] },
      x402: { level: 'pays', endpoints: [{ url: `${base}/paid`, method: 'GET' }] },
    } as never,
    {
      vendor: {
        ...{ domain: 'acme.example.com', url: 'https://acme.example.com' },
        ...{ statusPage: `${base}/status`, terms: `${base}/terms` },
      },
    },
  )
}

function nameIn(registry: string): string {
  return registry === 'go' ? 'acme.example.com/tool' : 'tool'
}
