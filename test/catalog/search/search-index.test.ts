import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createSearchIndex, type SearchFields } from '../../../src/catalog/search/search-index.ts'
import { stem } from '../../../src/catalog/search/stem.ts'
import { SYNONYMS } from '../../../src/catalog/search/synonyms.ts'

const record = (name: string, others: Partial<SearchFields> = {}): SearchFields => ({
  ...{ name, capabilities: [], purpose: [], facets: [], summary: '', more: '' },
  ...{ score: null, ended: false },
  ...others,
})

const RECORDS = [
  record('Fetchmail Pro', { summary: 'Reads letters.', capabilities: ['email.receive'] }),
  record('Stripe', { capabilities: ['payment.accept'], purpose: ['payments'] }),
  record('LangGraph', { summary: 'Builds agents as graphs.' }),
  record('短信平台', { summary: '发送短信到手机' }),
  record('Café Störer', { more: '@vendor/cafe-0117' }),
]
const index = createSearchIndex(RECORDS)
const find = (query: string) => index.search(query).map((place) => RECORDS[place]?.name)

describe('a search finds', () => {
  test.each([
    ['another form of a word', 'reading a letter', 'Fetchmail Pro'],
    ['a synonym of a capability', 'IMAP', 'Fetchmail Pro'],
    ['a phrase that means a capability', 'charge the card of a customer', 'Stripe'],
    ['a mistyped name', 'strpie', 'Stripe'],
    ['a mistyped synonym', 'mailbxo', 'Fetchmail Pro'],
    ['the beginning of a word', 'lang', 'LangGraph'],
    ['a part of a word', 'graph', 'LangGraph'],
    ['a script without spaces', '短信', '短信平台'],
    ['a word without its accents', 'cafe storer', 'Café Störer'],
    ['a package', '@vendor/cafe-0117', 'Café Störer'],
  ])('%s', (_, query, name) => {
    expect(find(query)[0]).toBe(name)
  })

  test('nothing for words that no record is near', () => {
    expect(find('zzzzqq')).toEqual([])
  })

  test('everything, in the order of the list, without words', () => {
    expect(find(' , ')).toEqual(RECORDS.map(({ name }) => name))
  })
})

test('the better grade comes first of two that match alike, and an unknown one is not a bad one', () => {
  const scores = [10, null, 95]
  const records = scores.map((score) => record('Mail', { score }))
  const order = createSearchIndex(records).search('mail')
  expect(order.map((place) => scores[place])).toEqual([95, null, 10])
})

test('what has ended comes last, however well it matches', () => {
  const records = [record('Mail', { ended: true, score: 99 }), record('Other', { summary: 'mail' })]
  expect(createSearchIndex(records).search('mail')).toEqual([1, 0])
})

test('each phrase of the synonyms finds a record with what it stands for', () => {
  for (const [finds, phrases] of SYNONYMS) {
    const [first = ''] = finds.split(' ')
    const fitting = record(
      'x',
      first.includes('.') ? { capabilities: [first] } : { summary: finds },
    )
    const records = [...Array.from({ length: 9 }, (_, i) => record(`other${i}`)), fitting]
    const own = createSearchIndex(records)
    for (const phrase of phrases.split(','))
      expect([phrase, own.search(phrase)[0]]).toEqual([phrase, 9])
  }
})

test('stems are those of the published algorithm', () => {
  const pairs =
    'caresses caress ponies poni agreed agre plastered plaster motoring motor sized size ' +
    'hopping hop falling fall filing file happy happi relational relat conditional condit ' +
    'triplicate triplic hopeful hope revival reviv adjustment adjust adoption adopt rate rate ' +
    'controlling control searches search searching search'
  const words = pairs.split(' ')
  for (let i = 0; i < words.length; i += 2) expect(stem(words[i] ?? '')).toBe(words[i + 1] ?? '')
})

test('any text is searched, each record at most once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const places = index.search(text)
      expect(new Set(places).size).toBe(places.length)
    }),
  )
})
