import { expect, test } from 'bun:test'
import {
  defaultMethodology,
  METHODOLOGY_TEXT,
} from '../../../src/catalog/grading/default-methodology.ts'
import {
  methodologyFingerprint,
  versionProblem,
} from '../../../src/catalog/grading/methodology-version.ts'
import type { Methodology } from '../../../src/catalog/records/methodology.ts'

const methodology = defaultMethodology()

test('the methodology that comes with the program has the weights, bands and limits of the design', () => {
  const weights = methodology.criteria.map(({ key, weight }) => `${key} ${weight}`)
  expect(weights.join(', ')).toBe(
    'security 16, reliability 16, schema 14, ergonomics 14, maintenance 12, transparency 10, performance 8, tasks 6, payments 4',
  )
  const bands = methodology.bands.map(({ grade, from }) => `${grade} ${from}`)
  expect(bands.join(', ')).toBe('AA 90, A 80, BB 70, B 60, CC 50, C 40, D 0')
  expect(methodology.coverage).toEqual({ graded: 0.6, full: 0.8, cap: 'A' })
  expect(methodology.negatives.floor).toBe(-25)
  expect(methodology.version).toBe('1.3')
})

test('the methodology that comes with the program has words for each anchor from 0 to 10', () => {
  for (const { key, anchors } of methodology.criteria) {
    expect([key, ...anchors.map(({ score }) => score)]).toEqual([key, 0, 2, 4, 6, 8, 10])
  }
  const words = methodology.criteria.flatMap(({ anchors }) => anchors.map(({ means }) => means))
  expect(new Set(words).size).toBe(54)
})

const published = new Map([['1.3', methodologyFingerprint(methodology)]])

test('the same content is the same, whatever the order of its keys', () => {
  const turned = Object.fromEntries(Object.entries(methodology).reverse()) as Methodology
  expect(versionProblem(published, turned)).toBeUndefined()
})

test('a changed weight, word or band under the old version is refused', () => {
  const weight = defaultMethodology()
  set(weight.criteria[0], { weight: 17 })
  const word = defaultMethodology()
  set(word.criteria[8]?.anchors[0], { means: 'It costs too much.' })
  const order = defaultMethodology()
  order.gates.reverse()
  for (const changed of [weight, word, order]) {
    expect(versionProblem(published, changed)).toContain('still called 1.3')
    expect(versionProblem(published, { ...changed, version: '1.4' })).toBeUndefined()
  }
})

test('the version alone changes nothing in the fingerprint', () => {
  const renamed = { ...methodology, version: '2.0' }
  expect(methodologyFingerprint(renamed)).toBe(methodologyFingerprint(methodology))
})

test('the file of the methodology has a line for the version, so that a person finds it', () => {
  expect(METHODOLOGY_TEXT).toMatch(/^version: "1\.3"$/m)
})

function set<T extends object>(one: T | undefined, more: Partial<T>): void {
  if (!one) throw new Error('there is nothing to change')
  Object.assign(one, more)
}
