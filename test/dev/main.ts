import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { EMAIL, PASSWORD, signedIn } from '../support/kept-story.ts'
import { type PushServer, pushServer } from '../support/push-server.ts'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startRestarting } from './restarting-server.ts'
import { agentAt, keepAsking, type Result, seed } from './seed.ts'
import type { Seed } from './story.ts'

/**
 * `bun run dev [--port N]`: a server with something in it, which starts again when a file in `src`
 * changes. Its data are in a temporary folder and end with it, at the first Ctrl-C.
 */
const ROOT = join(import.meta.dir, '../..')
const { values } = parseArgs({ options: { port: { type: 'string' } } })
const port = values.port ?? String(freePort())
const LINE_MAX = 70
const url = `http://localhost:${port}`

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort())
}
// Whatever this shell has set for a real server is not for this one.
const own = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
const env = {
  ...(Object.fromEntries(own) as Record<string, string>),
  BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  BECKON_CATALOG_PROBES: 'off',
  BECKON_LOG_LEVEL: 'warn',
}
await serveUntil(stopping.signal)
// A wait of an agent may still be on its way.
process.exit()

async function serveUntil(signal: AbortSignal): Promise<void> {
  using folder = tempFolder()
  await using push = await pushServer()
  const data = join(folder.path, 'data')
  const beckon = (...args: string[]) => runBeckon([...args, '--data', data])
  await beckon('user', 'add', '--email', EMAIL, '--name', 'Ada', '--password-stdin')
  const token = (await beckon('key', 'create', '--name', 'dev')).trim()
  const server = startRestarting(['serve', '--data', data, '--port', port], env)
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  try {
    await Promise.race([fill(), stopped])
    await stopped
  } finally {
    await server.stop()
  }

  async function fill(): Promise<void> {
    await server.ready(url)
    await beckon('catalog', 'publish', join(ROOT, 'examples/catalog'))
    const agent = agentAt(url, token)
    await seed(agent, await signedIn(url), push)
    await keepAsking(agent, printEnd, signal)
    console.log(links(token))
    await printPushes(push, signal)
  }
}

function links(token: string): string {
  return `
  Inbox      ${url}/inbox   ${EMAIL}, ${PASSWORD}
  Catalog    ${url}/tools
  Settings   ${url}/settings
  API        ${url}/openapi.json
  MCP        ${url}/mcp
  Token      ${token}

  Six agents wait for your answers. A change in src restarts the server; Ctrl-C ends it.
`
}

function printEnd({ from, ask }: Seed, { status, value = status, note }: Result): void {
  const text = cut(String(ask.question ?? ask.doneWhen))
  console.log(`← ${from.agentName}: ${text} → ${note ? `${value}, ${note}` : value}`)
}

/** Prints what the stand-in push service takes, as a phone would show it. */
async function printPushes(push: PushServer, signal: AbortSignal): Promise<void> {
  let count = push.delivered.length
  while (!signal.aborted) {
    await push.until(count + 1)
    for (const { name, payload } of push.delivered.slice(count)) {
      const { title, body } = payload.notification
      console.log(`→ ${name}: ${title}: ${cut(String(body))}`)
    }
    count = push.delivered.length
  }
}

function cut(text: string): string {
  return text.length > LINE_MAX ? `${text.slice(0, LINE_MAX)}…` : text
}

async function runBeckon(args: string[]): Promise<string> {
  const command = [process.execPath, '--no-env-file', join(ROOT, 'src/main.ts'), ...args]
  const { code, out, err } = await runCommand(command, { env, stdin: PASSWORD })
  if (code !== 0) throw new Error(`beckon ${args.join(' ')}: ${err}`)
  return out
}
