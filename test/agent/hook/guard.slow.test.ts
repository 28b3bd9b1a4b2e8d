import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookWorld, NOTHING } from '../../support/hook-world.ts'
import { until } from '../../support/until.ts'

const UNDO = 'beckon setup claude --undo --yes'

test('an agent does not switch off its guard, with a scope or without, in the words of each client', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { run, before, project, ratify } = world
  const bash = before('Bash', { command: UNDO })
  const refusal = 'beckon setup --undo is not for agents'
  expect((await run('claude', bash)).err).toStartWith(refusal)
  await ratify('claude', { allowedPaths: ['src/**'] })
  const bypass = before('Bash', { command: UNDO }, { permission_mode: 'bypassPermissions' })
  expect(await run('claude', bypass)).toMatchObject({ code: 2 })
  const shell = { session_id: 's', cwd: project, tool_input: { command: UNDO } }
  const gemini = { ...shell, hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' }
  expect(JSON.stringify(await run('gemini', gemini))).toContain(refusal)
  expect(await run('codex', before('Bash', { command: UNDO }))).toMatchObject({ code: 2 })
  const copilot = {
    sessionId: 's',
    cwd: project,
    toolName: 'bash',
    toolArgs: JSON.stringify({ command: UNDO }),
  }
  const answered = await run('copilot', copilot, { args: ['preToolUse'] })
  expect(JSON.stringify(answered)).toContain(refusal)
})

test('the person is told once what an agent tried', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { run, before, server } = world
  for (const id of ['1', '2'])
    await run('claude', before('Bash', { command: UNDO }, { tool_use_id: id }))
  await run('claude', before('Bash', { command: 'beckon pair' }))
  await until(() => server.notes.length === 2)
  expect(server.notes.map(({ title }) => title).sort()).toEqual([
    'Claude Code was stopped: beckon pair',
    'Claude Code was stopped: beckon setup --undo',
  ])
})

test('settings, state and data of Beckon are not changed without a scope either', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { run, before, project, home, state } = world
  const data = join(home, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'beckon.db'), '')
  symlinkSync(join(home, '.config/beckon/client.json'), join(project, 'notes.txt'))
  for (const input of [
    before('Write', { file_path: `${home}/.config/beckon/client.json`, content: '{}' }),
    before('Edit', { file_path: 'notes.txt', old_string: 'a', new_string: 'b' }),
    before('Write', { file_path: `${state}/scope/x.json`, content: '' }),
    before('Read', { file_path: `${data}/beckon.db` }),
    before('Bash', { command: `rm -rf ${state}` }),
    before('Bash', { command: `find ${state} -delete` }),
    before('Bash', { command: 'rm -rf ~/.local' }),
    before('Bash', { command: `sqlite3 ${data}/beckon.db "update questions set value='yes'"` }),
    before('Bash', { command: 'cd ~/data && cat beckon.d*' }),
  ])
    expect([input.tool_input, await run('claude', input)]).toEqual([
      input.tool_input,
      expect.objectContaining({
        code: 2,
        err: expect.stringContaining('belongs to Beckon'),
      }),
    ])
  for (const input of [
    before('Read', { file_path: `${home}/.config/beckon/client.json` }),
    before('Bash', { command: 'ls -la ~/.config' }),
    before('Bash', { command: 'rm -rf node_modules' }),
    before('Bash', { command: 'echo beckon.db >> .gitignore' }),
  ])
    expect([input.tool_input, await run('claude', input)]).toEqual([input.tool_input, NOTHING])
})

test('settings that switch hooks off are asked about, and others are not', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { run, before, server, write, home } = world
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'beckon hook claude' }] }] }
  write('.claude/settings.json', JSON.stringify({ model: 'a', hooks }))
  const settings = '.claude/settings.json'
  server.answer = { value: 'no' }
  for (const input of [
    before('Write', {
      file_path: '.claude/settings.local.json',
      content: '{"disableAllHooks":true}',
    }),
    before('Edit', {
      file_path: settings,
      old_string: '"a"',
      new_string: '"a","env":{"BUN_BE_BUN":"1"}',
    }),
    before('Write', { file_path: settings, content: '{"model":"a"}' }),
    before('Edit', { file_path: settings, old_string: 'beckon hook claude', new_string: 'true' }),
    before('Bash', { command: `rm ${settings}` }),
    before('Bash', { command: `echo '{"disableAllHooks": true}' > ~/.claude/settings.json` }),
  ])
    expect([input.tool_input, await run('claude', input)]).toEqual([
      input.tool_input,
      expect.objectContaining({
        code: 2,
        err: expect.stringContaining('This may switch off the hook that watches this agent'),
      }),
    ])
  expect(server.asked.at(-1)?.ask).toMatchObject({
    question: expect.stringContaining('/.claude/settings.json'),
    personOnly: true,
  })
  const requestCount = server.asked.length
  for (const input of [
    before('Edit', { file_path: settings, old_string: '"a"', new_string: '"b"' }),
    before('Write', { file_path: `${home}/.gemini/settings.json`, content: '{"theme":"x"}' }),
  ])
    expect([input.tool_input, await run('claude', input)]).toEqual([input.tool_input, NOTHING])
  expect(server.asked.length).toBe(requestCount)
})

test('an edit that takes the gate from an MCP server is asked about, and another is not', async () => {
  using world = hookWorld({ waitSeconds: 50 })
  const { run, before, server, write, home, state } = world
  const config = join(home, '.client/config.json')
  const args = ['-uX', 'beckon', 'gate', 'fs', '--hold', '600', '--', 'npx']
  const crm = { url: 'https://beckon.example/gate/crm', headers: { 'X-Beckon-Hold': '600' } }
  const text = JSON.stringify({ theme: 'a', mcpServers: { fs: { command: 'env', args }, crm } })
  mkdirSync(join(home, '.client'))
  writeFileSync(config, text)
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'gated-files.json'), JSON.stringify([config]))
  write('other.json', text)
  server.answer = { value: 'no' }
  const edit = (file_path: string, old_string: string, new_string: string) =>
    before('Edit', { file_path, old_string, new_string })
  for (const input of [
    before('Write', { file_path: config, content: '{"mcpServers":{}}' }),
    edit(config, '"gate","fs"', '"gate","other"'),
    edit(config, '"fs","--hold"', '"other","--hold"'),
    edit(config, '/gate/crm', '/gate/other'),
    edit(config, 'https://beckon.example/gate/crm', 'https://crm.example/mcp'),
    edit(config, 'no such text', ''),
    before('Bash', { command: `rm ${config}` }),
    before('Bash', { command: `sed -i s/gate/x/ ${config}` }),
  ])
    expect([input.tool_input, await run('claude', input)]).toEqual([
      input.tool_input,
      expect.objectContaining({ code: 2, err: expect.stringContaining('gate') }),
    ])
  for (const input of [
    edit(config, '"theme":"a"', '"theme":"b"'),
    before('Write', { file_path: config, content: text.replace('"a"', '"b"') }),
    edit('other.json', '"gate"', '"x"'),
  ])
    expect([input.tool_input, await run('claude', input)]).toEqual([input.tool_input, NOTHING])
  const command = 'beckon gate remove fs'
  expect((await run('claude', before('Bash', { command }))).err).toStartWith(
    'beckon gate remove is not for agents',
  )
})
