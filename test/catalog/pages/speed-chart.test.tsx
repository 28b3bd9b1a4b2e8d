/** @jsxImportSource preact */
import { expect, test } from 'bun:test'
import { render } from 'preact-render-to-string'
import { SPEED_DAYS, speedHistory } from '../../../src/catalog/facts/answers/speed-history.ts'
import { SpeedChart } from '../../../src/catalog/pages/tool/speed-chart.tsx'

const TODAY = '2026-11-29'
const ago = (days: number) =>
  new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10)
const day = (days: number, p50ms: number, p95ms = 2 * p50ms) => ({
  ...{ slug: 'a', date: ago(days), p50ms, p95ms },
})
const chart = (days: ReturnType<typeof day>[]) =>
  render(<SpeedChart speeds={speedHistory(days, TODAY)} today={TODAY} />)

test('each day stands at its place, and one that is older than 90 days at none', () => {
  const { p50ms, p95ms } = speedHistory([day(90, 7), day(89, 1), day(1, 2), day(0, 3)], TODAY)
  expect([p50ms.length, p50ms[0], p50ms[SPEED_DAYS - 2], p50ms[SPEED_DAYS - 1]]).toEqual([
    ...[SPEED_DAYS, 1, 2, 3],
  ])
  expect([...p50ms].filter((ms) => ms !== -1)).toEqual([1, 2, 3])
  expect(p95ms[SPEED_DAYS - 1]).toBe(6)
})

test('a day without an answer is a gap in the line, not a zero', () => {
  const median = /class="median" d="([^"]*)"/.exec(chart([day(3, 10), day(2, 10), day(0, 10)]))?.[1]
  expect(median?.match(/M/g)).toHaveLength(2)
  expect(median?.match(/L/g)).toHaveLength(1)
})

test('each day with an answer says its times on hover, and one without says nothing', () => {
  const html = chart([day(3, 1_200), day(0, 10)])
  expect(html.match(/<title>/g)).toHaveLength(2)
  expect(html).toContain('<title>26 Nov 2026: 1,200 ms, 95 of 100 within 2,400 ms</title>')
})

test('30 and 90 days have a median of their own, and weeks without an answer are not known', () => {
  const html = chart([day(80, 300), day(79, 300), day(78, 300), day(1, 100), day(0, 120, 900)])
  expect(html).toContain('100 ms')
  expect(html).toContain('300 ms')
  expect(html).toContain('at most 900 ms')
  expect(html.match(/<li>/g)).toHaveLength(13)
  expect(html).toContain('not known')
})

test('where only old days have answers, the last 30 say so', () => {
  expect(chart([day(60, 100)])).toContain('no answer in 30 days')
})
