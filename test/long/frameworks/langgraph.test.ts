import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adapterCases, started } from '../../packages/js/adapters/cases.ts'
import { person } from '../../packages/js/adapters/person.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const at = (path: string) => join(import.meta.dir, path)
const PYTHON = at('.venv/bin/python')
const HAS_PYTHON =
  existsSync(PYTHON) && Bun.spawnSync([PYTHON, '-c', 'import langgraph.graph']).success

describe.skipIf(!existsSync(at('node_modules/@langchain/langgraph')))(
  'with bun install --frozen-lockfile in this folder',
  () => {
    adapterCases(at('langgraph-run.ts'))
    questionCases(at('langgraph-run.ts'))
  },
)

// Where langchain-protocol is not to be had, a package with its types' names does.
describe.skipIf(!HAS_PYTHON)('with requirements.txt of this folder installed in .venv', () => {
  const path = join(import.meta.dir, '../../../packages/python/src')
  const program = ['/usr/bin/env', `PYTHONPATH=${path}`, PYTHON]
  adapterCases(at('langgraph_run.py'), [], { program })
  questionCases(at('langgraph_run.py'), program)
})

function questionCases(script: string, program?: string[]) {
  const schema = { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] }
  const cases: Array<[string, unknown, string, unknown]> = [
    ['Which name?', 'Which name?', 'Ada', 'Ada'],
    ['Go on?', { question: 'Go on?' }, 'yes', true],
    ['Which one?', { question: 'Which one?', choices: ['left', 'right'] }, 'right', 'right'],
    ['How long?', { question: 'How long?', schema }, '{"days":3}', { days: 3 }],
  ]
  test.each(cases)('a node goes on with the answer to %s', async (question, value, reply, seen) => {
    await using who = await person()
    using folder = tempFolder()
    const command = [script, join(folder.path, 'state.json'), JSON.stringify(value)]
    const run = started(command, who.server, {}, program)
    await who.say(question, reply)
    expect((await run.ended()).seen).toMatchObject({ status: 'answered', value: seen })
  })
}
