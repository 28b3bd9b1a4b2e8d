import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

type Json = Record<string, unknown>

/** A tool call of a walk; one that is `cancelled` is so after this many milliseconds. */
export type SurfaceCall = { tool: string; args?: Json; cancelled?: number }

/** What came of one step, with the requests and notifications that the client got meanwhile, sorted. */
export type SurfaceStep = { step: string; result?: unknown; error?: string; received: string[] }

export type SurfaceWalk = {
  words: readonly string[]
  env: Record<string, string>
  cwd: string
  era: '2025-11-25' | '2026-07-28'
  calls: readonly SurfaceCall[]
  /** Called with the tools, before one of them is called. */
  onTools?(names: string[]): Promise<void>
}

// Nothing that belongs to a step comes after so long a silence.
const SILENCE_MS = 120
const START_MS = 600
const CALL_MS = 60_000
const READ_MAX = 4

/** Uses everything that an MCP server offers, as the official client does, and returns what came back. */
export async function walkSurface(walk: SurfaceWalk): Promise<SurfaceStep[]> {
  const { era, calls, onTools } = walk
  const client = startClient(era)
  const received: string[] = []
  const steps: SurfaceStep[] = []
  const take = async <T>(step: string, work: () => Promise<T>): Promise<T | undefined> => {
    const result = await work().catch((error: Error) => error)
    await silence(received, step === 'connect' ? START_MS : SILENCE_MS)
    const got = received.splice(0).sort()
    const isError = result instanceof Error
    const outcome = isError ? { error: `${codeOf(result)} ${result.message}` } : { result }
    steps.push({ step, ...outcome, received: got })
    return isError ? undefined : result
  }
  try {
    const transport = transportOf(walk)
    await client.connect(transport)
    noteMessages(transport, received)
    await take('connect', async () => aboutServer(client))
    const tools = (await take('tools/list', () => client.listTools()))?.tools ?? []
    await onTools?.(tools.map(({ name }) => name))
    for (const call of calls) await take(`tools/call ${call.tool}`, () => callTool(client, call))
    await walkResources(client, era, take)
    await walkPrompts(client, take)
    await take('logging/setLevel', () => client.setLoggingLevel('debug'))
    await take('own/none', () => client.request({ method: 'own/none' }, ANYTHING))
  } finally {
    await client.close()
  }
  return steps
}

type Take = <T>(step: string, work: () => Promise<T>) => Promise<T | undefined>

/** Takes whatever a server answers. */
const ANYTHING = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const

function startClient(era: SurfaceWalk['era']): Client {
  const client = new Client(
    { name: 'surface', version: '1' },
    {
      capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {} } },
      versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } },
    },
  )
  client.setRequestHandler('roots/list', () => ({
    roots: [{ uri: 'file:///srv/shop', name: 'shop' }],
  }))
  client.setRequestHandler('sampling/createMessage', () => ({
    ...{ role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } },
  }))
  client.setRequestHandler('elicitation/create', () => ({
    ...{ action: 'accept', content: { name: 'Ada' } },
  }))
  return client
}

/** Notes what is no answer, before the client has read it. */
function noteMessages(transport: StdioClientTransport, received: string[]): void {
  const { onmessage } = transport
  transport.onmessage = (message) => {
    if ('method' in message) received.push(JSON.stringify([message.method, message.params]))
    onmessage?.(message)
  }
}

function transportOf({ words: [command = '', ...args], env, cwd }: SurfaceWalk) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  const environment = { ...Object.fromEntries(inherited), ...env } as Record<string, string>
  return new StdioClientTransport({
    ...{ command, args, env: environment, cwd, stderr: 'ignore', maxBufferSize: 64 * 1024 ** 2 },
  })
}

function aboutServer(client: Client) {
  return {
    version: client.getNegotiatedProtocolVersion(),
    capabilities: client.getServerCapabilities(),
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
  }
}

async function callTool(client: Client, { tool, args = {}, cancelled }: SurfaceCall) {
  const over = new AbortController()
  const timer = cancelled === undefined ? undefined : setTimeout(() => over.abort(), cancelled)
  try {
    // Without a listener it asks for no progress.
    const options = { timeout: CALL_MS, signal: over.signal, onprogress: () => {} }
    return await client.callTool({ name: tool, arguments: args }, options)
  } finally {
    clearTimeout(timer)
  }
}

async function walkResources(client: Client, era: SurfaceWalk['era'], take: Take) {
  if (!client.getServerCapabilities()?.resources) return
  const list = await take('resources/list', () => client.listResources())
  const templates = await take('resources/templates/list', () => client.listResourceTemplates())
  const uris = (list?.resources ?? []).slice(0, READ_MAX).map(({ uri }) => uri)
  const filled = (templates?.resourceTemplates ?? []).map((one) =>
    one.uriTemplate.replaceAll(/\{[^}]*\}/g, '1'),
  )
  for (const uri of [...uris, ...filled, 'none://none'])
    await take(`resources/read ${uri}`, () => client.readResource({ uri }))
  const [uri] = uris
  if (uri === undefined || era !== '2025-11-25') return
  await take(`resources/subscribe ${uri}`, () => client.subscribeResource({ uri }))
  await take(`resources/unsubscribe ${uri}`, () => client.unsubscribeResource({ uri }))
}

async function walkPrompts(client: Client, take: Take) {
  const capabilities = client.getServerCapabilities()
  if (!capabilities?.prompts) return
  const { prompts = [] } = (await take('prompts/list', () => client.listPrompts())) ?? {}
  for (const { name, arguments: fields = [] } of prompts) {
    const args = Object.fromEntries(fields.map((field) => [field.name, '1']))
    await take(`prompts/get ${name}`, () => client.getPrompt({ name, arguments: args }))
    const [field] = fields
    if (!capabilities.completions || !field) continue
    const ref = { type: 'ref/prompt', name } as const
    const argument = { name: field.name, value: '' }
    await take(`completion/complete ${name}`, () => client.complete({ ref, argument }))
  }
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : error.name
}

/** Resolves once nothing more has come for a while. */
async function silence(received: readonly unknown[], ms: number): Promise<void> {
  for (let before = -1; before !== received.length; ) {
    before = received.length
    await Bun.sleep(ms)
  }
}
