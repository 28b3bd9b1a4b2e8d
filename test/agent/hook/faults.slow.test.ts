import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import { type HookWorld, hookWorld, NOTHING } from '../../support/hook-world.ts'

const SCOPE = { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] }
const TLS = join(import.meta.dir, '../../fixtures/tls')

/** What can be wrong with a server; each leaves the world with a hook that was told a scope. */
const FAULTS: Record<string, (world: HookWorld) => void> = {
  refused({ server }) {
    server.stop()
  },
  'black-holed': ({ server }) => {
    server.before = () => new Promise<never>(() => {})
  },
  'error 500': ({ server }) => {
    server.before = () => new Response('oops', { status: 500 })
  },
  'an answer of another program': ({ server }) => {
    server.before = () => new Response('<html>')
  },
  'JSON of another program': ({ server }) => {
    server.before = () => Response.json({ ok: true })
  },
  'a redirect': ({ server }) => {
    server.before = () => Response.redirect('http://127.0.0.1:1/', 302)
  },
  'a wrong token': ({ server, home }) => {
    const file = { url: server.url, token: 'bk_wrong', machineId: 'm', hookWaitSeconds: 2 }
    writeClientFile(file, { HOME: home })
  },
  'slow beyond the deadline': ({ server }) => {
    server.before = async () => {
      await Bun.sleep(30_000)
      return new Response('{}')
    }
  },
  'nobody answers': () => {},
  'no device': ({ server }) => {
    server.reply = { questionFields: { noDevices: true, status: 'pending' } }
  },
  'the session is paused': ({ server }) => {
    server.reply = { questionFields: { paused: true, status: 'pending' } }
  },
}

describe.each(Object.keys(FAULTS))('%s', (name) => {
  test('without a scope nothing is stopped', async () => {
    using world = hookWorld({ waitSeconds: 2 })
    FAULTS[name]?.(world)
    const { run, before, event } = world
    const started = run('claude', event('SessionStart', { source: 'startup' }))
    expect(await run('claude', before('Write', { file_path: 'README.md' }))).toEqual(NOTHING)
    expect((await started).code).toBe(0)
  })

  test('with a scope the terminal is asked, and where there is none the write is refused', async () => {
    using world = hookWorld({ waitSeconds: 2 })
    const { run, before, event, ratify } = world
    await ratify('claude', SCOPE)
    await ratify('codex', SCOPE)
    // A host that is left to its own time lets the tool run: the hook is done long before the test.
    FAULTS[name]?.(world)
    const write = before('Write', { file_path: 'README.md' })
    const headless = { env: { CLAUDE_CODE_SESSION_ATTENDED: '0' } }
    const [interactive, unattended, codex, inside, off, read, late] = await Promise.all([
      run('claude', write),
      run('claude', write, headless),
      run('codex', before('Bash', { command: 'touch README.md' })),
      run('claude', before('Write', { file_path: 'src/a' })),
      run('claude', before('Write', { file_path: 'infra/a' })),
      run('claude', before('Read', { file_path: 'README.md' })),
      run('claude', event('PostToolUse', { tool_name: 'mcp__beckon__wait_for_answer' })),
    ])
    expect(interactive).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(interactive.out).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringMatching(/^README.md is outside .* Allow it here\?$/),
    })
    for (const refused of [unattended, codex]) {
      expect(refused).toMatchObject({
        code: 2,
        err: expect.stringContaining('neither yes nor no: do not do it'),
      })
    }
    expect([inside, read, late]).toEqual([NOTHING, NOTHING, NOTHING])
    expect(off).toMatchObject({ code: 2, err: expect.stringContaining('off limits') })
  }, 60_000)
})

test('a certificate that nobody vouches for is a server that cannot be reached', async () => {
  using world = hookWorld({ waitSeconds: 2 })
  const { run, before, ratify, home } = world
  const [cert, key] = [Bun.file(join(TLS, 'cert.pem')), Bun.file(join(TLS, 'key.pem'))]
  using secure = Bun.serve({ port: 0, tls: { cert, key }, fetch: () => Response.json({}) })
  await ratify('claude', SCOPE)
  const url = `https://127.0.0.1:${secure.port}`
  writeClientFile({ url, token: 'bk', machineId: 'm', hookWaitSeconds: 2 }, { HOME: home })
  const other = { session_id: 'other' }
  expect(await run('claude', before('Write', { file_path: 'README.md' }, other))).toEqual(NOTHING)
  const outside = await run('claude', before('Write', { file_path: 'README.md' }))
  expect(outside).toMatchObject({ code: 0, out: expect.stringContaining('"ask"') })
})
