import { expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadHookClient } from '../../../src/agent/clients/clients.ts'
import { JAILED_CLIENTS } from '../../../src/agent/jail/session-scope.ts'
import { type HookWorld, hookWorld, NOTHING, SESSION } from '../../support/hook-world.ts'
import { PROGRAM } from '../../support/program.ts'
import { runCommand } from '../../support/run-command.ts'

const isLinux = process.platform === 'linux'
const SCOPE = { allowedPaths: ['src', 'src/**'] }
type Json = Record<string, unknown>

/** How each client reports a shell command, and where its reply has the command in its place. */
const FORMS: Record<
  string,
  { input(world: HookWorld, command: string): Json; replaced(reply: Json): unknown }
> = {
  codex: {
    input: ({ before }, command) => before('Bash', { command }),
    replaced: (reply) => at(reply, 'hookSpecificOutput', 'updatedInput', 'command'),
  },
  droid: {
    input: ({ before }, command) =>
      before('Execute', { command }, { permission_mode: 'auto-high' }),
    replaced: (reply) => at(reply, 'hookSpecificOutput', 'updatedInput', 'command'),
  },
  gemini: {
    input: ({ event }, command) =>
      event('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command } }),
    replaced: (reply) => at(reply, 'hookSpecificOutput', 'tool_input', 'command'),
  },
  opencode: {
    input: ({ project }, command) => ({
      ...{ event: 'tool.execute.before', cwd: project, roots: [project], takesInput: true },
      input: { tool: 'bash', sessionID: SESSION, callID: 'call_1' },
      output: { args: { command } },
    }),
    replaced: (reply) => at(reply, 'args', 'command'),
  },
  cline: {
    input: ({ project }, command) => ({
      ...{ hookName: 'tool_call', taskId: SESSION, workspaceRoots: [project] },
      tool_call: { id: '1', name: 'run_commands', input: { commands: [command] } },
    }),
    replaced: (reply) => (at(reply, 'overrideInput', 'commands') as unknown[])[0],
  },
}

function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce((inner, key) => (inner as Json)[key], value)
}

/** The event after a proposal that a person agreed to, in the words of the client. */
async function ratify(world: HookWorld, client: string): Promise<void> {
  if (client === 'opencode' || client === 'gemini' || client === 'cline') {
    await world.ratify('codex', SCOPE)
    const input = FORMS[client]?.input(world, 'true') ?? {}
    const tool = 'beckon_propose_scope'
    const after: Record<string, Json> = {
      opencode: { ...input, event: 'tool.execute.after', input: { tool, sessionID: SESSION } },
      gemini: { ...input, hook_event_name: 'AfterTool', tool_name: `mcp_${tool}` },
      cline: {
        ...input,
        hookName: 'tool_result',
        tool_call: undefined,
        tool_result: { name: tool },
      },
    }
    await world.run(client, after[client] ?? {})
    return
  }
  await world.ratify(client, SCOPE)
}

test('the list of clients that can have a command replaced is complete', async () => {
  expect(Object.keys(FORMS).sort()).toEqual(
    JAILED_CLIENTS.filter((name) => name !== 'claude' && name !== 'copilot').sort(),
  )
  for (const name of Object.keys(FORMS))
    expect((await loadHookClient(name))?.withCommands).toBeDefined()
})

test.if(isLinux).each(Object.keys(FORMS))(
  '%s: a command is started in the scope, and read as the model wrote it',
  async (client) => {
    using world = hookWorld()
    const { home, project, run, env } = world
    const form = FORMS[client]
    if (!form) throw new Error('there is no such form')
    const command = `echo "it's" > src/in; echo x > "$PWD/out"; true`
    const silent = await run(client, form.input(world, command))
    expect([NOTHING.out, '{"cancel":false}']).toContain(silent.out)
    await ratify(world, client)
    const result = await run(client, form.input(world, `eval "$(cat plan)"`))
    const replaced = String(form.replaced(JSON.parse(result.out)))
    expect(replaced).toStartWith(`sh ${home}/.local/state/beckon/start-${client} ${SESSION} bash `)
    // The client asks about what it was given, and the model may copy it.
    const again = await run(client, form.input(world, replaced))
    expect(again).toEqual(result)

    writeFileSync(join(project, 'plan'), command)
    const ran = await runCommand(['bash', '-c', replaced], {
      cwd: project,
      env: { ...process.env, ...env },
    })
    expect(ran.err).toContain('out')
    expect(existsSync(join(project, 'src/in'))).toBe(true)
    expect(existsSync(join(project, 'out'))).toBe(false)
  },
)

test.if(isLinux)(
  'Copilot CLI: only where it was started so that it judges nothing itself',
  async () => {
    using world = hookWorld()
    const { home, project, env } = world
    await world.ratify('codex', SCOPE)
    const copilot = join(home, 'copilot')
    const hook = [...PROGRAM, 'hook', 'copilot', 'preToolUse'].map((word) => `'${word}'`).join(' ')
    // The hook looks at the process above it, which a shell does not become.
    writeFileSync(copilot, `${hook}; true`)
    const rewriteWith = async (...options: string[]) => {
      const input = { sessionId: SESSION, timestamp: 1, cwd: project, toolName: 'bash' }
      const stdin = JSON.stringify({ ...input, toolArgs: { command: 'ls src', description: 'a' } })
      const how = { env: { ...process.env, ...env }, cwd: project, stdin }
      const { out } = await runCommand(['sh', copilot, ...options], how)
      return out === '' ? '' : at(JSON.parse(out), 'modifiedArgs')
    }
    const command = `sh ${home}/.local/state/beckon/start-copilot ${SESSION} bash 'ls src'`
    expect(await rewriteWith('--yolo')).toEqual({ command, description: 'a' })
    expect(await rewriteWith('-p', 'go', '--allow-all')).toEqual({ command, description: 'a' })
    // It would judge the paths of what is put in place, and rules for \`ls\` would not be found.
    expect(await rewriteWith('-p', 'go', '--allow-all-tools')).toBe('')
    expect(await rewriteWith('--yolo', '--deny-tool=shell(touch)')).toBe('')
    expect(await rewriteWith()).toBe('')
  },
)

test('a command of another session, or more than one word, is no command of ours', async () => {
  using world = hookWorld()
  await world.ratify('codex', { allowedPaths: ['src'], offLimitsPaths: ['infra/**'] })
  const input = (command: string) => world.before('Bash', { command })
  const { out } = await world.run('codex', input('ls src'))
  const line = String(at(JSON.parse(out), 'hookSpecificOutput', 'updatedInput', 'command'))
  const off = `${line.slice(0, line.indexOf(" bash '"))} bash 'cat infra/prod.tf'`
  expect(await world.run('codex', input(off))).toMatchObject({ code: 2 })
  expect(await world.run('codex', input(`${line}; cat infra/prod.tf`))).toMatchObject({ code: 2 })
})

test('the plugin of an earlier setup would ignore the input, so none is given', async () => {
  using world = hookWorld()
  await ratify(world, 'opencode')
  const { takesInput: _, ...earlier } = FORMS.opencode?.input(world, 'ls src') ?? {}
  expect(await world.run('opencode', earlier)).toEqual(NOTHING)
})

test('Droid keeps the commands that it judges itself', async () => {
  using world = hookWorld()
  await ratify(world, 'droid')
  const input = world.before('Execute', { command: 'ls src' }, { permission_mode: 'auto-low' })
  expect(await world.run('droid', input)).toEqual(NOTHING)
})

test.if(isLinux)(
  'the server is told when a client no longer starts commands in a jail',
  async () => {
    using world = hookWorld()
    const { run, before, event, server } = world
    const contained = () =>
      server.asked.findLast((report) => report.contained !== undefined)?.contained
    const runsIn = async (mode: string) => {
      const { length } = server.asked
      await run('droid', before('Execute', { command: 'ls src' }, { permission_mode: mode }))
      return server.asked.length - length
    }
    await run('droid', event('SessionStart', { permission_mode: 'auto-high' }))
    const free = contained()
    await world.ratify('droid', SCOPE)
    await runsIn('auto-high')
    expect(contained()).toBe(free)
    expect(await runsIn('auto-high')).toBe(0)
    // Before any command runs so, and once.
    await run('droid', before('Read', { file_path: 'a' }, { permission_mode: 'auto-low' }))
    expect(contained()).toBe('none')
    expect(await runsIn('auto-low')).toBe(0)
    expect(await runsIn('auto-high')).toBeGreaterThan(0)
    expect(contained()).toBe(free)
  },
)

test.if(isLinux)('in a sandbox of Codex itself a jail counts as Landlock alone', async () => {
  using world = hookWorld()
  const record = join(world.home, 'record.jsonl')
  const turn = (type: string) =>
    appendFileSync(
      record,
      `{"type":"turn_context","payload":{"sandbox_policy":{"type":"${type}"}}}\n`,
    )
  const contained = async () => {
    const call = world.event('PreToolUse', { tool_name: 'Read', transcript_path: record })
    await world.run('codex', call)
    return world.server.asked.findLast((report) => report.contained !== undefined)?.contained
  }
  turn('danger-full-access')
  await world.ratify('codex', SCOPE)
  const free = await contained()
  turn('workspace-write')
  expect(await contained()).toBe(free === 'none' ? 'none' : 'landlock')
  appendFileSync(record, '{"text":"\\"sandbox_policy\\":{\\"type\\":\\"danger-full-access\\"}"}\n')
  expect(await contained()).toBe(free === 'none' ? 'none' : 'landlock')
  turn('danger-full-access')
  expect(await contained()).toBe(free)
})

test('a client whose own rules judge commands keeps them as they are', async () => {
  using world = hookWorld()
  mkdirSync(join(world.home, '.codex/rules'), { recursive: true })
  const rule = (decision: string) =>
    writeFileSync(
      join(world.home, '.codex/rules/default.rules'),
      `prefix_rule(pattern = ["touch"], decision = "${decision}")`,
    )
  await world.ratify('codex', SCOPE)
  const rewrite = async () =>
    (await world.run('codex', world.before('Bash', { command: 'ls src' }))).out
  rule('forbidden')
  expect(await rewrite()).toBe('')
  rule('allow')
  expect(await rewrite()).toContain(isLinux ? 'updatedInput' : '')
  await ratify(world, 'opencode')
  writeFileSync(join(world.project, 'opencode.json'), '{"permission":{"bash":{"rm *":"deny"}}}')
  expect(await world.run('opencode', FORMS.opencode?.input(world, 'ls src') ?? {})).toEqual(NOTHING)
})
