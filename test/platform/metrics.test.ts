import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createMetrics } from '../../src/platform/metrics.ts'
import { readExposition } from '../support/exposition.ts'

test('whatever a label says, it is read back as it was', async () => {
  const hostile = ['"} 1\nevil 2', '\\', '\\n', 'a"b', '', '\n# TYPE evil counter', '🦆']
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.constantFrom(...hostile), fc.string()), async (label) => {
      const metrics = createMetrics()
      metrics.counter({ name: 'calls_total', help: 'Calls.\n\\', labels: ['a', 'b'] })(label, 'x')
      const families = readExposition(await metrics.text())
      expect([...families.keys()]).toEqual(['calls_total'])
      expect(families.get('calls_total')?.samples).toEqual([
        { name: 'calls_total', labels: { a: label, b: 'x' }, value: 1 },
      ])
    }),
  )
})

test('a counter without labels is there before it counts', async () => {
  const metrics = createMetrics()
  metrics.counter({ name: 'a_total', help: 'A.' })
  expect(await metrics.text()).toBe('# HELP a_total A.\n# TYPE a_total counter\na_total 0\n')
})

test('a histogram counts each value in every bucket above it', async () => {
  const metrics = createMetrics()
  const took = metrics.histogram({ name: 't', help: 'T.', labels: ['by'], bounds: [0.5, 2] })
  for (const value of [0.5, 0.6, 3]) took(value, 'me')
  const { samples = [] } = readExposition(await metrics.text()).get('t') ?? {}
  expect(samples.map(({ name, labels, value }) => [name, labels.le, value])).toEqual([
    ['t_bucket', '0.5', 1],
    ['t_bucket', '2', 2],
    ['t_bucket', '+Inf', 3],
    ['t_sum', undefined, 4.1],
    ['t_count', undefined, 3],
  ])
})

test('a figure that cannot be read takes nothing with it', async () => {
  const metrics = createMetrics()
  const broken = () => Promise.reject(new Error('no disk'))
  metrics.figure({ name: 'a', help: 'A.', kind: 'gauge', read: broken })
  metrics.figure({
    ...{ name: 'b', help: 'B.', kind: 'gauge' },
    read: () => {
      throw new Error('no disk')
    },
  })
  metrics.figure({ name: 'c', help: 'C.', kind: 'gauge', read: () => Number.POSITIVE_INFINITY })
  const families = readExposition(await metrics.text())
  expect([...families.keys()]).toEqual(['c'])
  expect(families.get('c')?.samples[0]?.value).toBe(Number.POSITIVE_INFINITY)
})

test('however many label values come, the series stay bounded', async () => {
  const metrics = createMetrics()
  const count = metrics.counter({ name: 'a_total', help: 'A.', labels: ['id'] })
  for (let id = 0; id < 5_000; id++) count(String(id))
  const { samples = [] } = readExposition(await metrics.text()).get('a_total') ?? {}
  expect(samples.length).toBe(1_001)
  expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(5_000)
  expect(samples.at(-1)?.labels).toEqual({ id: 'other' })
})

test('two families of one name are a bug', () => {
  const metrics = createMetrics()
  metrics.counter({ name: 'a_total', help: 'A.' })
  expect(() => metrics.counter({ name: 'a_total', help: 'B.' })).toThrow('two metrics')
})
