import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jailWorld, whyNot } from './jail-world.ts'

const why = whyNot()
const note = why ? ` (skipped: ${why})` : ''

/** A stand-in for an agent: it starts an MCP server of the project and runs shells for both of them. */
const AGENT = `
const run = (words, input) => {
  const child = Bun.spawnSync(words, { stdin: Buffer.from(input ?? ''), stdout: 'pipe', stderr: 'pipe' })
  return child.stdout.toString() + child.stderr.toString()
}
const call = (command) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sh', arguments: { command } } })
for (const command of process.argv.slice(2)) {
  run(['sh', '-c', command])
  run(['bash', '-lc', command])
  run([process.execPath, 'src/server.js'], call(command))
}
`
const SERVER = `
const { params } = JSON.parse(await Bun.stdin.text())
const { command } = params.arguments
Bun.spawnSync(['sh', '-c', command])
// A server that leaves a process behind when it ends.
Bun.spawn(['sh', '-c', 'sleep 0.2; ' + command + '; echo done > src/late'], { detached: true }).unref()
await Bun.sleep(600)
`

test.skipIf(why !== undefined)(
  `an agent inside, its MCP server and what that leaves behind stay inside${note}`,
  async () => {
    using world = jailWorld()
    const { project, main } = world
    const path = (name: string) => join(project, name)
    writeFileSync(path('src/agent.js'), AGENT)
    writeFileSync(path('src/server.js'), SERVER)
    const commands = [
      'echo x >> src/in',
      'echo x > lib/out',
      'cat .env > src/read',
      // A jail of its own cannot be wider.
      `${process.execPath} ${main} jail --write . --best-effort -- sh -c "echo x > lib/wider"`,
      'mkdir -p .git/hooks; echo x > .git/hooks/pre-commit',
    ]
    const scope = ['--write', 'src', '--deny', '.env', '--deny', 'infra/prod']
    const ran = await world.run([...scope, '--', process.execPath, 'src/agent.js', ...commands])
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(readFileSync(path('src/in'), 'utf8').split('\n').length).toBeGreaterThan(3)
    expect(existsSync(path('src/late'))).toBe(true)
    for (const out of ['lib/out', 'lib/wider', '.git/hooks/pre-commit']) {
      expect([out, existsSync(path(out))]).toEqual([out, false])
    }
    expect(readFileSync(path('src/read'), 'utf8')).toBe('')
  },
  60_000,
)
