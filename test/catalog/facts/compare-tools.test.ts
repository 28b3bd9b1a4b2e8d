import { describe, expect, test } from 'bun:test'
import { compareTools } from '../../../src/catalog/facts/mcp-tools/compare-tools.ts'
import { hashTools } from '../../../src/catalog/facts/mcp-tools/hash-tools.ts'
import type { ToolDefinition } from '../../../src/platform/mcp/tool-fingerprint.ts'

const URL = 'https://vendor.example/mcp'
const TO = { type: 'string', description: 'Who gets it.' }

const send = (properties: object, required: string[] = [], more: Partial<ToolDefinition> = {}) => ({
  name: 'send',
  description: 'Sends a mail.',
  inputSchema: { type: 'object', properties, required },
  ...more,
})

const compare = (before: ToolDefinition[], after: ToolDefinition[], isWhole = true) =>
  compareTools(hashTools(URL, before), hashTools(URL, after), isWhole)

/** What differs between two versions of one tool, and whether it breaks. */
function differences(before: ToolDefinition, after: ToolDefinition) {
  const [change] = compare([before], [after])
  return change?.parts.map(({ what, path, breaking }) => [what, path ?? '', breaking])
}

test('tools come and go by name; a list that broke off takes none away', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name }))
  if (!a || !b || !c) throw new Error('three')
  expect(compare([a, b], [b, c])).toMatchObject([
    { tool: 'a', kind: 'went', breaking: true },
    { tool: 'c', kind: 'came', breaking: false },
  ])
  expect(compare([a, b], [c], false)).toMatchObject([{ tool: 'c', kind: 'came' }])
  expect(compare([a, b], [b, a])).toEqual([])
})

test('another order of keys or tools is no change, and another address is none either', () => {
  const before = { name: 'x', inputSchema: { type: 'object', properties: { a: {}, b: {} } } }
  const after = { inputSchema: { properties: { b: {}, a: {} }, type: 'object' }, name: 'x' }
  expect(compare([before], [after])).toEqual([])
  const moved = hashTools('https://other.example/mcp', [before])
  expect(compareTools(hashTools(URL, [before]), moved)).toEqual([])
})

const TEXT = { type: 'string' }
const ROWS: Array<
  [name: string, before: object, after: object, expected: Array<string | boolean | null>]
> = [
  ['an optional one came', { to: TO }, { to: TO, cc: TEXT }, ['came', 'cc', false]],
  ['one went', { to: TO, cc: TEXT }, { to: TO }, ['went', 'cc', true]],
  ['other words', { to: TO }, { to: { ...TO, description: 'x' } }, ['words', 'to', false]],
  ['another type', { to: TO }, { to: { ...TO, type: 'number' } }, ['type', 'to', true]],
  ['one more type', { to: TO }, { to: { ...TO, type: ['string', 'null'] } }, ['type', 'to', false]],
  [
    'integer to number',
    { n: { type: 'integer' } },
    { n: { type: 'number' } },
    ['type', 'n', false],
  ],
  ['number to integer', { n: { type: 'number' } }, { n: { type: 'integer' } }, ['type', 'n', true]],
  ['a value more', { n: { enum: [1] } }, { n: { enum: [1, 2] } }, ['values', 'n', false]],
  ['a value less', { n: { enum: [1, 2] } }, { n: { enum: [2] } }, ['values', 'n', true]],
  ['any value before', { n: {} }, { n: { enum: [2] } }, ['values', 'n', true]],
  ['a higher least', { n: { minimum: 1 } }, { n: { minimum: 2 } }, ['limits', 'n', true]],
  ['no least any more', { n: { minimum: 1 } }, { n: {} }, ['limits', 'n', false]],
  ['a lower most', { n: { maxLength: 9 } }, { n: { maxLength: 8 } }, ['limits', 'n', true]],
  ['another pattern', { n: { pattern: 'a' } }, { n: { pattern: 'b' } }, ['limits', 'n', null]],
  ['another reference', { n: { $ref: '#/a' } }, { n: { $ref: '#/b' } }, ['limits', 'n', null]],
  ['no schema', { n: {} }, { n: 3 }, ['limits', 'n', null]],
  [
    'inside an object',
    { o: { type: 'object', properties: { a: TEXT } } },
    { o: { type: 'object', properties: {} } },
    ['went', 'o.a', true],
  ],
  [
    'inside a list',
    { o: { items: { properties: { a: { enum: [1] } } } } },
    { o: { items: { properties: { a: { enum: [2] } } } } },
    ['values', 'o[].a', true],
  ],
]

describe('parameters', () => {
  test.each(ROWS)('%s', (_, before, after, expected) => {
    expect(differences(send(before), send(after))).toEqual([expected])
  })

  test('a parameter that must be there from now on breaks, one that may be left out does not', () => {
    expect(differences(send({ to: TO }), send({ to: TO }, ['to']))).toEqual([
      ['required', 'to', true],
    ])
    expect(differences(send({ to: TO }, ['to']), send({ to: TO }))).toEqual([
      ['optional', 'to', false],
    ])
    expect(differences(send({}), send({ to: TO }, ['to']))).toEqual([['came', 'to', true]])
  })
})

test('a result breaks in the other direction', () => {
  const result = (properties: object, required: string[] = []) =>
    send({}, [], { outputSchema: { type: 'object', properties, required } })
  expect(differences(result({ id: TEXT }), result({ id: TEXT, at: TEXT }))).toEqual([
    ['came', 'at', false],
  ])
  expect(differences(result({ id: TEXT }, ['id']), result({ id: TEXT }))).toEqual([
    ['optional', 'id', true],
  ])
  expect(differences(result({ n: { enum: [1] } }), result({ n: { enum: [1, 2] } }))).toEqual([
    ['values', 'n', true],
  ])
  expect(differences(result({}), send({}))).toEqual([['output', '', true]])
  expect(differences(send({}), result({}))).toEqual([['output', '', false]])
})

test('the words of a tool and its hints are listed, and break no call', () => {
  const before = send({}, [], { annotations: { readOnlyHint: true } })
  const after = { ...before, description: 'Sends a mail, and a copy to us.', annotations: {} }
  expect(compare([before], [after])).toMatchObject([
    {
      kind: 'changed',
      breaking: false,
      parts: [
        { what: 'description', before: 'Sends a mail.', after: 'Sends a mail, and a copy to us.' },
        { what: 'annotations', before: '{"readOnlyHint":true}' },
      ],
    },
  ])
})

test('what breaks comes first, and a tool is as bad as its worst part', () => {
  const before = send({ a: TEXT, b: { pattern: 'a' }, c: TEXT })
  const after = send({ a: { ...TEXT, description: 'x' }, b: { pattern: 'b' } })
  const [change] = compare([before], [after])
  expect(change?.breaking).toBe(true)
  expect(change?.parts.map(({ breaking }) => breaking)).toEqual([true, null, false])
  const unclear = send({ a: { ...TEXT, description: 'x' }, b: { pattern: 'c' } })
  expect(compare([after], [unclear])[0]?.breaking).toBeNull()
})

test('what is too large or too deep is compared by its hash, or not at all', () => {
  const large = (text: string) => send({ a: { description: text.repeat(40_000) } })
  expect(compare([large('a')], [large('b')])).toMatchObject([
    { kind: 'changed', breaking: null, parts: [] },
  ])
  let deep: object = {}
  for (let i = 0; i < 200_000; i++) deep = { items: deep }
  expect(hashTools(URL, [send({ deep }), { name: 'other' }])).toHaveLength(1)
  const many = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`p${i}`, TEXT]))
  expect(compare([send(many)], [send({})])[0]).toMatchObject({ more: 60 })
})
