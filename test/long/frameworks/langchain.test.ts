import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adapterCases, started } from '../../packages/js/adapters/cases.ts'
import { person } from '../../packages/js/adapters/person.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const IS_INSTALLED = existsSync(join(import.meta.dir, 'node_modules/langchain'))

describe.skipIf(!IS_INSTALLED)('with bun install --frozen-lockfile in this folder', () => {
  const script = join(import.meta.dir, 'langchain-run.ts')
  adapterCases(script)

  const insteadOf = async (
    say: (say: (question: string, value: string) => Promise<void>) => Promise<void>,
  ) => {
    await using who = await person()
    using folder = tempFolder()
    const run = started([script, join(folder.path, 'state.json'), 'instead'], who.server)
    await who.say('Delete a customer?', 'no')
    await say(who.say)
    const { ran, seen } = await run.ended()
    return { ran, seen: JSON.stringify(seen), used: (await who.audit('permit.used')).length }
  }

  test('the tool runs with the arguments that a person typed and approved', async () => {
    const { ran, seen, used } = await insteadOf(async (say) => {
      await say('In place of remove?', 'Other arguments')
      await say('The arguments of remove, as JSON?', '{"id": 8, "why": "the right one"}')
      await say('Delete a customer?', 'yes')
    })
    expect(ran).toEqual([{ id: 8, why: 'the right one' }])
    expect(seen).toContain('removed')
    expect(used).toBe(1)
  })

  test('the model reads the text of a person as the result', async () => {
    const { ran, seen, used } = await insteadOf(async (say) => {
      await say('In place of remove?', 'My own text as its result')
      await say('The result of remove?', 'It was gone already.')
    })
    expect(ran).toEqual([])
    expect(seen).toContain('It was gone already.')
    expect(used).toBe(0)
  })
})
