import { beforeAll, expect, test } from 'bun:test'
import storedFacts from '../../fixtures/openapi/kept.json'
import { type Facts, factsOf } from '../../support/openapi-facts.ts'
import { narrowed } from '../../support/openapi-narrowed.ts'
import { startedApp } from '../../support/started-app.ts'

const KEPT = storedFacts as Facts

let served: string
beforeAll(async () => {
  await using started = await startedApp({ env: { BECKON_BASE_URL: 'https://beckon.test' } })
  served = await (await fetch(`${started.app.url}/openapi.json`)).text()
})

test('nothing that callers rely on was removed or narrowed', () => {
  expect(narrowed(KEPT, factsOf(JSON.parse(served)))).toEqual([])
})

const ASK = 'POST /api/v1/questions'
const IN = 'in json'
const OUT = 'out 200 json'

/** A change of the kept facts, and what must be said about it. */
const PLANTED: Array<[(facts: Facts) => unknown, string | undefined]> = [
  [(all) => delete all[ASK], `${ASK} is gone`],
  [(all) => delete all[ASK]?.[`${IN}.context`], `${ASK}: ${IN}.context is gone`],
  [(all) => delete all[ASK]?.[`${OUT}.status`], `${ASK}: ${OUT}.status is gone`],
  [({ [ASK]: ask }) => delete ask?.['out 200'], `${ASK}: out 200 is gone`],
  [
    ({ [ASK]: ask }) => Object.assign(ask?.[`${IN}.context`] ?? {}, { required: true }),
    `${ASK}: ${IN}.context became required`,
  ],
  [
    ({ [ASK]: ask }) =>
      Object.assign(ask ?? {}, { [`${IN}.why`]: { types: 'string', required: true } }),
    `${ASK}: ${IN}.why is new and required`,
  ],
  [
    ({ [ASK]: ask }) => Object.assign(ask?.[`${IN}.context`] ?? {}, { types: 'object' }),
    `${ASK}: ${IN}.context accepts object, no longer string`,
  ],
  [
    ({ [ASK]: ask }) => Object.assign(ask?.[`${IN}.type`] ?? {}, { enum: ['confirm', 'input'] }),
    `${ASK}: ${IN}.type no longer accepts select`,
  ],
  [
    ({ [ASK]: ask }) => Object.assign(ask?.[`${IN}.agentName`] ?? {}, { enum: ['one'] }),
    `${ASK}: ${IN}.agentName no longer accepts others`,
  ],
  [
    ({ [ASK]: ask }) => Object.assign(ask?.[`${IN}.context`] ?? {}, { limits: { maxLength: 499 } }),
    `${ASK}: ${IN}.context has maxLength 499`,
  ],
  [
    ({ [ASK]: ask }) =>
      Object.assign(ask?.[`${OUT}.correlationId`] ?? {}, { types: 'null|string' }),
    `${ASK}: ${OUT}.correlationId is null|string, no longer string`,
  ],
  [
    ({ [ASK]: ask }) => delete ask?.[`${OUT}.correlationId`]?.required,
    `${ASK}: ${OUT}.correlationId may be missing`,
  ],
  [
    ({ [ASK]: ask }) => Object.assign(ask ?? {}, { [`${IN}.more`]: { types: 'string' } }),
    undefined,
  ],
  [
    ({ [ASK]: ask }) => Object.assign(ask?.[`${IN}.context`] ?? {}, { limits: { maxLength: 501 } }),
    undefined,
  ],
  [(all) => Object.assign(all, { 'GET /new': {} }), undefined],
]

test.each(
  PLANTED.map(
    ([change, expected]) => [expected ?? 'an addition is none', change, expected] as const,
  ),
)('a planted change is found: %s', (_, change, expected) => {
  const changed = structuredClone(KEPT)
  change(changed)
  expect(changed).not.toEqual(KEPT)
  expect(narrowed(KEPT, changed)).toEqual(expected ? [expected] : [])
})

/** Paths into the document that is served, what is put there (nothing: removed), and what is said. */
const IN_DOCUMENT: Array<[path: string, value: unknown, said: string]> = [
  ['paths /api/v1/questions post', undefined, `${ASK} is gone`],
  [`BODY properties context`, undefined, `${ASK}: ${IN}.context is gone`],
  [`BODY required`, ['question', 'context'], `${ASK}: ${IN}.context became required`],
  [
    `BODY properties type enum`,
    ['confirm', 'input'],
    `${ASK}: ${IN}.type no longer accepts select`,
  ],
  [
    `BODY properties tags items`,
    { type: 'object' },
    `${ASK}: ${IN}.tags[] accepts object, no longer string`,
  ],
  [
    'paths /api/v1/questions/{id}/answer post requestBody content application/json schema properties value anyOf',
    [{ type: 'string' }],
    `POST /api/v1/questions/{id}/answer: ${IN}.value accepts string, no longer array|string`,
  ],
  [
    'components schemas CatalogSlimTool properties catalog properties grade',
    undefined,
    '#CatalogSlimTool: out.catalog.grade is gone',
  ],
]

test.each(IN_DOCUMENT)('in the document, too: %s', (path, value, expected) => {
  const body = 'paths /api/v1/questions post requestBody content application/json schema'
  const names = path.replace('BODY', body).split(' ')
  const last = names.pop() ?? ''
  const changed = JSON.parse(served)
  const place = names.reduce((at, name) => at[name], changed)
  expect(place).toHaveProperty([last])
  if (value === undefined) delete place[last]
  else place[last] = value
  expect(narrowed(factsOf(JSON.parse(served)), factsOf(changed))).toContain(expected)
})
