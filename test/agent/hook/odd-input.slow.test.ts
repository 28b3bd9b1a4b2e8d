import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readPartialJson } from '../../../src/agent/hook/read-input.ts'
import { hookWorld, NOTHING } from '../../support/hook-world.ts'

const SCOPE = { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] }
const BLOCKED = { code: 2, err: expect.stringMatching(/\S/) }
const MIB = 1024 * 1024

const GARBAGE = [
  '',
  '   ',
  '{',
  'null',
  '"a text"',
  '[1,2]',
  '42',
  'not json',
  '\u0000\u0001',
  '{"a":',
]

test('what cannot be read stops nothing before a scope holds, and is stopped afterwards', async () => {
  using world = hookWorld()
  for (const input of GARBAGE)
    expect([input, await world.run('claude', input)]).toEqual([input, NOTHING])
  await world.ratify('claude', SCOPE)
  for (const input of GARBAGE) {
    expect([input, await world.run('claude', input)]).toEqual([
      input,
      expect.objectContaining(BLOCKED),
    ])
    expect([input, await world.run('codex', input)]).toEqual([input, NOTHING])
  }
})

test('a scope counts through whatever is odd about the rest', async () => {
  using world = hookWorld({ waitSeconds: 1 })
  const { run, before, event, project, ratify, server } = world
  await ratify('claude', SCOPE)
  server.stop()
  const off = { file_path: `${project}/infra/a` }
  const blocked = {
    'a byte order mark': `\uFEFF${JSON.stringify(before('Write', off))}`,
    'the input of the tool as text': before('Write', JSON.stringify(off)),
    'an empty cwd': before('Write', { file_path: 'infra/a' }, { cwd: '' }),
    'a relative cwd': before('Write', { file_path: 'infra/a' }, { cwd: '../..' }),
    'no id of the call': before('Write', off, { tool_use_id: undefined }),
    'no session': before('Write', off, { session_id: undefined }),
    'no event': { ...before('Write', off), hook_event_name: undefined },
    'a tool nobody knows': before('mcp__files__replace', { options: { targetFile: 'infra/a' } }),
    'a list of paths': before('mcp__files__delete', { paths: ['src/a', 'infra/a'] }),
    'a path with NUL': before('Write', { file_path: 'src/a\u0000b' }),
    'an address of a file': before('Write', { file_path: `file://${project}/infra/a` }),
  }
  for (const [what, input] of Object.entries(blocked)) {
    expect([what, await run('claude', input)]).toEqual([what, expect.objectContaining(BLOCKED)])
  }
  const silent = {
    'an event nobody knows': event('PostCompact', { tool_input: off }),
    'a tool nobody knows that reads': before('mcp__files__read', { path: 'README.md' }),
    'a call without a path': before('mcp__clock__now', {}),
    'a number for a path': before('Write', { file_path: 5 }),
    'no tool': event('PreToolUse'),
  }
  for (const [what, input] of Object.entries(silent)) {
    expect([what, await run('claude', input)]).toEqual([what, NOTHING])
  }
})

test('more than 5 MB is decided by what is known, and stopped where that is not enough', async () => {
  using world = hookWorld({ waitSeconds: 1 })
  const { run, before, ratify, server } = world
  await ratify('claude', SCOPE)
  server.stop()
  const content = 'x'.repeat(6 * MIB)
  const inside = { file_path: 'src/big', content }
  expect(await run('claude', before('Write', inside))).toEqual(NOTHING)
  const off = await run('claude', before('Write', { file_path: 'infra/big', content }))
  expect(off.err).toStartWith('infra/big is off limits')
  for (const input of [{ content, file_path: 'src/big' }, { command: `echo ${content}` }]) {
    const tool = 'command' in input ? 'Bash' : 'Write'
    expect((await run('claude', before(tool, input))).err).toStartWith('This call is longer than')
  }
  expect(await run('codex', before('Bash', { command: content }))).toEqual(NOTHING)
}, 60_000)

test('an input that never ends is decided about all the same', async () => {
  using world = hookWorld()
  const { before, ratify, env, server } = world
  await ratify('claude', SCOPE)
  server.stop()
  const main = join(import.meta.dir, '../../../src/main.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', main, 'hook', 'claude'], {
    env: { ...process.env, ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  child.stdin.write(JSON.stringify(before('Write', { file_path: 'infra/a' })))
  child.stdin.flush()
  expect(await new Response(child.stderr).text()).toStartWith('infra/a is off limits')
  expect(await child.exited).toBe(2)
})

test('invalid UTF-8 in a path is no way out', async () => {
  using world = hookWorld({ waitSeconds: 1 })
  const { before, ratify, env, server, project } = world
  await ratify('claude', SCOPE)
  server.stop()
  const text = JSON.stringify(before('Write', { file_path: `${project}/infra/@` }))
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf('@')] = 0xff
  const main = join(import.meta.dir, '../../../src/main.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', main, 'hook', 'claude'], {
    env: { ...process.env, ...env },
    stdin: bytes,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await child.exited).toBe(2)
})

const CUT: Array<[text: string, value: unknown]> = [
  ['{"a":1,"b":{"c":"d","e":"f', { a: 1, b: { c: 'd' } }],
  ['{"a":"x\\"y","b":[1,2', { a: 'x"y', b: [1] }],
  ['{"a":1,"b', { a: 1 }],
  ['{"a":1', {}],
  ['{"a":{"b":1}', { a: { b: 1 } }],
  ['[[1],[2', [[1], []]],
  ['{"a":"}],', {}],
  ['', undefined],
  ['nothing', undefined],
  ['}', undefined],
]

test.each(CUT)('of %p the rest is %p', (text, value) => {
  expect(readPartialJson(text)).toEqual(value)
})
