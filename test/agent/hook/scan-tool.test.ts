import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { scanTool } from '../../../src/agent/calls/scan-tool.ts'
import { hook as claudeHook } from '../../../src/agent/clients/claude/hook.ts'
import { hook as codexHook } from '../../../src/agent/clients/codex/hook.ts'
import { judgeCall } from '../../../src/agent/hook/judge-call.ts'
import { contract } from '../../support/hook-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const PATCH = '*** Begin Patch\n*** Add File: infra/b\n+x\n*** End Patch'
const IN_SRC = '*** Begin Patch\n*** Add File: src/q\n+y\n*** End Patch'
const MANY = [...Array(250).keys()].map((at) => `src/${at}.ts`)

type Row = [verdict: string, tool: string, input: unknown, client?: 'codex']

const ROWS: Row[] = [
  ['off_limits', 'mcp__fs__write_file', { path: 'infra/a' }],
  ['off_limits', 'mcp__fs__write_file', { file: 'infra/a' }],
  ['off_limits', 'mcp__fs__write_file', { filename: 'infra/a' }],
  ['off_limits', 'mcp__fs__list', { directory: 'infra' }],
  ['off_limits', 'mcp__fs__list', { directories: ['src', 'infra'] }],
  ['off_limits', 'mcp__fs__list', { working_dir: 'infra' }],
  ['off_limits', 'mcp__fs__list', { folder: 'infra' }],
  ['off_limits', 'mcp__fs__list', { cwd: 'infra' }],
  ['off_limits', 'mcp__fs__list', { file: 'infra' }],
  ['within', 'mcp__tests__run', { directory: '.', folder: 'inbox', cwd: 'docs' }],
  ['within', 'mcp__mail__send', { subject: 'infra' }],
  ['off_limits', 'mcp__fs__move_file', { source: 'infra/a', destination: 'src/a' }],
  // Named as ours are, by another server.
  ['off_limits', 'mcp__chat__send_notification', { title: 'x', path: 'infra/a' }],
  ['off_limits', 'mcp__chat__ask_user', { file: 'infra/a' }],
  ['off_limits', 'chat_wait_for_answer', { command: 'cat infra/a' }],
  ['within', 'mcp__beckon__send_notification', { title: 'x', path: 'infra/a' }],
  [
    'within',
    'mcp__svc__ask_user',
    { question: 'infra/a?', toolPath: 'infra/a', actionBody: PATCH },
  ],
  ['within', 'mcp__svc__propose_scope', { allowedPaths: ['src'], offLimitsPaths: ['infra'] }],
  ['off_limits', 'mcp__fs__move_file', { from: 'infra/a', to: 'src/a' }],
  ['off_limits', 'mcp__fs__edit', { outputPath: 'infra/a' }],
  ['off_limits', 'mcp__fs__edit', { paths: '["src/a","infra/a"]' }],
  ['off_limits', 'mcp__fs__edit', { paths: [...MANY, 'infra/a'] }],
  ['off_limits', 'mcp__fs__edit', { a: { b: { c: { d: { e: { path: 'infra/a' } } } } } }],
  ['off_limits', 'mcp__fs__edit', { args: ['--out', 'infra/a'] }],
  ['off_limits', 'mcp__fs__edit', { note: 'infra/a' }],
  ['off_limits', 'mcp__shell__exec', { command: 'echo x > infra/a' }],
  ['off_limits', 'mcp__shell__exec', { cmd: 'rm', args: ['-rf', './infra'] }],
  ['off_limits', 'mcp__shell__exec', { command: ['rm', '-rf', 'infra'] }],
  ['off_limits', 'mcp__fs__patch', { text: PATCH }],
  ['off_limits', 'exec_command', { cmd: 'touch infra/a' }, 'codex'],
  ['within', 'exec_command', { cmd: `apply_patch <<'EOF'\n${IN_SRC}\nEOF` }, 'codex'],
  ['outside', 'exec_command', { cmd: `cd lib && apply_patch <<'EOF'\n${IN_SRC}\nEOF` }, 'codex'],
  [
    'within',
    'exec_command',
    { cmd: `cd lib; cd ..\napply_patch <<'EOF'\n${IN_SRC}\nEOF` },
    'codex',
  ],
  ['off_limits', 'shell', { command: ['bash', '-lc', 'touch infra/a'] }, 'codex'],
  ['off_limits', 'apply_patch', { input: PATCH }, 'codex'],
  ['off_limits', 'apply_patch', { command: ['apply_patch', PATCH] }, 'codex'],
  ['off_limits', 'Write', { path: 'infra/a' }],
  ['off_limits', 'Write', { file_path: { path: 'infra/a' } }],
  ['off_limits', 'Glob', { pattern: 'infra/**' }],
  ['off_limits', 'Glob', { pattern: '../infra/*', path: 'src' }],
  ['off_limits', 'Glob', { pattern: '{src,infra}/**' }],
  ['off_limits', 'Grep', { pattern: 'x', glob: 'infra/**' }],
  ['outside', 'mcp__search-files__write_file', { path: 'README.md' }],
  ['outside', 'mcp__fs__read_and_write', { path: 'README.md' }],
  ['outside', 'mcp__shell__exec', { command: 'touch README.md' }],
  ['within', 'mcp__fs__read_text_file', { path: 'README.md' }],
  ['within', 'mcp__fs__listDirectory', { path: '.' }],
  ['within', 'mcp__shell__exec', { command: 'npm test' }],
  ['within', 'mcp__hub__create_issue', { title: 'infra is slow', body: 'see infra/a\n, key.pem' }],
  ['within', 'mcp__hub__send', { to: 'a@infra.test', from: 'infra', url: 'https://x/infra/a' }],
  ['within', 'mcp__git__status', { repo_path: '.' }],
  ['within', 'Glob', { pattern: '**/*.ts' }],
  ['within', 'Grep', { pattern: 'infra/a', glob: '*.ts' }],
  ['within', 'mcp__beckon__ask_user', { toolPath: 'infra/a' }],
]

test('a tool that nobody knows is held to the scope by whatever it names', async () => {
  using folder = tempFolder()
  const cwd = join(folder.path, 'project')
  for (const name of ['src', 'infra', 'lib']) mkdirSync(join(cwd, name), { recursive: true })
  const scope = { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**', '**/*.pem'] }
  const storedScope = { contract: contract(scope), widened: [], roots: [cwd] }
  const own = { folders: [], files: [] }
  const verdict = async ([, tool_name, tool_input, clientName]: Row): Promise<string> => {
    const client = clientName === 'codex' ? codexHook : claudeHook
    const event = { hook_event_name: 'PreToolUse', cwd, tool_name, tool_input }
    const call = client.parse(event, {})
    const judged = await judgeCall(
      { call, own },
      { ...storedScope, serverUrl: '', etag: '', checkedAt: 0 },
    )
    return judged.is
  }
  const verdicts = await Promise.all(ROWS.map(async (row) => [await verdict(row), row[1], row[2]]))
  expect(verdicts).toEqual(ROWS.map(([expected, tool, input]) => [expected, tool, input]))
})

test('what names more than is looked at says so, whatever its shape', () => {
  const deep = JSON.parse(`${'['.repeat(25_000)}${']'.repeat(25_000)}`) as unknown
  for (const input of [deep, { paths: [...MANY, ...MANY, ...MANY] }, Array(30_000).fill(1)]) {
    expect(scanTool('mcp__x__write', input).unread).toBe(true)
  }
  expect(scanTool('mcp__x__write', { path: 'a', more: [1, null, true] }).unread).toBe(false)
})
