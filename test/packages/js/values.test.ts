import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import table from '../../../packages/cases/values.json'
import { protect } from '../../../packages/js/src/protect.ts'
import { standIn } from '../stand-in.ts'

setDefaultTimeout(60_000)

const server = standIn()
afterAll(() => server[Symbol.dispose]())

const inJs = <T extends { name: string; in: string[] }>(rows: T[]) =>
  rows.filter((one) => one.in.includes('js')).map((one) => [one.name, one] as const)

class Order {
  amount = 1_000_000
}

const BARE = Object.assign(Object.create(null), { a: 1 })
const VALUES: Record<string, unknown> = {
  'a time': new Date('2026-01-31T12:00:00Z'),
  'an object without a prototype': BARE,
  'a map': new Map([['amount', 1]]),
  'a set': new Set([1]),
  'a pattern': /.*/,
  'an error': new Error('no'),
  'an instance of a class': new Order(),
  'a function': () => 1,
  bytes: new Uint8Array(1),
  'what writes its own JSON': { amount: 1_000_000, toJSON: () => '1 EUR' },
  'a number in an object': Object(1),
  'a list of a subclass': new (class extends Array {})(),
  'a list with a hole': [1, undefined, 3],
  'a time that is none': new Date(Number.NaN),
}

function act(name: string, ran: unknown[]) {
  const to = { url: server.urlOf(name), token: 'bk_t' }
  const run = (one: unknown) => void ran.push(structuredClone(one))
  return protect(run, { name: 'act', waitMs: 1_500, server: to })
}

test.each(table.changed.map((one) => [one.name, one] as const))(
  'what was shown runs, though the argument was changed meanwhile: %s',
  async (name, { given: input, path, to }) => {
    const ran: unknown[] = []
    const argument = structuredClone(input)
    const done = act(name, ran)(argument)
    const [last = '', ...way] = path.toReversed()
    const holder = way.toReversed().reduce((at, step) => at[step as never], argument as object)
    Object.assign(holder, { [last]: to })
    expect((await done).status).toBe('done')
    expect(ran).toEqual([input])
    const [post] = server.posts(name)
    expect(JSON.parse(String(post?.body.actionBody))).toEqual(input)
  },
)

test.each(inJs(table.taken))(
  'is shown whole, and arrives: %s',
  async (name, { shown: rendering }) => {
    const ran: unknown[] = []
    const value = VALUES[name]
    expect((await act(name, ran)({ value })).status).toBe('done')
    expect(ran).toEqual([{ value: value === BARE ? { a: 1 } : value }])
    const [post] = server.posts(name)
    expect(JSON.parse(String(post?.body.actionBody))).toEqual({ value: rendering.js })
  },
)

test.each(inJs(table.refused))('cannot be shown whole: %s', async (name) => {
  const ran: unknown[] = []
  expect(name in VALUES).toBe(true)
  const outcome = await act(name, ran)({ order: { value: VALUES[name] } })
  expect(outcome).toMatchObject({
    status: 'not_json',
    reason: expect.stringMatching(/^order\.value/),
  })
  expect([...ran, ...server.posts(name)]).toEqual([])
})

test('a date that writes itself as another is shown as the date that it is', async () => {
  const ran: unknown[] = []
  const day = new Date('2026-01-31T12:00:00Z')
  day.toJSON = () => 'tomorrow'
  await act('toJSON', ran)({ day })
  expect(server.posts('toJSON')[0]?.body.actionBody).toContain('2026-01-31T12:00:00.000Z')
})

test('a method keeps its object', async () => {
  class Account {
    paid = 0
    pay = protect(
      function (this: Account, amount: number) {
        this.paid += amount
      },
      { name: 'pay', server: { url: server.urlOf('method'), token: 'bk_t' } },
    )
  }
  const account = new Account()
  await account.pay(7)
  expect(account.paid).toBe(7)
})
