import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { digestOf } from '../../../../packages/js/src/canonical.ts'
import { keepBegun, reporting, takeBegun } from '../../../../packages/js/src/reporting.ts'
import { askAbout, verdictOf } from '../../../../packages/js/src/verdict.ts'
import { person } from './person.ts'

afterEach(() => void setSystemTime())

test('two calls with the same arguments are reported one by one, and others not at all', async () => {
  await using who = await person()
  const args = { id: 7 }
  const ran: unknown[] = []
  const remove = reporting('remove', (input: unknown, more: string) => {
    ran.push(input)
    if (ran.length === 2) throw new Error('It is gone.')
    return more
  })
  for (const _ of [1, 2]) {
    const asked = askAbout('remove', args, undefined, who)
    await who.answer('yes')
    expect(await verdictOf(await asked)).toEqual({ approved: true })
  }
  expect(await remove(args, 'first')).toBe('first')
  await expect(remove({ id: 7 }, 'second')).rejects.toThrow('It is gone.')
  // Nobody approved these.
  expect(await remove(args, 'third')).toBe('third')
  expect(await remove({ id: 8 }, 'fourth')).toBe('fourth')
  expect(await remove(undefined, 'fifth')).toBe('fifth')
  const outcomes = (await who.audit('permit.outcome')) as Array<{ outcome: string }>
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
    'failed: It is gone.',
    'succeeded',
  ])
})

test('a server that is gone does not change what the tool returns', async () => {
  let refused = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      refused++
      // It is tried again, for half a minute.
      if (refused === 2) setSystemTime(Date.now() + 60_000)
      return new Response('gone', { status: 404 })
    },
  })
  const args = { id: 9 }
  const actionHash = await hashOf(args)
  keepBegun(actionHash, { server: { url: server.url.origin, token: 't' }, permit: 'permit_1' })
  expect(await reporting('remove', (_: object) => 'removed')(args)).toBe('removed')
  expect(refused).toBe(2)
  await server.stop(true)
})

test('a call that was approved and never made does not get the report of the next one', async () => {
  const actionHash = await hashOf({ id: 10 })
  keepBegun(actionHash, { server: {}, permit: 'permit_of_the_call_that_was_not_made' })
  keepBegun(actionHash, { server: {}, permit: 'permit_of_this_call' })
  expect((await takeBegun('remove', { id: 10 }))?.permit).toBe('permit_of_this_call')
})

test('of calls that are never reported the oldest are forgotten', async () => {
  const permit = (n: number) => ({ server: {}, permit: `permit_${n}` })
  for (let n = 0; n < 1_001; n++) keepBegun(await hashOf({ n }), permit(n))
  expect(await takeBegun('remove', { n: 0 })).toBeUndefined()
  for (let n = 1; n < 1_001; n++) expect(await takeBegun('remove', { n })).toEqual(permit(n))
})

function hashOf(args: object): Promise<string> {
  return digestOf({ tool: 'remove', arguments: args })
}
