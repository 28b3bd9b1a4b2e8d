import { expect, test } from 'bun:test'
import { beckon } from '../../support/beckon.ts'
import { contract, type HookWorld, hookWorld } from '../../support/hook-world.ts'
import { GOLDEN, type Golden } from './golden.ts'
import { commandOf, type Session, sessionsIn } from './sessions.ts'

const OFF_LIMITS =
  'infra/prod.tf is off limits in the scope of this session (rule infra/**). Do not retry it or work around it; if the task needs it, ask the person for another scope with propose_scope.'

const NAMES = Object.keys(sessionsIn('/'))

/** The real command, as the client's entry has it, started in the project. */
function running(world: HookWorld, name: string) {
  const session = sessionsIn(world.project)[name] as Session
  const run = (what: keyof Session, input: object) =>
    beckon(commandOf(name, what), {
      env: world.env,
      stdin: JSON.stringify(input),
      cwd: world.project,
    })
  return {
    start: () => run('start', session.start),
    proposed: () => run('proposed', session.proposed),
    write: (path: string) => run('write', session.write(path)),
    shell: (command: string) => run('shell', session.shell(command)),
  }
}

function goldenOf(name: string): Golden {
  return GOLDEN[name.split(' ')[0] ?? ''] as Golden
}

/** The reason in what was said, wherever the client has it. */
function reasonIn(text: string): string {
  return /README\.md is outside.*?(?=["\n])/.exec(text)?.[0] ?? ''
}

test.each(NAMES)('%s: silence, a block and a question, to the byte', async (name) => {
  using world = hookWorld()
  const { start, proposed, write, shell } = running(world, name)
  const { silent, deny, ask } = goldenOf(name)
  await start()
  // Nobody has agreed to anything yet.
  expect(await write('infra/prod.tf')).toEqual(silent)
  world.server.contract = contract({ allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] })
  await proposed()
  world.server.stop()
  expect(await write(`${world.project}/src/a.ts`)).toEqual(silent)
  expect(await write(`${world.project}/infra/prod.tf`)).toEqual(deny(OFF_LIMITS))
  expect(await shell('rm -rf infra/prod.tf')).toEqual(deny(OFF_LIMITS))
  const outside = await write(`${world.project}/README.md`)
  expect(outside).toEqual(ask(reasonIn(outside.out || outside.err)))
  expect(reasonIn(outside.out || outside.err)).toContain('the server at')
})

test('Cursor hears a consent where silence would block', async () => {
  using world = hookWorld()
  const session = sessionsIn(world.project).cursor as Session
  const run = (input: unknown, ...more: string[]) =>
    world.run('cursor', input as object as Record<string, unknown>, { args: more })
  const consent = { code: 0, out: '{"permission":"allow"}', err: '' }
  expect(await run(session.write('a.txt'), '--fail-closed')).toEqual(consent)
  expect(await run(session.shell('ls'), '--fail-closed')).toEqual(consent)
  expect(await run(session.start, '--fail-closed')).not.toEqual(consent)
  expect((await run(session.write('a.txt'))).out).toBe('')
})
