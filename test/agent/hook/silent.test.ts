import { expect, test } from 'bun:test'
import { beckon } from '../../support/beckon.ts'

test('without a tool call, a client that is not known is not stopped', async () => {
  expect(await beckon(['hook', 'nobody'])).toEqual({ code: 0, out: '', err: '' })
  expect(await beckon(['hook'])).toEqual({ code: 0, out: '', err: '' })
})
