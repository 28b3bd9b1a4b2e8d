import { expect, test } from 'bun:test'
import { toChangeItem } from '../../../src/catalog/authoring/to-change-item.ts'
import { toToolRecord } from '../../../src/catalog/authoring/to-tool-record.ts'
import { ChangeItem } from '../../../src/catalog/records/change.ts'
import { notMeasured } from '../../../src/catalog/records/live.ts'
import { ToolDetail, ToolRecord } from '../../../src/catalog/records/tool.ts'
import { shape } from '../../../src/platform/schema.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { BASE, detailOf, detailsOf } from '../snapshot-of.ts'

test('every generated record is a record of the spec, in the listing and alone', () => {
  const source = generatedCatalog(60)
  const record = shape(ToolRecord)
  const detail = shape(ToolDetail)
  for (const tool of detailsOf(source)) {
    expect(detail.wrong(tool)).toEqual([])
    expect(record.wrong(toToolRecord(tool))).toEqual([])
  }
})

test('every generated change is an item of the feed', () => {
  const item = shape(ChangeItem)
  for (const change of generatedCatalog(60).changes) {
    expect(item.wrong(toChangeItem(change, 'A name', BASE))).toEqual([])
  }
})

test('popularity always stands, dated by the last look, else by the run', () => {
  const source = generatedCatalog(1)
  const [tool] = source.tools
  if (!tool) throw new Error('no tool')
  const { popularity, ...silent } = tool
  const of = (one: typeof tool, live = notMeasured(tool.slug)) =>
    toToolRecord(detailOf(source, one, live)).popularity
  const nothing = { githubStars: null, npmWeekly: null, pypiWeekly: null }
  expect(of(silent)).toEqual({ ...nothing, asOf: source.settings.run.date })
  expect(of(tool).asOf).toBe(popularity?.asOf as string)
  const live = { ...notMeasured(tool.slug), githubStars: 7, updatedAt: '2026-11-20T08:00:00Z' }
  expect(of(silent, live)).toEqual({ ...nothing, githubStars: 7, asOf: '2026-11-20' })
})
