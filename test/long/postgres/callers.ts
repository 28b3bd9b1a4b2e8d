import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { and, eq, like } from 'drizzle-orm'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { questions } from '../../../src/ask/questions/model/table.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { asAgent, asOwner, type House } from '../../postgres/house.ts'
import { bridgeCommand } from '../../support/bridge-process.ts'
import type { Random } from '../crash/random.ts'

/** What those were told who ask through the proxy, as their clients do and with no retry beside. */
export type Callers = AsyncDisposable & {
  /** The id that an ask was acknowledged with, by its question. */
  askIds: Map<string, string>
  /** What held calls were told in the end, by question. */
  heard: Map<string, unknown>
  /** Calls that were sent home without an answer, and waited on. */
  resumed(): number
  /** Requests that were sent again because the connection to the proxy closed before any reply. */
  reconnected(): number
  /** Everything that went wrong. */
  failed: string[]
  /** Ends when every held call has its answer, or something has gone wrong. */
  stop(): Promise<void>
}

const ASKERS = 4
const ASK_EVERY_MS = 50
/** Connections of each kind, and calls that each of them holds. */
const CONNECTIONS = 3
const HELD_BY_EACH = 4

type Json = Record<string, unknown>
type Tool = (name: string, args: Json) => Promise<Json>

export async function beginCallers(house: House, folder: string, random: Random): Promise<Callers> {
  const askIds = new Map<string, string>()
  const heard = new Map<string, unknown>()
  const failed: string[] = []
  const faulted = Promise.withResolvers<void>()
  const fail = (what: string, error: unknown) => {
    failed.push(`${what} ${error}`)
    faulted.resolve()
  }
  let resumed = 0
  let reconnected = 0
  let isOver = false
  await using opened = new AsyncDisposableStack()

  /** `work` again and again until stopped; what it throws is written down. */
  async function keep(name: string, work: (question: string) => Promise<void>): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const question = `${name}-${n}?`
      await work(question).catch((error) => fail(question, error))
    }
  }

  /** As every client does: nginx closes connections that are idle when it is reloaded. */
  async function again<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (error) {
      if (!isClosed(error)) throw error
      reconnected++
      return await again(send)
    }
  }

  const ask = (by: Agent) => async (question: string) => {
    const body = { question, requestId: question, wait: false }
    const { status, body: result } = await again(() => asAgent(by, house.url, '/questions', body))
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(result)}`)
    askIds.set(question, String(result.correlationId))
    await Bun.sleep(ASK_EVERY_MS)
  }

  /** A call that is held, and waited on as its reply says. */
  const askAndWait = (tool: Tool) => async (question: string) => {
    let result = await again(() => tool('ask_user', { question, type: 'input' }))
    while (result.answered !== true) {
      if (result.status !== 'pending') throw new Error(JSON.stringify(result))
      resumed++
      const { correlationId } = result
      result = await again(() => tool('wait_for_answer', { correlationId }))
    }
    heard.set(question, result.value)
  }

  const tools = new Map<string, Tool>()
  for (let n = 0; n < CONNECTIONS; n++) {
    tools.set(`rest-${n}`, overRest(house, await newAgent(house)))
    tools.set(`mcp-${n}`, await overMcp(opened, overHttp(house, await newAgent(house))))
    const bridge = overBridge(house, await newAgent(house), join(folder, `agent-${n}`))
    tools.set(`bridge-${n}`, await overMcp(opened, bridge))
  }
  const askers = await Promise.all(Array.from({ length: ASKERS }, () => newAgent(house)))
  const loops = [
    ...askers.map((by, n) => keep(`Asked ${n}`, ask(by))),
    ...[...tools].flatMap(([name, tool]) =>
      Array.from({ length: HELD_BY_EACH }, (_, n) => keep(`Held ${name} ${n}`, askAndWait(tool))),
    ),
  ]
  const held = Promise.all(loops)
  const answering = answerAll({ house, random, held, fail, again })
  const owned = opened.move()
  return {
    ...{ askIds, heard, failed },
    resumed: () => resumed,
    reconnected: () => reconnected,
    async stop() {
      isOver = true
      await Promise.race([held.then(() => answering), faulted.promise])
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      await owned.disposeAsync()
    },
  }
}

type Agent = Pick<House, 'token'>

/** An agent with a token of its own, as each has. */
async function newAgent({ db, owner }: House): Promise<Agent> {
  return await createToken({ db, clock }, { workspaceId: owner.workspaceId, name: 'agent' })
}

const overRest =
  ({ url }: House, by: Agent): Tool =>
  async (name, args) => {
    const { correlationId, question } = args
    const { status, body } =
      name === 'ask_user'
        ? await asAgent(by, url, '/questions', { ...args, requestId: question })
        : await asAgent(by, url, `/questions/${correlationId}?timeoutMs=55000`)
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body
  }

function overHttp({ url }: House, { token }: Agent) {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  return new StreamableHTTPClientTransport(new URL(url + MCP_PATH), { requestInit })
}

function overBridge({ url }: House, { token }: Agent, home: string) {
  const env = { HOME: home, BECKON_URL: url, BECKON_TOKEN: token }
  return new StdioClientTransport({ ...bridgeCommand(env), stderr: 'ignore' })
}

/** Tools as the official client calls them. */
async function overMcp(
  opened: AsyncDisposableStack,
  transport: StreamableHTTPClientTransport | StdioClientTransport,
): Promise<Tool> {
  const client = new Client({ name: 'claude-code', version: '1' })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  opened.defer(() => client.close())
  return async (name, args) => {
    const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 90_000 })
    if (result.isError) throw new Error(JSON.stringify(result.content))
    return result.structuredContent as Json
  }
}

/** Whether there was a connection and no reply; a status of 502 is one. */
function isClosed(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ECONNRESET'
}

type Answering = {
  house: House
  random: Random
  held: Promise<unknown>
  fail(what: string, error: unknown): void
  again<T>(send: () => Promise<T>): Promise<T>
}

/** The person, who answers each open question after a while, through the proxy too. */
async function answerAll({ house, random, held, fail, again }: Answering): Promise<void> {
  const seen = new Set<string>()
  let isOver = false
  held.finally(() => {
    isOver = true
  })
  async function answer(id: string, question: string) {
    await Bun.sleep(random.between(200, 4_000))
    const value = `v ${question}`
    const { status, body } = await again(() =>
      asOwner(house, house.url, `/questions/${id}/answer`, { value }),
    )
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  while (!isOver) {
    const open = await house.db.read
      .select({ id: questions.id, question: questions.question })
      .from(questions)
      .where(and(eq(questions.status, 'pending'), like(questions.question, 'Held %')))
    for (const { id, question } of open) {
      if (seen.has(id)) continue
      seen.add(id)
      answer(id, question).catch((error) => fail(`answer to ${question}`, error))
    }
    await Bun.sleep(50)
  }
}
