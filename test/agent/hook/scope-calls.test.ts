import { expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { judgeCall } from '../../../src/agent/hook/judge-call.ts'
import { readingsOf } from '../../../src/agent/hook/touched.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'

type Line = { does: 'writes' | 'reads' | 'loses' | 'harmless'; tool?: string; command: string }

const SCOPE = { allowedPaths: ['src/**'], offLimitsPaths: ['config/prod*', '.env'] }
const FILES = [
  ...['src/a', 'src/b', 'src/c.ts', 'src/lib/a.ts', 'src/s.sh', '.env', 'README.md', 'docs/a'],
  ...['config/prod/db.yml', 'config/prod.yml', 'config/dev/db.yml'],
]
const text = await Bun.file(`${import.meta.dir}/data/scope-calls.jsonl`).text()
const calls: Line[] = text
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

/** Whether the hook treats a call as what it does. */
async function isSeen({ does, tool = 'Bash', command }: Line, project: string): Promise<boolean> {
  const call = { cwd: project, roots: [project], touches: [], command, toolName: tool }
  if (does === 'loses') {
    const read = await readingsOf(call as unknown as Parameters<typeof readingsOf>[0])
    return read.some(({ losses }) => losses.length > 0)
  }
  const scope = { contract: contract(SCOPE), widened: [], roots: [project] }
  const judged = await judgeCall(
    { call, own: {} } as unknown as Parameters<typeof judgeCall>[0],
    scope as unknown as Parameters<typeof judgeCall>[1],
  )
  const isOpen = judged.is === 'within' && judged.open !== undefined
  if (does === 'harmless') return judged.is === 'within' && !isOpen
  return does === 'reads' ? judged.is === 'off_limits' || isOpen : judged.is !== 'within' || isOpen
}

test('calls beside a scope are asked about or refused, and harmless ones inside of it pass', async () => {
  using world = hookWorld()
  for (const path of FILES) world.write(path, 'x')
  symlinkSync('..', join(world.project, 'src/link'))
  const others: string[] = []
  for (const line of calls)
    if (!(await isSeen(line, world.project))) others.push(`${line.does}: ${line.command}`)
  expect(others).toEqual([])
  expect(calls.length).toBeGreaterThan(500)
})
