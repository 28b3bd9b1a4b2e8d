import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocked, type HookWorld, hookWorld, NOTHING } from '../../support/hook-world.ts'
import { PROGRAM } from '../../support/program.ts'
import { until } from '../../support/until.ts'

/** Codex then judges the command itself, so that it is not started in the scope. */
function ownRules({ home }: HookWorld): void {
  mkdirSync(join(home, '.codex/rules'), { recursive: true })
  const rule = 'prefix_rule(pattern = ["touch"], decision = "forbidden")'
  writeFileSync(join(home, '.codex/rules/own.rules'), rule)
}

const SCOPE = { allowedPaths: ['src', 'src/**'], offLimitsPaths: ['infra/**'] }

test('nothing is said before a person agreed to a scope', async () => {
  using world = hookWorld()
  const { run, before, server } = world
  expect(await run('claude', before('Write', { file_path: '/etc/passwd' }))).toEqual(NOTHING)
  expect(await run('codex', before('Bash', { command: 'rm -rf /srv' }))).toEqual(NOTHING)
  server.stop()
  expect(await run('claude', before('Write', { file_path: 'infra/a' }))).toEqual(NOTHING)
})

test('the write after the ratification is held against the scope already', async () => {
  using world = hookWorld()
  const { run, before, project, ratify, server } = world
  await ratify('claude', SCOPE)
  server.stop()
  const off = await run('claude', before('Edit', { file_path: `${project}/infra/prod.tf` }))
  expect(off).toEqual(
    blocked(
      'infra/prod.tf is off limits in the scope of this session (rule infra/**). Do not retry it or work around it; if the task needs it, ask the person for another scope with propose_scope.',
    ),
  )
  expect(await run('claude', before('Read', { file_path: `${project}/infra/prod.tf` }))).toEqual(
    off,
  )
  const bypass = { permission_mode: 'bypassPermissions' }
  expect(await run('claude', before('Edit', { file_path: 'infra/prod.tf' }, bypass))).toEqual(off)
  expect(await run('claude', before('Write', { file_path: `${project}/src/a.ts` }))).toEqual(
    NOTHING,
  )
  expect(await run('claude', before('Read', { file_path: `${project}/README.md` }))).toEqual(
    NOTHING,
  )
  expect(await run('claude', before('Bash', { command: 'cat infra/prod.tf' }))).toMatchObject({
    code: 2,
  })
  expect(await run('claude', before('Bash', { command: 'ls src > src/list' }))).toEqual(NOTHING)
  const elsewhere = { session_id: 'another' }
  expect(await run('claude', before('Edit', { file_path: 'infra/prod.tf' }, elsewhere))).toEqual(
    NOTHING,
  )
})

test('a write outside is asked, a yes lets exactly this path through from then on', async () => {
  using world = hookWorld()
  const { run, before, project, ratify, server } = world
  await ratify('claude', SCOPE)
  server.answer = { value: 'yes' }
  expect(await run('claude', before('Write', { file_path: `${project}/README.md` }))).toEqual(
    NOTHING,
  )
  expect(server.asked.at(-1)).toMatchObject({
    event: 'check',
    agentName: 'Claude Code - proj',
    machineId: 'm_test',
    ask: {
      question: 'Allow a change to README.md? It is outside the scope you agreed to.',
      scopePath: 'README.md',
      toolName: 'Write',
      toolPath: `${project}/README.md`,
      toolUseId: 'toolu_1',
      permissionMode: 'default',
      localSurfaceAvailable: false,
      waitEndsAt: expect.stringMatching(/Z$/),
    },
  })
  server.stop()
  expect(await run('claude', before('Edit', { file_path: `${project}/README.md` }))).toEqual(
    NOTHING,
  )
  expect(await run('claude', before('Edit', { file_path: `${project}/README.txt` }))).not.toEqual(
    NOTHING,
  )
})

test('a no blocks, with what the person said', async () => {
  using world = hookWorld()
  const { run, before, ratify, server } = world
  await ratify('codex', SCOPE)
  server.answer = { value: 'no', note: 'use src "please"' }
  expect(await run('codex', before('Bash', { command: 'echo x > notes.md' }))).toEqual(
    blocked(
      'The person does not want notes.md to be changed: it is outside the scope of this session. They say: "use src \\"please\\"". Do not retry it or work around it.',
    ),
  )
})

test('an answer that comes while the hook waits counts', async () => {
  using world = hookWorld({ waitSeconds: 10 })
  const { run, before, ratify, server } = world
  await ratify('claude', SCOPE)
  const waiting = run('claude', before('Write', { file_path: 'notes.md' }))
  await until(() => server.asked.some(({ event }) => event === 'check'))
  server.answer = { value: 'yes' }
  expect(await waiting).toEqual(NOTHING)
})

test('links are followed before the scope is asked', async () => {
  using world = hookWorld()
  const { run, before, project, ratify, server, home } = world
  await ratify('claude', SCOPE)
  server.stop()
  symlinkSync(join(project, 'infra'), join(project, 'src/link'))
  symlinkSync(join(home, 'not-there-yet'), join(project, 'src/dangling'))
  const through = await run('claude', before('Write', { file_path: `${project}/src/link/prod.tf` }))
  expect(through.err).toContain('infra/prod.tf is off limits')
  const dangling = await run('claude', before('Write', { file_path: `${project}/src/dangling` }))
  expect(dangling.out).toContain(`${home}/not-there-yet is outside the scope`)
})

test('files of the hooks, of git and of this program cannot be changed while a scope holds', async () => {
  using world = hookWorld()
  const { run, before, project, ratify, home, state } = world
  await ratify('claude', { allowedPaths: [], offLimitsPaths: [] })
  for (const path of [
    `${project}/.claude/settings.local.json`,
    `${home}/.codex/config.toml`,
    `${project}/.git/hooks/pre-commit`,
    `${home}/.config/beckon/client.json`,
    `${state}/scope/anything.json`,
    PROGRAM[0] as string,
  ]) {
    expect([path, await run('claude', before('Write', { file_path: path }))]).toEqual([
      path,
      expect.objectContaining({ code: 2, err: expect.stringContaining('is off limits') }),
    ])
  }
  const links = `ln -sf /tmp/mine ${project}/.claude/settings.json`
  expect(await run('claude', before('Bash', { command: links }))).toMatchObject({ code: 2 })
  const reads = { file_path: `${project}/.claude/settings.json` }
  expect(await run('claude', before('Read', reads))).toEqual(NOTHING)
})

test('a command that cannot be read to its end is asked about where nothing contains it', async () => {
  using world = hookWorld()
  const { run, before, ratify, server } = world
  ownRules(world)
  const command = before('Bash', { command: 'eval "$(cat plan)"' })
  expect(await run('claude', command)).toEqual(NOTHING)
  await ratify('claude', SCOPE)
  await ratify('codex', SCOPE)
  server.answer = { value: 'yes' }
  expect(await run('claude', command)).toEqual(NOTHING)
  expect(server.asked.at(-1)).toMatchObject({
    event: 'approval',
    ask: { question: expect.stringContaining('what it may change is not known') },
  })
  server.answer = { value: 'no' }
  for (const client of ['claude', 'codex'])
    expect(await run(client, command)).toMatchObject({ code: 2 })
  const { length } = server.asked
  // All its words are known, and they are within.
  expect(await run('claude', before('Bash', { command: 'unknown-tool src' }))).toEqual(NOTHING)
  expect(await run('claude', before('Bash', { command: 'npm test > src/log' }))).toEqual(NOTHING)
  expect(server.asked.slice(length).filter(({ event }) => event === 'approval')).toEqual([])
})

test('a rule that allows a place does not allow what else an open command may change', async () => {
  using world = hookWorld()
  const { run, before, ratify, server } = world
  await ratify('claude', SCOPE)
  server.reply = { decision: 'allow' }
  const touch = (more: string) => before('Bash', { command: `touch README.md${more}` })
  expect(await run('claude', touch(''))).toEqual(NOTHING)
  expect(await run('claude', touch('; eval "$x"'))).toMatchObject({ code: 2 })
  expect(server.asked.slice(-2).map(({ event }) => event)).toEqual(['check', 'approval'])
})

test('a strict hook stops a command that cannot be read to its end, and asks nobody on the phone', async () => {
  using world = hookWorld()
  const { run, before, ratify } = world
  ownRules(world)
  const command = before('Bash', { command: 'eval "$(cat plan)"' })
  const strict = { args: ['--strict'] }
  expect(await run('claude', command, strict)).toEqual(NOTHING)
  await ratify('claude', SCOPE)
  await ratify('codex', SCOPE)
  expect((await run('claude', command, strict)).out).toContain('"ask"')
  expect((await run('codex', command, strict)).err).toStartWith(
    'It is not clear what this command would change',
  )
  expect(await run('codex', before('Bash', { command: 'ls src' }), strict)).toEqual(NOTHING)
})
