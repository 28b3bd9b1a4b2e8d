import { expect, test } from 'bun:test'
import { type Form, readForm } from '../../../src/ask/gate-calls/elicitation-form.ts'

const formOf = (properties: object, required: string[] = Object.keys(properties)): Form | string =>
  readForm({
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties, required },
  })

function fieldOf(schema: object, required?: string[]) {
  const form = formOf({ one: schema }, required)
  if (typeof form === 'string' || !form.fields?.[0]) throw new Error(String(form))
  return form.fields?.[0]
}

test('a field of each type is one question, whose answer is a value of that type', () => {
  const city = fieldOf({
    type: 'string',
    title: 'City',
    enum: ['o', 'r'],
    enumNames: ['Oslo', 'Rom'],
  })
  expect(city.ask).toEqual({ question: 'City', type: 'select', options: ['Oslo', 'Rom'] })
  expect(city.read('Rom')).toEqual({ is: 'value', value: 'r' })
  const titled = fieldOf({
    type: 'string',
    oneOf: [
      { const: 'a', title: 'A' },
      { const: 'b', title: 'B' },
    ],
  })
  expect(titled.read('B')).toEqual({ is: 'value', value: 'b' })
  const sure = fieldOf({ type: 'boolean' })
  expect(sure.ask.options).toEqual(['Yes', 'No'])
  expect(sure.read('No')).toEqual({ is: 'value', value: false })
  const age = fieldOf({ type: 'integer', minimum: 0, maximum: 150 })
  expect(age.ask.type).toBe('input')
  expect(age.read(' 42 ')).toEqual({ is: 'value', value: 42 })
  for (const wrong of ['151', '-1', '4.5', 'x', '']) expect(age.read(wrong).is).toBe('no')
  const several = fieldOf({
    type: 'array',
    items: { type: 'string', enum: ['x', 'y', 'z'] },
    maxItems: 2,
  })
  expect(several.ask.questions?.[0]?.multiSelect).toBe(true)
  expect(several.read('x\nz')).toEqual({ is: 'value', value: ['x', 'z'] })
  expect(several.read('x\ny\nz').is).toBe('no')
})

test.each([
  ['email', 'ada@example.com', 'ada'],
  ['uri', 'https://example.com', 'example'],
  ['date', '2030-12-31', '2030-13-31'],
  ['date-time', '2030-12-31T18:00:00Z', '2030-12-31'],
])('a text of the format %s is checked', (format, right, wrong) => {
  const field = fieldOf({ type: 'string', format })
  expect(field.read(right)).toEqual({ is: 'value', value: right })
  expect(field.read(wrong).is).toBe('no')
})

test('a field that is not required can be left out', () => {
  const written = fieldOf({ type: 'string', minLength: 3 }, [])
  expect(written.read('-')).toEqual({ is: 'left_out' })
  expect(written.read('ab').is).toBe('no')
  const chosen = fieldOf({ type: 'boolean' }, [])
  expect(chosen.ask.options).toHaveLength(3)
  expect(chosen.read(chosen.ask.options?.[2] ?? '')).toEqual({ is: 'left_out' })
})

test('one page answers all of it, also what single questions could not', () => {
  const enums = { type: 'string', enum: ['only'] }
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${at}`, enums]))
  const form = formOf(many)
  if (typeof form === 'string') throw new Error(form)
  expect(Object.keys(form.schema?.properties ?? {})).toHaveLength(10)
  expect(form).toMatchObject({ fields: undefined, titles: Object.keys(many) })
  const mail = formOf({ mail: { type: 'string', format: 'email' } })
  expect(mail).toMatchObject({ schema: undefined, fields: [{ name: 'mail' }] })
})

test.each<[string, object]>([
  ['a nested object', { type: 'object', properties: {} }],
  ['an unknown word of the schema', { type: 'string', pattern: '^a' }],
  ['an unknown format', { type: 'string', format: 'ipv4' }],
  ['too many choices', { type: 'string', enum: Array.from({ length: 21 }, (_, at) => `c${at}`) }],
  ['choices that read alike', { type: 'string', enum: ['a', 'a\u202e'] }],
  ['choices that are no texts', { type: 'string', enum: [1, 2] }],
  ['a title that asks for a secret', { type: 'string', title: 'Your password' }],
  ['a description that cannot be shown whole', { type: 'string', description: 'x'.repeat(600) }],
])('%s cannot be asked', (_, schema) => {
  expect(formOf({ one: schema })).toContain('"one"')
})

test('a request that is no form of fields cannot be asked', () => {
  const requestedSchema = { type: 'object', properties: {} }
  expect(typeof readForm({ message: 'Go', requestedSchema })).toBe('object')
  expect(typeof readForm({ message: 'Go', mode: 'url', url: 'https://example.com' })).toBe('string')
  expect(typeof readForm({ message: ' ', requestedSchema })).toBe('string')
  expect(typeof readForm({ message: 'Go', requestedSchema: { type: 'string' } })).toBe('string')
  expect(
    typeof readForm({ message: 'Go', requestedSchema: { ...requestedSchema, allOf: [] } }),
  ).toBe('string')
  const many = Object.fromEntries(
    Array.from({ length: 11 }, (_, at) => [`f${at}`, { type: 'boolean' }]),
  )
  expect(typeof formOf(many)).toBe('string')
})
