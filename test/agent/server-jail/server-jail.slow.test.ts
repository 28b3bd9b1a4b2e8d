import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract, hookWorld, SESSION } from '../../support/hook-world.ts'
import { PROGRAM } from '../../support/program.ts'
import { runCommand } from '../../support/run-command.ts'
import { until } from '../../support/until.ts'
import { whyNot } from '../jail/jail-world.ts'

const why = whyNot()
const TOY = join(import.meta.dir, 'toy-server.ts')
const SCOPE = { allowedPaths: ['src'], offLimitsPaths: ['**/.env'] }

describe.skipIf(why !== undefined)(
  `an MCP server of a client${why ? ` (skipped: ${why})` : ''}`,
  () => {
    const world = hookWorld()
    afterAll(() => world[Symbol.dispose]())
    beforeAll(() => {
      world.write('.env', 'secret')
      world.write('lib/a.ts', 'a')
      mkdirSync(join(world.home, 'elsewhere'))
    })
    const at = (path: string) => join(world.project, path)

    test('is held to a scope from the moment it begins until it ends', async () => {
      await using server = start(world)
      expect(await server.call('initialize')).toMatchObject({ protocolVersion: '2025-11-25' })
      server.say({ method: 'notifications/initialized' })
      const first = await server.call('pid')
      expect(await server.call('write', { path: at('lib/b.ts') })).toEqual({ done: true })
      expect(await server.call('read', { path: at('.env') })).toEqual({ text: 'secret' })

      const lost = server.call('wait')
      await world.ratify('claude', SCOPE)
      expect(await lost).toMatchObject({ error: { message: expect.stringContaining('again') } })
      expect(await server.call('pid')).not.toEqual(first)
      expect(await server.call('write', { path: at('lib/c.ts') })).toEqual({ failed: 'EROFS' })
      expect(await server.call('read', { path: at('.env') })).toEqual({ failed: 'EACCES' })
      expect(await server.call('write', { path: at('src/d.ts') })).toEqual({ done: true })
      expect(existsSync(at('lib/c.ts'))).toBe(false)

      // A later server counts its questions from the same number, and has its own answers.
      server.answers = { roots: [] }
      expect(await server.call('ask')).toEqual({ roots: [] })

      await world.run('claude', world.event('SessionEnd'))
      expect(await server.call('write', { path: at('lib/e.ts') })).toEqual({ done: true })
    })

    test('is held to that of any session of its client there, and to no other', async () => {
      await world.ratify('claude', SCOPE)
      await using below = start(world, { cwd: at('src') })
      await using apart = start(world, { cwd: join(world.home, 'elsewhere') })
      await using own = start(world, {
        cwd: join(world.home, 'elsewhere'),
        env: { CLAUDE_CODE_SESSION_ID: SESSION },
      })
      const seen: unknown[] = []
      for (const server of [below, apart, own]) {
        await server.begin()
        seen.push(await server.call('write', { path: at('lib/f.ts') }))
      }
      expect(seen).toEqual([{ failed: 'EROFS' }, { done: true }, { failed: 'EROFS' }])
      await world.run('claude', world.event('SessionEnd'))
    })

    test('is held to all of several scopes', async () => {
      const other = { session_id: 'another' }
      await world.ratify('claude', { allowedPaths: ['src', 'lib'] })
      world.server.contract = contract({ correlationId: 'q_2', allowedPaths: ['lib', 'docs'] })
      const tool_name = 'mcp__beckon__propose_scope'
      await world.run('claude', world.event('PostToolUse', { tool_name, ...other }))
      mkdirSync(at('docs'))
      await using server = start(world)
      await server.begin()
      const seen = ['src/g.ts', 'lib/g.ts', 'docs/g.ts'].map((path) =>
        server.call('write', { path: at(path) }),
      )
      expect(await Promise.all(seen)).toEqual([
        { failed: 'EROFS' },
        { done: true },
        { failed: 'EROFS' },
      ])
      for (const more of [{}, other]) await world.run('claude', world.event('SessionEnd', more))
    })

    test('does not run while a scope cannot be read', async () => {
      await using server = start(world)
      await server.begin()
      await world.ratify('claude', SCOPE)
      const folder = join(world.state, 'scope')
      const file = readdirSync(folder).find((name) => name.endsWith('.json'))
      writeFileSync(join(folder, file ?? ''), 'changed')
      await until(async () => JSON.stringify(await server.call('pid')).includes('cannot be read'))
      await world.run('claude', world.event('SessionEnd'))
      expect(await server.call('pid')).toHaveProperty('pid')
    })

    test('ends with its client, and its exit code is that of the server', async () => {
      const server = start(world)
      await server.begin()
      await server.close()
      expect(await server.exited).toBe(0)
      const other = start(world)
      await other.begin()
      void other.call('exit')
      expect(await other.exited).toBe(3)
      const missing = await runCommand(
        [...PROGRAM, 'jail', '--session', 'claude', '--server', '--', '/no/such/server'],
        { cwd: world.project, env: { PATH: process.env.PATH, ...world.env } },
      )
      expect(missing).toMatchObject({ code: 127, err: expect.stringContaining('no command') })
    })

    test('has its own variables, whatever is cleared for this program', async () => {
      await using server = start(world, { words: ['--env', 'SECRET=1'] })
      await server.begin()
      expect(await server.call('pid')).toMatchObject({ secret: '1' })
    })
  },
)

type More = { cwd?: string; env?: Record<string, string>; words?: string[] }

/** As a client starts it. */
function start(world: ReturnType<typeof hookWorld>, more: More = {}) {
  const { CLAUDE_PROJECT_DIR: _, ...env } = world.env
  const jail = ['jail', '--session', 'claude', '--server', ...(more.words ?? [])]
  // A client in between, whose folder is that of its server.
  const words = ['sh', '-c', '"$@"; exit $?', 'client', ...PROGRAM, ...jail, '--', process.execPath]
  const child = Bun.spawn([...words, TOY], {
    cwd: more.cwd ?? world.project,
    env: { PATH: process.env.PATH, ...env, ...more.env },
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const open = new Map<unknown, (result: unknown) => void>()
  let calls = 0
  const self = {
    answers: {} as object,
    exited: child.exited,
    say(message: object) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      void child.stdin.flush()
    },
    call(method: string, params: object = {}): Promise<unknown> {
      const id = ++calls
      const answer = new Promise((resolve) => open.set(id, resolve))
      self.say({ id, method, params })
      return answer
    },
    async begin() {
      await self.call('initialize')
      self.say({ method: 'notifications/initialized' })
    },
    close: async () => void (await child.stdin.end()),
    async [Symbol.asyncDispose]() {
      await child.stdin.end()
      await child.exited
    },
  }
  void read()
  async function read() {
    let rest = ''
    for await (const chunk of child.stdout) {
      const lines = (rest + new TextDecoder().decode(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.filter((one) => one.startsWith('{'))) take(JSON.parse(line))
    }
  }
  function take({ id, method, result, error }: Record<string, unknown>) {
    if (method !== undefined) self.say({ id, result: self.answers })
    else open.get(id)?.(result ?? { error })
  }
  return self
}
