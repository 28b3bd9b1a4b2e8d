import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { httpGateWorld } from '../../support/http-gate-world.ts'
import { runCommand } from '../../support/run-command.ts'
import { startModel } from '../clients/models/model.ts'
import { wholeReplies } from './whole-replies.ts'

const FOLDER = join(import.meta.dir, '../../../examples/gated-agents')
const IS_INSTALLED = existsSync(join(FOLDER, 'node_modules'))
const NOTE = 'Not on a Friday.'

// Each starts a process, which loads a framework.
setDefaultTimeout(90_000)

describe.skipIf(!IS_INSTALLED)(
  'with bun install --frozen-lockfile in examples/gated-agents',
  () => {
    for (const file of ['ai-sdk.ts', 'openai-agents.ts', 'langchain.ts']) {
      for (const era of ['old', 'modern'] as const) {
        test(`${file}: what is declined does not run and the model reads the note; what is allowed runs (${era} era)`, () =>
          decidedRun(file, era))
      }
    }

    test('the examples fit the types of the frameworks', () => {
      const tsc = join(import.meta.dir, '../../../node_modules/.bin/tsc')
      const { stdout } = Bun.spawnSync([tsc, '--noEmit', '-p', FOLDER])
      expect(stdout.toString()).toBe('')
    })
  },
)

async function decidedRun(file: string, era: 'old' | 'modern'): Promise<void> {
  await using world = await httpGateWorld(era)
  using model = startModel(wholeReplies)
  const pay = (invoice: number) => ({ tool: 'echo', input: { message: `paid invoice ${invoice}` } })
  model.plan([pay(41), pay(42)])
  const running = runCommand([process.execPath, '--no-env-file', file, 'Pay', 'the invoices.'], {
    cwd: FOLDER,
    env: {
      ...{ PATH: process.env.PATH, BECKON_URL: world.house.url, BECKON_TOKEN: world.token },
      ...{ BECKON_GATE: 'toy', OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'x' },
    },
  })
  const [declined] = await world.asked()
  expect(declined?.detail.action).toBe('mcp__toy__echo {"message":"paid invoice 41"}')
  await world.answer(declined, 'no', NOTE)
  const [allowed] = await world.asked()
  expect(allowed?.detail.action).toBe('mcp__toy__echo {"message":"paid invoice 42"}')
  expect(world.toy.ran).toEqual([])
  await world.answer(allowed, 'yes')
  const { code, out, err } = await running
  expect(code, err).toBe(0)
  expect(out.trim()).toBe('done')
  expect(world.toy.ran).toEqual([['echo', { message: 'paid invoice 42' }]])
  const [, afterNo = '', afterYes = ''] = model.seen
  expect(readAfter(afterNo)).toContain(NOTE)
  expect(readAfter(afterNo)).toContain('Nothing was run')
  expect(readAfter(afterYes)).toContain('paid invoice 42')
  expect(await world.permits(allowed)).toContain('used')
}

/** What the model was told last: the result of its call. */
function readAfter(body: string): string {
  const { messages, input } = JSON.parse(body)
  return JSON.stringify((messages ?? input).at(-1))
}
