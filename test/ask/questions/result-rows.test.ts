import { expect, test } from 'bun:test'
import { omitUndefined } from '../../../src/platform/json.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { play, ROWS } from '../../support/result-rows.ts'
import { contradictions } from '../../support/result-rules.ts'

const PLAYED = ROWS.flatMap((row) => row.modes.map((mode) => ({ row, mode, name: row.when })))

test.each(PLAYED)('$mode, $name', async ({ row, mode }) => {
  await using world = await flowWorld()
  const result = await play(row, mode, world)
  expect(result).toMatchObject(row.has)
  for (const field of row.with ?? []) expect(result).toHaveProperty(field)
  const { nextAction, handoffAction } = result
  const { nextAction: next, handoffAction: handoff } = row
  expect(omitUndefined({ nextAction, handoffAction })).toEqual(
    omitUndefined({ nextAction: next, handoffAction: handoff }),
  )
  const tool = 'delivery' in result || 'policyTimeoutMs' in result ? 'ask_user' : 'wait_for_answer'
  expect(contradictions(result, { tool, mode, waits: 'answered' in result })).toEqual([])
})
