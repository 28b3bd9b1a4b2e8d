import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'

export const HOOK_AWAY: Scenario = {
  name: 'a hook that cannot run while a scope holds',
  play: blocked,
}

/** The program that the hook starts crashes from the yes on. */
async function blocked(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const file = join(world.project, 'src/guarded.txt')
  mkdirSync(join(world.project, 'src'), { recursive: true })
  const program = join(world.home, '../bin/beckon')
  const doneWhen = 'The scope holds without its hook.'
  const proposal = { doneWhen, allowedPaths: ['src'], timeoutMs: 55_000 }
  model.plan([
    (body) => {
      const sessionId = /sessionId of this session is \\*"([^"\\]+)/.exec(body)?.[1]
      return driver.ours('propose_scope', sessionId ? { ...proposal, sessionId } : proposal)
    },
    () => {
      rmSync(program)
      writeFileSync(program, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      return driver.shell(`echo x > ${file}`)
    },
  ])
  const running = driver.run(world, model, binary)
  try {
    const question = await Promise.race([opened(stage, doneWhen), running.then(ended)])
    await world.house.answer(question.correlationId, { value: 'yes' })
    const ran = await running
    const seen = model.seen.map(short)
    check(!existsSync(file), 'the command ran', { ran, seen })
    const isExplained = [...seen, ran.out, ran.err].some((text) => text.includes('a scope holds'))
    return `the command did not run; ${isExplained ? 'the client says why' : 'the client does not say why'}`
  } finally {
    rmSync(program, { force: true })
    symlinkSync(world.beckon, program)
  }
}
