import type { ChangeItem, Tombstone } from '../../records/change.ts'
import type { ToolChecksDocument } from '../../records/checks-document.ts'
import type { BreakdownItem } from '../../records/grading.ts'
import type { ToolHistory } from '../../records/history.ts'
import type { ToolDetail } from '../../records/tool.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { toolChecksDocument } from '../check-feeds.ts'
import { historyOf } from '../history.ts'
import { feedMeta } from '../meta.ts'
import { SCHEMA_VERSION } from './tables.ts'

type Value = string | number | boolean | null | undefined

/** The table, and a value for each of its columns. */
export type Row = [table: string, ...values: Value[]]

/** What the file is, from the `meta` of every document. */
export function* aboutRows(snapshot: CatalogSnapshot): Generator<Row> {
  const { settings, revision, baseUrl } = snapshot
  const facts = { ...feedMeta(snapshot), schema: SCHEMA_VERSION, name: settings.name, revision }
  for (const [name, value] of Object.entries({ ...facts, baseUrl })) {
    yield ['about', name, String(value)]
  }
}

/** Everything that the documents of one tool say. */
export function* toolRows(snapshot: CatalogSnapshot, tool: ToolDetail): Generator<Row> {
  yield recordRow(tool)
  const { slug, packages, capabilities, unitPrices, x402, breakdown } = tool
  for (const [n, one] of packages.entries()) yield ['packages', slug, n, one.registry, one.name]
  for (const [n, one] of capabilities.entries()) yield ['capabilities', slug, n, one]
  for (const [n, { item, unit, usd, note, source }] of unitPrices.entries()) {
    yield ['prices', slug, n, item, unit, usd, note, source]
  }
  for (const [n, { url, priceUsd, network }] of (x402?.endpoints ?? []).entries()) {
    yield ['paid_endpoints', slug, n, url, priceUsd, network]
  }
  for (const row of breakdown) yield* criterionRows(slug, row)
  yield* gradeRows(tool)
  yield* checkRows(toolChecksDocument(snapshot, tool))
  yield* mcpRows(historyOf(snapshot, tool))
  yield* historyRows(historyOf(snapshot, tool))
}

function recordRow(tool: ToolDetail): Row {
  const { slug, name, vendor, kind, category, area, summary, url, catalog } = tool
  const { license, auth, pricing, where, x402, repo, docsUrl, remoteUrl, registryName } = tool
  const { graded, grade, score, agentReady, rank, categoryRank, assessment, verdict } = catalog
  return [
    'tools',
    ...[slug, name, vendor, kind, category, area, summary, url],
    ...[license, auth, pricing, where, x402?.level, repo, docsUrl, remoteUrl, registryName],
    ...[tool.lastRelease, tool.updated, graded, grade, score, agentReady, rank, categoryRank],
    ...[assessment.confidence, assessment.date, verdict, JSON.stringify(tool)],
  ]
}

function* criterionRows(slug: string, row: BreakdownItem): Generator<Row> {
  const { key, name, state, weight, effectiveWeight, score, points, pointsMost, reason } = row
  const sum = [state, weight, effectiveWeight, score, points, pointsMost]
  yield ['criteria', slug, key, name, ...sum, reason, row.date]
  const findings = row.findings ?? []
  const urls = new Set(findings.map(({ url }) => url))
  const links = (row.evidence ?? []).filter((url) => !urls.has(url))
  for (const [n, one] of findings.entries()) {
    const { url, mark, answer, says, means, date, until, counts } = one
    yield ['evidence', slug, key, n, url, mark, answer, says, means, date, until, counts]
  }
  for (const [n, url] of links.entries()) {
    const nothing = Array.from({ length: 7 }, () => null)
    yield ['evidence', slug, key, findings.length + n, url, ...nothing]
  }
}

/** What caps the grade, what takes points, and the grades before. */
function* gradeRows({ slug, catalog }: ToolDetail): Generator<Row> {
  for (const [n, { code, cap, reason, evidence, date }] of (catalog.gates ?? []).entries()) {
    yield ['gates', slug, n, code, cap, reason, evidence, date]
  }
  for (const [n, one] of (catalog.negatives ?? []).entries()) {
    const { code, points, reason, source, date, expires } = one
    yield ['deductions', slug, n, code, points, reason, source, date, expires]
  }
  for (const [n, one] of catalog.history.entries()) {
    const { run, runLabel, methodology, basis, confidence, grade, score, pending } = one
    const result = [grade, score, JSON.stringify(pending)]
    yield ['grade_history', slug, n, run, runLabel, methodology, basis, confidence, ...result]
  }
}

function* checkRows({ slug, criteria }: ToolChecksDocument): Generator<Row> {
  for (const { criterion, checks } of criteria) {
    for (const { check, answer, summary, source, date } of checks) {
      yield ['checks', slug, criterion, check, answer, summary, source, date]
    }
  }
}

/** The list of an MCP server, and how it changed. */
function* mcpRows({ slug, tools, toolLists }: ToolHistory): Generator<Row> {
  for (const { name, hash, seenAt, changedAt } of tools) {
    yield ['mcp_tools', slug, name, hash, seenAt, changedAt]
  }
  for (const [list, { at, url, count, changes }] of toolLists.entries()) {
    yield ['mcp_lists', slug, list, at, url, count]
    for (const [n, { tool, kind, breaking, hash, parts }] of changes.entries()) {
      yield ['mcp_changes', slug, list, n, tool, kind, breaking, hash, JSON.stringify(parts)]
    }
  }
}

function* historyRows(history: ToolHistory): Generator<Row> {
  const { slug, prices, paidPrices, versions, status, months } = history
  for (const [n, { at, item, unit, before, after }] of prices.entries()) {
    yield ['price_history', slug, n, at, item, unit, before, after]
  }
  for (const [n, { at, url, network, asset, usd }] of paidPrices.entries()) {
    yield ['paid_price_history', slug, n, at, url, network, asset, usd]
  }
  for (const [n, { at, registry, name, version, released }] of versions.entries()) {
    yield ['versions', slug, n, at, registry, name, version, released]
  }
  for (const [n, { at, indicator, summary }] of status.entries()) {
    yield ['vendor_status', slug, n, at, indicator, summary]
  }
  for (const { month, probes, ok } of months) yield ['uptime', slug, month, probes, ok]
}

export function changeRow(change: ChangeItem): Row {
  const { id, date, datePrecision, kind, tool, name, what, source, status } = change
  const { announced, replacement, endsPart, updated } = change
  const more = [announced, replacement, endsPart, updated]
  return ['changes', id, date, datePrecision, kind, tool, name, what, source, status, ...more]
}

export function removedRow({ slug, date, reason, renamedTo, replacement }: Tombstone): Row {
  return ['removed', slug, date, reason, renamedTo, replacement]
}
