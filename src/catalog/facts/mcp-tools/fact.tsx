/** @jsxImportSource preact */

import { type Static, Type } from '@sinclair/typebox'
import type { ToolDefinition } from '../../../platform/mcp/tool-fingerprint.ts'
import { VERSION } from '../../../platform/program.ts'
import { cleanLine } from '../../../platform/text.ts'
import { ToolHash } from '../../records/tool-changes.ts'
import { closed, countField, instantField, link, openWord, textField } from '../../records/words.ts'
import { probeTargetOf } from '../answers/fact.ts'
import { defineFact, type Probe, type ProbeNetwork, withTime } from '../fact.ts'
import { hashTools, listedTool } from './hash-tools.ts'
import {
  endSession,
  type McpConnection,
  type McpReply,
  memberOf,
  request,
  sendMcpNotification,
  TOOLS_MAX,
  toolsIn,
} from './mcp-request.ts'
import type { HashedTool } from './tool-list.ts'

const HOURS_MS = 3_600_000
const EVERY_MS = 6 * HOURS_MS
// A longer list of pages is a cursor that goes in circles.
const PAGES_MAX = 10
const CURSOR_MAX = 4_000

const OLD_PROTOCOL = '2025-11-25'
// From this version on requests are independent, and nothing is initialized.
const MODERN_PROTOCOL = '2026-07-28'
const CLIENT = { name: 'beckon', version: VERSION }
const PROTOCOL_FORM = /^[\w.-]{1,64}$/

type McpTools = Omit<Static<typeof McpToolsRecord>, 'checkedAt'>
type Listed = { tools: ToolDefinition[]; count?: number; note?: string }
/** What is said of a server, and the list that it gave. */
type Answer = { value: McpTools; listed?: Listed }

const McpToolsRecord = closed({
  url: link('MCP endpoint.'),
  checkedAt: instantField('When it was asked.'),
  status: openWord('How it answered.', ['ok', 'auth', 'error']),
  note: Type.Optional(textField('Remark.')),
  protocol: Type.Optional(textField('Protocol version it spoke.', 64)),
  count: Type.Optional(
    countField('Tools it offers, also those that are not listed here. Absent: not known.'),
  ),
  tools: Type.Optional(
    Type.Array(
      closed({
        name: textField('Tool.', 200),
        description: Type.Optional(textField('What it says about itself.')),
        hash: Type.Optional(ToolHash),
        letters: Type.Optional(countField('Characters of the tool as JSON.')),
        described: Type.Optional(
          Type.Boolean({ description: 'Whether it and each parameter have a description.' }),
        ),
        annotated: Type.Optional(
          Type.Boolean({ description: 'Whether it says that it only reads, or may destroy.' }),
        ),
      }),
    ),
  ),
})

/** The tools that an MCP endpoint offers to a client without credentials. */
export const MCP_TOOLS = defineFact({
  name: 'mcpTools',
  value: Type.Omit(McpToolsRecord, ['checkedAt'], { additionalProperties: false }),
  live: { mcpTools: Type.Optional(McpToolsRecord) },
  probes: () => [MCP_PROBE],
  read: ([stored]) => (stored ? { mcpTools: withTime(stored) } : {}),
  markdown: ({ mcpTools }, { fact, text }) =>
    fact('MCP endpoint', mcpTools && text(mcpTools.status)),
  html: ({ mcpTools }, { Fact, number }) =>
    mcpTools?.tools && (
      <Fact name="MCP tools">
        {mcpTools.count === undefined ? 'Number not known' : number(mcpTools.count)}:{' '}
        {mcpTools.tools.map(({ name }) => cleanLine(name)).join(', ')}
      </Fact>
    ),
})

/** `initialize` and `tools/list` of an MCP endpoint, as a client without credentials sees it. */
export const MCP_PROBE: Probe = {
  name: 'mcp',
  everyMs: EVERY_MS,
  appliesTo: ({ tool }) => probeTargetOf(tool)?.method === 'mcp',
  async run(outside, { tool }) {
    const url = probeTargetOf(tool)?.target
    const answer = url === undefined ? undefined : await askMcp(outside, url)
    if (url === undefined || !answer) return { facts: [] }
    const { value, listed } = answer
    if (!listed) return { facts: [{ subject: 'mcpTools', value }] }
    const tools = hashTools(url, listed.tools)
    const facts = [{ subject: 'mcpTools', value: { ...value, ...visible(listed, tools) } }]
    return { facts, toolList: { url, tools, isWhole: listed.count !== undefined } }
  },
}

/** The tools that the record lists, and how many there are. */
function visible({ tools, count, note }: Listed, hashed: readonly HashedTool[]) {
  const hashes = new Map(hashed.map(({ name, hash }) => [name, hash]))
  return {
    ...(count === undefined ? {} : { count }),
    tools: tools.slice(0, TOOLS_MAX).map((tool) => listedTool(tool, hashes)),
    ...(note === undefined ? {} : { note }),
  }
}

/** Undefined if nothing can be said; the stored value stays. */
async function askMcp(outside: ProbeNetwork, url: string): Promise<Answer | undefined> {
  const talk: McpConnection = { outside, url, headers: {} }
  const handshake = await request(talk, initialize(), 1)
  if ('result' in handshake) return await listOf(talk, handshake, url)
  const { outcome } = handshake.tried
  if (outcome === 'dead' || (outcome === 'unknown' && handshake.tried.status !== 404))
    return undefined
  if (outcome === 'gated') return { value: { url, status: 'auth', note: handshake.error } }
  const modern = outcome === 'open' ? await listModern(talk) : undefined
  if (modern) return { value: { url, status: 'ok', protocol: MODERN_PROTOCOL }, listed: modern }
  return { value: { url, status: 'error', note: handshake.error } }
}

async function listOf(
  talk: McpConnection,
  handshake: Extract<McpReply, { result: unknown }>,
  url: string,
): Promise<Answer> {
  const spoken = memberOf(handshake.result, 'protocolVersion')
  if (typeof spoken !== 'string' || !PROTOCOL_FORM.test(spoken)) {
    const note = 'Its answer to initialize names no protocol version.'
    return { value: { url, status: 'error', note } }
  }
  const session = handshake.session === undefined ? {} : { 'mcp-session-id': handshake.session }
  const headers = { 'mcp-protocol-version': spoken, ...session }
  const further: McpConnection = { ...talk, url: handshake.url, headers }
  await sendMcpNotification(further, 'notifications/initialized')
  const listed = await listTools(further, (cursor) => ({ ...cursor }))
  if (handshake.session !== undefined) await endSession(further)
  if ('error' in listed) {
    const status = listed.tried.outcome === 'gated' ? 'auth' : 'error'
    return { value: { url, status, protocol: spoken, note: listed.error } }
  }
  return { value: { url, status: 'ok', protocol: spoken }, listed }
}

async function listModern(talk: McpConnection): Promise<Listed | undefined> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN_PROTOCOL,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': CLIENT,
  }
  const headers = { 'mcp-protocol-version': MODERN_PROTOCOL, 'mcp-method': 'tools/list' }
  const listed = await listTools({ ...talk, headers }, (cursor) => ({ ...cursor, _meta }))
  return 'error' in listed ? undefined : listed
}

/** All pages, up to a limit. */
async function listTools(
  talk: McpConnection,
  paramsOf: (cursor: { cursor?: string }) => object,
): Promise<Listed | Extract<McpReply, { error: string }>> {
  const tools: ToolDefinition[] = []
  const partly = (note: string) => ({ tools, note })
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const params = paramsOf(cursor === undefined ? {} : { cursor })
    const reply = await request(talk, { method: 'tools/list', params }, page + 2)
    if ('error' in reply) return page === 0 ? reply : partly(`Its list broke off: ${reply.error}`)
    const some = toolsIn(reply.result)
    if (!some) return page === 0 ? NO_TOOLS : partly(NO_TOOLS.error)
    tools.push(...some)
    const next = memberOf(reply.result, 'nextCursor')
    if (typeof next !== 'string' || next === '') return whole(tools)
    if (next.length > CURSOR_MAX || cursors.has(next)) return partly('Its pages never end.')
    cursors.add(next)
    cursor = next
  }
  return partly(`Only its first ${PAGES_MAX} pages were read.`)
}

const NO_TOOLS = {
  error: 'Its answer to tools/list has no list of tools in it.',
  tried: { outcome: 'open', status: 200, ms: null, authRequired: false },
} as const

function whole(tools: ToolDefinition[]): Listed {
  const count = tools.length
  if (count <= TOOLS_MAX) return { count, tools }
  return { count, tools, note: `Only the first ${TOOLS_MAX} of its tools are listed here.` }
}

function initialize() {
  const params = { protocolVersion: OLD_PROTOCOL, capabilities: {}, clientInfo: CLIENT }
  return { method: 'initialize', params }
}
