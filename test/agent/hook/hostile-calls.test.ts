import { expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { judgeCall } from '../../../src/agent/hook/judge-call.ts'
import { readingsOf } from '../../../src/agent/hook/touched.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'

type Line = { does: 'writes' | 'reads' | 'loses'; command: string }

const SCOPE = { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**', '**/.env', 'config/prod*'] }
const text = await Bun.file(`${import.meta.dir}/data/hostile-calls.jsonl`).text()
const calls: Line[] = text
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

test('what writes outside, reads what is off limits or destroys work never passes as understood', async () => {
  using world = hookWorld()
  const { project } = world
  const files = [
    'src/a',
    'src/.env',
    'infra/prod.tf',
    'config/prod/db.yml',
    'README.md',
    'src/s.sh',
  ]
  for (const path of files) world.write(path, 'x')
  symlinkSync('..', join(project, 'src/link'))
  const scope = { contract: contract(SCOPE), widened: [], roots: [project] }
  const passed: string[] = []
  for (const { does, command } of calls) {
    const call = { cwd: project, roots: [project], touches: [], command, toolName: 'Bash' }
    if (does === 'loses') {
      const read = await readingsOf(call as unknown as Parameters<typeof readingsOf>[0])
      if (!read.some(({ losses }) => losses.length > 0)) passed.push(`${does}: ${command}`)
      continue
    }
    const judged = await judgeCall(
      { call, own: {} } as unknown as Parameters<typeof judgeCall>[0],
      scope as unknown as Parameters<typeof judgeCall>[1],
    )
    if (judged.is === 'within' && judged.open === undefined) passed.push(`${does}: ${command}`)
  }
  expect(passed).toEqual([])
  expect(calls.length).toBeGreaterThan(500)
})
