import { expect, test } from 'bun:test'
import { digestOf } from '../../../../packages/js/src/canonical.ts'
import {
  rememberStartedCall,
  reporting,
  takeStartedCall,
} from '../../../../packages/js/src/reporting.ts'
import { askAbout, verdictOf } from '../../../../packages/js/src/verdict.ts'
import { person } from './person.ts'

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
    const asking = askAbout('remove', args, undefined, who)
    await who.answer('yes')
    expect(await verdictOf(await asking)).toEqual({ approved: true })
  }
  expect(await remove(args, 'first')).toBe('first')
  await expect(remove({ id: 7 }, 'second')).rejects.toThrow('It is gone.')
  // Nobody approved these.
  expect(await remove(args, 'third')).toBe('third')
  expect(await remove({ id: 8 }, 'fourth')).toBe('fourth')
  expect(await remove(undefined, 'fifth')).toBe('fifth')
  const outcomes = (await who.audit('permit.outcome', 2)) as Array<{ outcome: string }>
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
    'failed: It is gone.',
    'succeeded',
  ])
})

test('a report without a reply does not hold up what the tool returns', async () => {
  const reached = Promise.withResolvers<void>()
  const reply = Promise.withResolvers<Response>()
  await using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      reached.resolve()
      return reply.promise
    },
  })
  const args = { id: 9 }
  const actionHash = await hashOf(args)
  rememberStartedCall(actionHash, {
    server: { url: server.url.origin, token: 't' },
    permit: 'permit_1',
  })
  expect(await reporting('remove', (_: object) => 'removed')(args)).toBe('removed')
  await reached.promise
  reply.resolve(new Response(null, { status: 204 }))
})

test('arguments that were changed after they were shown are not approved', async () => {
  await using who = await person()
  const args = { to: 'kim', amount: 1 }
  const asking = askAbout('pay', args, undefined, who)
  await who.answer('yes')
  const approved = await asking
  args.amount = 1_000_000
  expect(await verdictOf(approved)).toMatchObject({ approved: false })
  expect(await who.audit('permit.outcome', 1)).toMatchObject([
    { outcome: expect.stringContaining('not_run') },
  ])
})

test('a call that was approved and never made does not get the report of the next one', async () => {
  const actionHash = await hashOf({ id: 10 })
  rememberStartedCall(actionHash, { server: {}, permit: 'permit_of_the_call_that_was_not_made' })
  rememberStartedCall(actionHash, { server: {}, permit: 'permit_of_this_call' })
  expect((await takeStartedCall('remove', { id: 10 }))?.permit).toBe('permit_of_this_call')
})

test('of calls that are never reported the oldest are forgotten', async () => {
  const permit = (n: number) => ({ server: {}, permit: `permit_${n}` })
  for (let n = 0; n < 1_001; n++) rememberStartedCall(await hashOf({ n }), permit(n))
  expect(await takeStartedCall('remove', { n: 0 })).toBeUndefined()
  for (let n = 1; n < 1_001; n++) expect(await takeStartedCall('remove', { n })).toEqual(permit(n))
})

function hashOf(args: object): Promise<string> {
  return digestOf({ tool: 'remove', arguments: args })
}
