import { type Static, Type } from '@sinclair/typebox'
import { PaidCheck } from './paid-check.ts'
import { closed, count, day, instant, link, openWord, orNull, slug, text } from './words.ts'

const share = (description: string) =>
  orNull(Type.Number({ minimum: 0, maximum: 100, description }))

export const LiveProbe = closed({
  target: link('What is asked.'),
  method: openWord('How it is asked.', ['GET', 'HEAD', 'POST', 'mcp']),
  lastAt: instant('When it was last asked.'),
  lastOk: Type.Boolean({ description: 'Whether it answered; a demand for credentials is one.' }),
  lastStatus: orNull(Type.Integer({ description: 'HTTP status of the last answer.' })),
  lastMs: orNull(count('Milliseconds of the last answer.')),
  authRequired: Type.Boolean({ description: 'Whether it asked for credentials or payment.' }),
  uptime24h: share('Percent of answered probes in 24 hours.'),
  uptime30d: share('Percent of answered probes in 30 days.'),
  p50ms24h: orNull(count('Median milliseconds in 24 hours.')),
  p95ms24h: orNull(count('95th percentile of milliseconds in 24 hours.')),
  samples24h: count('Probes in 24 hours.'),
  samples30d: count('Probes in 30 days.'),
  days: Type.Array(
    closed({
      date: day('Day.'),
      probes: count('Probes of the day.'),
      ok: count('Those that were answered.'),
    }),
    { description: 'One row a day, oldest first.' },
  ),
})
export type LiveProbe = Static<typeof LiveProbe>

/** What was measured of one tool. */
export const Live = closed(
  {
    slug: slug('The tool.'),
    probe: Type.Optional(LiveProbe),
    vendorStatus: Type.Optional(
      closed({
        page: link('Status page of the vendor.'),
        indicator: openWord('What it says.', ['none', 'minor', 'major', 'critical', 'unknown']),
        summary: text('Its headline.'),
        checkedAt: instant('When it was read.'),
      }),
    ),
    versions: Type.Array(
      closed({
        registry: openWord('Registry.', ['npm', 'pypi', 'go', 'github']),
        name: text('Package.', 300),
        version: text('Newest version.', 100),
        released: Type.Optional(day('Day of its release.')),
        seenAt: instant('When it was first seen.'),
      }),
    ),
    githubStars: Type.Optional(orNull(count('Stars on GitHub.'))),
    npmWeekly: Type.Optional(orNull(count('Downloads from npm in a week.'))),
    pypiWeekly: Type.Optional(orNull(count('Downloads from PyPI in a week.'))),
    securityTxt: Type.Optional(
      closed({
        url: link('Address that was read.'),
        status: openWord('State.', ['valid', 'none', 'expired']),
        expires: Type.Optional(instant('Its Expires field.')),
        checkedAt: instant('When it was read.'),
      }),
    ),
    llmsTxt: Type.Optional(
      closed({
        url: link('Address that was read.'),
        status: openWord('State.', ['found', 'none']),
        checkedAt: instant('When it was read.'),
      }),
    ),
    domain: Type.Optional(
      closed({
        name: text('The domain.', 253),
        registered: orNull(day('Day of registration (RDAP).')),
        expires: Type.Optional(day('Day on which the registration ends.')),
        checkedAt: instant('When it was looked up.'),
      }),
    ),
    repository: Type.Optional(
      closed({
        url: link('Repository of the source code.'),
        archived: Type.Boolean({ description: 'Whether its owner has archived it.' }),
        since: Type.Optional(instant('When that was first seen.')),
        checkedAt: instant('When it was read.'),
      }),
    ),
    certificate: Type.Optional(
      closed({
        url: link('Address whose certificate was looked at.'),
        status: openWord('State.', ['valid', 'expired']),
        since: Type.Optional(instant('When it was first seen to have expired.')),
        checkedAt: instant('When it was looked at.'),
      }),
    ),
    pages: Type.Array(
      closed({
        url: link('A page that is watched.'),
        kind: openWord('What it is.', ['pricing', 'terms', 'privacy', 'changelog', 'docs']),
        status: orNull(Type.Integer({ description: 'HTTP status.' })),
        checkedAt: instant('When it was read.'),
        changedAt: orNull(instant('When its text last changed.')),
        fingerprint: text('Hash of its text.', 128),
      }),
    ),
    mcpTools: Type.Optional(
      closed({
        url: link('MCP endpoint.'),
        checkedAt: instant('When it was asked.'),
        status: openWord('How it answered.', ['ok', 'auth', 'error']),
        note: Type.Optional(text('Remark.')),
        protocol: Type.Optional(text('Protocol version it spoke.', 64)),
        tools: Type.Optional(
          Type.Array(
            closed({
              name: text('Tool.', 200),
              description: Type.Optional(text('What it says of itself.')),
            }),
          ),
        ),
      }),
    ),
    models: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Record(
          Type.String(),
          Type.Union([Type.Boolean(), Type.Number(), Type.String(), Type.Null()]),
        ),
        {
          description:
            'Capabilities by model, each with the source that it was read at and when (checkedAt).',
        },
      ),
    ),
    x402: Type.Optional(
      Type.Array(PaidCheck, { description: 'What paid addresses answer without a payment.' }),
    ),
    updatedAt: orNull(instant('When any of this was last measured; null before the first time.')),
  },
  'What was measured; empty until the first probe.',
)
export type Live = Static<typeof Live>

export type LiveBySlug = ReadonlyMap<string, Live>

/** Nothing was measured yet. */
export function notMeasured(slug: string): Live {
  return { slug, versions: [], pages: [], updatedAt: null }
}
