import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadHookClient } from '../../../src/agent/clients/clients.ts'
import { keepTriedLine, RECORDINGS, type Recordings } from '../../docs/tried-clients.ts'
import type { Driver } from './driver.ts'
import { DRIVERS } from './drivers.ts'
import { INSTALLED } from './installed.ts'
import { type ClientWorld, clientWorld } from './world.ts'

// What each client tells its hook before it runs a command, for `beckon setup --check`, and the
// versions that were recorded, for docs/clients: `bun test/long/clients/record.ts [CLIENT…]`.

const COMMAND = 'echo hello > made.txt'
const CLIENTS = join(import.meta.dir, '../../../src/agent/clients')

// What tells one call from another; other texts are new each time.
const NAMES = /(^|_)(event|hook)_?name$|tool_?name$|^(event|name|tool)$/i

const names = process.argv.slice(2)
const recordings: Recordings = JSON.parse(readFileSync(RECORDINGS, 'utf8'))
let failed = 0
for (const driver of DRIVERS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const result = await record(driver).catch((error: Error) => {
    failed++
    return `FAIL ${error.message}`
  })
  console.log(`${driver.name}: ${result}`)
}
writeFileSync(RECORDINGS, `${JSON.stringify(recordings, undefined, 2)}\n`)
keepTriedLine()
process.exit(failed === 0 ? 0 : 1)

async function record(driver: Driver): Promise<string> {
  const binary = join(INSTALLED, driver.name, 'node_modules/.bin', driver.name)
  if (!existsSync(binary)) return `SKIPPED, not installed (${driver.package})`
  await using world = await clientWorld()
  using model = driver.startModel()
  const version = /\d+\.\d+\.\d+/.exec((await world.run([binary, '--version'])).out)?.[0]
  if (!version) throw new Error('it does not say its version')
  await driver.connect(world, model, binary)
  const folder = listen(world)
  model.plan([driver.shell(COMMAND)])
  const ran = await driver.run(world, model, binary)
  const calls = readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  )
  const call = await shellCall(driver.name, calls)
  if (call === undefined)
    throw new Error(`no hook was told of the command: ${JSON.stringify({ ran, calls })}`)
  recordings[driver.name] = { version, on: new Date().toISOString().slice(0, 10) }
  return `${version}, ${calls.length} calls of the hook; ${keep(driver.name, neutral(call, world))}`
}

/** Has every input of a hook be kept before the hook reads it. Returns the folder. */
function listen({ home, beckon }: ClientWorld): string {
  const folder = join(home, '../heard')
  mkdirSync(folder)
  const program = join(home, '../bin/beckon')
  rmSync(program)
  const script = `#!/bin/sh
[ "$1" = hook ] || exec '${beckon}' "$@"
input='${folder}'/$$
cat > "$input"
exec '${beckon}' "$@" < "$input"
`
  writeFileSync(program, script, { mode: 0o755 })
  return folder
}

async function shellCall(name: string, calls: unknown[]): Promise<unknown> {
  const hook = await loadHookClient(name)
  return calls.find((call) => {
    const read = hook?.parse(call, {})
    return read?.event === 'before_tool' && read.command === COMMAND
  })
}

/** Without the paths of this machine. */
function neutral(call: unknown, { home, project }: ClientWorld): unknown {
  const dashed = (path: string) => path.replaceAll('/', '-')
  const text = JSON.stringify(call)
    .replaceAll(project, '/home/u/proj')
    .replaceAll(home, '/home/u')
    .replaceAll(dashed(project), '-home-u-proj')
    .replaceAll(basename(project), 'proj')
  return JSON.parse(text)
}

/** A call in which only ids and times are new is not written. */
function keep(name: string, call: unknown): string {
  const path = join(CLIENTS, name, 'shell-call.json')
  if (shapeOf(JSON.parse(readFileSync(path, 'utf8'))) === shapeOf(call)) return 'as recorded before'
  writeFileSync(path, `${JSON.stringify(call, undefined, 2)}\n`)
  return 'CHANGED, shell-call.json is written anew'
}

function shapeOf(value: unknown, key = ''): string {
  if (Array.isArray(value)) return `[${value.map((one) => shapeOf(one)).join()}]`
  if (value === null || typeof value !== 'object') {
    const isKept = NAMES.test(key) || value === COMMAND
    return isKept ? JSON.stringify(value) : typeof value
  }
  const fields = Object.entries(value).map(([name, one]) => `${name}:${shapeOf(one, name)}`)
  return `{${fields.sort().join()}}`
}
