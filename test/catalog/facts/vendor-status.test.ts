import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Findings } from '../../../src/catalog/facts/fact.ts'
import { vendorStatusProbe } from '../../../src/catalog/facts/vendor-status/fact.tsx'
import { HOSTILE, localOutside, type PlayedSite, playedSite, towards } from './played-site.ts'
import { aSubject, basesAt, DAY_MS, HOUR_MS, NOW, visibleFacts } from './subjects.ts'

type Says = { indicator?: string; summary?: string }
let site: PlayedSite
const outside = localOutside()
const probe = () => vendorStatusProbe(basesAt(site.base))
const ID = '5b36dc6502d06804c08349f7'

beforeEach(async () => {
  site = await playedSite()
})
afterEach(async () => {
  await site[Symbol.asyncDispose]()
})

const subject = (findings: Findings = { facts: [] }, page = `${site.base}/`) =>
  aSubject({}, { vendor: { statusPage: page }, facts: findings.facts })

async function says(findings = probe().run(outside, subject(), NOW)) {
  const { indicator, summary } = (visibleFacts(await findings).vendorStatus ?? {}) as Says
  return [indicator, summary]
}

type Case = [maker: string, path: string, value: unknown, indicator: string, summary: string]
const status = (indicator: string, description: string) => ({
  page: { id: 'x', name: 'Acme' },
  status: { indicator, description },
})
const instatus = (state: string, more = {}) => ({
  page: { name: 'Acme', url: 'https://acme.example', status: state },
  ...more,
})
const betterStack = (state: string, announcement: string | null = null) => ({
  data: { id: '1', type: 'status_page', attributes: { aggregate_state: state, announcement } },
})
const incidentIo = (incidents: object[], maintenances: object[] = []) => ({
  page_title: 'Acme',
  ongoing_incidents: incidents,
  in_progress_maintenances: maintenances,
  scheduled_maintenances: [],
})
const cachet = (state: string, label: string) => ({
  data: { id: 'status', type: 'status', attributes: { name: 'Acme', status: state, label } },
})

const CASES: Case[] = [
  ['Statuspage', '/api/v2/status.json', status('none', 'All fine'), 'none', 'All fine'],
  ['Statuspage', '/api/v2/status.json', status('critical', 'Down'), 'critical', 'Down'],
  ['Statuspage', '/api/v2/status.json', status('purple', 'Odd'), 'unknown', 'Odd'],
  ['Rootly', '/api/v1/status.json', status('major', 'Outage'), 'major', 'Outage'],
  ['Instatus', '/summary.json', instatus('UP'), 'none', 'All systems operational'],
  [
    ...(['Instatus', '/summary.json'] as const),
    instatus('HASISSUES', {
      activeIncidents: [
        { name: 'Slow API', impact: 'DEGRADEDPERFORMANCE' },
        { name: 'Mail is down', impact: 'MAJOROUTAGE' },
      ],
    }),
    ...(['critical', 'Slow API'] as const),
  ],
  ['Instatus', '/summary.json', instatus('HASISSUES'), 'minor', 'Some systems have issues'],
  [
    ...(['Instatus', '/summary.json'] as const),
    instatus('UNDERMAINTENANCE', { activeMaintenances: [{ name: 'Disks' }] }),
    ...(['maintenance', 'Disks'] as const),
  ],
  ['Better Stack', '/index.json', betterStack('operational'), 'none', 'All services are online'],
  ['Better Stack', '/index.json', betterStack('downtime', 'Fire'), 'critical', 'Fire'],
  ['Better Stack', '/index.json', betterStack('constructor'), 'unknown', 'constructor'],
  ['incident.io', '/api/v1/summary', incidentIo([]), 'none', 'All systems operational'],
  [
    ...(['incident.io', '/api/v1/summary'] as const),
    incidentIo([{ name: 'Errors', current_worst_impact: 'partial_outage' }, { name: 'B' }]),
    ...(['major', 'Errors'] as const),
  ],
  ['incident.io', '/api/v1/summary', incidentIo([], [{ name: 'Disks' }]), 'maintenance', 'Disks'],
  ['Cachet', '/api/status', cachet('major_outage', 'Major Outage'), 'critical', 'Major Outage'],
  [
    ...(['Cachet 2', '/api/v1/status'] as const),
    { data: { status: 'success', message: 'System operational' } },
    ...(['none', 'System operational'] as const),
  ],
]

describe('what the page of a maker says is read in our words:', () => {
  for (const [maker, path, value, indicator, summary] of CASES) {
    test(`${maker}, ${indicator}, ${summary}`, async () => {
      site.json(path, value)
      expect(await says()).toEqual([indicator, summary])
    })
  }

  test('Status.io, whose API is elsewhere, by the id that its page carries', async () => {
    const words = [
      [100, 'none'],
      [200, 'maintenance'],
      [300, 'minor'],
      [400, 'major'],
      [500, 'critical'],
      [600, 'critical'],
      [900, 'unknown'],
    ] as const
    site.text('/', `<script>var pageId = "${ID}";</script>`, 'text/html')
    for (const [code, indicator] of words) {
      const overall = { status: 'As it is', status_code: code, updated: 'x' }
      site.json(`/status-io/1.0/status/${ID}`, { result: { status_overall: overall, status: [] } })
      expect(await says()).toEqual([indicator, 'As it is'])
    }
  })
})

test('a page of many on one host is found under its own address', async () => {
  site.json('/acme/api/v1/summary', incidentIo([]))
  const page = `${site.base}/acme/`
  expect(
    visibleFacts(await probe().run(outside, subject({ facts: [] }, page), NOW)).vendorStatus,
  ).toEqual({ page, indicator: 'none', summary: 'All systems operational' })
})

test('while something goes on, the headline names it', async () => {
  site.json('/api/v2/status.json', status('minor', 'Minor Service Outage'))
  site.json('/api/v2/summary.json', { incidents: [{ name: 'Webhooks\u202e are late\n' }] })
  expect(await says()).toEqual(['minor', 'Minor Service Outage: Webhooks are late'])
  site.text('/api/v2/summary.json', '<p>', 'text/html')
  expect(await says()).toEqual(['minor', 'Minor Service Outage'])
})

test('the paths are tried once, and then one is asked', async () => {
  site.json('/api/v1/summary', incidentIo([]))
  const first = await probe().run(outside, subject(), NOW)
  expect(site.paths).toEqual([
    ...['/api/v2/status.json', '/summary.json', '/index.json', '/api/v1/summary'],
  ])
  site.paths.length = 0
  expect(await probe().run(outside, subject(first), NOW + HOUR_MS)).toMatchObject({
    facts: [{ subject: 'memory vendorStatus' }, { subject: 'vendorStatus' }],
  })
  expect(site.paths).toEqual(['/api/v1/summary'])
})

test('tools of one vendor ask once in half an hour', async () => {
  site.json('/api/v2/status.json', status('none', 'All fine'))
  const one = probe()
  await one.run(outside, subject(), NOW)
  const second = await one.run(outside, subject(), NOW + HOUR_MS / 2 - 1)
  expect(second.facts.map(({ at }) => at)).toEqual([NOW, NOW])
  expect(site.paths).toHaveLength(1)
  await one.run(outside, subject(second), NOW + HOUR_MS / 2)
  expect(site.paths).toHaveLength(2)
})

test('a page of nobody that is known is said to be so, and tried again after a month', async () => {
  site.text('/', '<h1>All is well</h1>', 'text/html')
  const first = await probe().run(outside, subject(), NOW)
  expect(visibleFacts(first).vendorStatus).toMatchObject({ indicator: 'unknown' })
  site.paths.length = 0
  const second = await probe().run(outside, subject(first), NOW + 29 * DAY_MS)
  expect(visibleFacts(second)).toEqual(visibleFacts(first))
  expect(site.paths).toEqual([])
  site.json('/api/status', cachet('operational', 'Fine'))
  expect(await says(probe().run(outside, subject(first), NOW + 30 * DAY_MS))).toEqual([
    ...['none', 'Fine'],
  ])
  const moved = subject(first, `${site.base}/elsewhere`)
  expect(await says(probe().run(outside, moved, NOW))).toEqual(['none', 'Fine'])
})

test('a page that refuses to say is tried again after a day', async () => {
  site.on('/index.json', () => new Response('', { status: 403 }))
  const first = await probe().run(outside, subject(), NOW)
  site.json('/index.json', betterStack('operational'))
  const at = async (ms: number) => (await says(probe().run(outside, subject(first), NOW + ms)))[0]
  expect(await at(DAY_MS - 1)).toBe('unknown')
  expect(await at(DAY_MS)).toBe('none')
})

test('a vendor that moves to another maker is recognised again', async () => {
  site.json('/api/v2/status.json', status('none', 'All fine'))
  const first = await probe().run(outside, subject(), NOW)
  site.text('/api/v2/status.json', '<!doctype html>', 'text/html')
  site.json('/index.json', betterStack('degraded'))
  expect(await says(probe().run(outside, subject(first), NOW))).toEqual([
    ...['minor', 'Some services are degraded'],
  ])
})

test('a vendor without a status page is not asked', () => {
  expect(probe().appliesTo(aSubject())).toBe(false)
})

describe('what says nothing is never served as a status:', () => {
  for (const [name, play] of Object.entries(HOSTILE)) {
    test(name, async () => {
      site.json('/api/v2/status.json', status('none', 'All fine'))
      const first = await probe().run(outside, subject(), NOW)
      site.on('/api/v2/status.json', play)
      const [indicator] = await says(probe().run(towards(name), subject(first), NOW))
      expect(['unknown', undefined]).toContain(indicator)
    })
  }

  test('an outage of the page leaves what was known, however often', async () => {
    site.json('/api/v2/status.json', status('none', 'All fine'))
    const first = await probe().run(outside, subject(), NOW)
    site.on('/api/v2/status.json', () => new Response('', { status: 503 }))
    expect(await probe().run(outside, subject(first), NOW)).toEqual({ facts: [] })
    expect(site.paths).toHaveLength(2)
  })
})
