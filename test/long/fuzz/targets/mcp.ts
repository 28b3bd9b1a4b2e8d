import fc from 'fast-check'
import { agentTools, MCP_PATH } from '../../../../src/ask/mcp/route.ts'
import { SIGN_IN_MCP_PATH } from '../../../../src/ask/oauth/model/issuer.ts'
import { AGENTS_PATH } from '../../../../src/catalog/agents/address.ts'
import { CATALOG_TOOLS } from '../../../../src/catalog/agents/endpoint.ts'
import { filledFrom } from '../../../support/filled-from.ts'
import { modernHeaders, modernMeta, rpc } from '../../../support/mcp-world.ts'
import { fitReply } from '../answers.ts'
import { type House, house, postJson } from '../house.ts'
import { asJsonText, nearly, ODD_NAMES, ODD_TEXT } from '../mutate.ts'
import { type Became, endpoint, must, type Target, type Trial } from '../target.ts'

type Fields = Record<string, unknown>

// Only what the tools say of themselves is asked for here.
const forAgents = await agentTools({} as never)

const ADDRESSES = {
  agents: {
    path: MCP_PATH,
    tools: forAgents,
    route: 'ALL /api/mcp/mcp',
  },
  // The same tools, for clients that sign in; who comes with a key is no stranger there.
  signedIn: {
    path: SIGN_IN_MCP_PATH,
    tools: forAgents,
    route: `ALL ${SIGN_IN_MCP_PATH}`,
  },
  catalog: {
    path: AGENTS_PATH,
    tools: CATALOG_TOOLS.map(({ listed }) => listed as { name: string; inputSchema: never }),
    route: 'ALL /api/mcp/catalog',
  },
}
type Address = (typeof ADDRESSES)[keyof typeof ADDRESSES]

const ADDRESS = 'https://a.invalid/x'
const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'tester', version: '1' },
}

/** Arguments as the schema has them, in two ways and with the least. */
function argumentsOf({ name, inputSchema }: Address['tools'][number]): Fields[] {
  const { required = [] } = inputSchema as { required?: string[] }
  return [0, 1, 2].map((n) => {
    const filled = FIT[name]?.(filledFrom(inputSchema as never, 'Go on?', ADDRESS, n) as Fields)
    const all = filled ?? (filledFrom(inputSchema as never, 'Go on?', ADDRESS, n) as Fields)
    const least = Object.fromEntries(required.map((field) => [field, all[field]]))
    return unwaiting(name, n === 2 ? least : all)
  })
}

// What a schema does not say: what goes together, and what there is.
const FIT: Record<string, (filled: Fields) => Fields> = {
  ask_user: ({ questions, ...one }) => ({ ...one, type: 'select', options: ['a', 'b'] }),
  search_tools: ({ cursor, ...first }) => first,
  list_changes: ({ cursor, ...first }) => first,
  get_tool: ({ parts }) => ({ slug: 'resend', parts }),
}

/** Nothing waits that could go on at once. */
function unwaiting(name: string, args: unknown): Fields {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args as never
  const { wait, timeoutMs } = args as Fields
  return {
    ...args,
    ...(name === 'ask_user' && (wait === true || wait === undefined) ? { wait: false } : {}),
    ...(typeof timeoutMs === 'number' && timeoutMs > 1_000 ? { timeoutMs: 1_000 } : {}),
  }
}

/** One message of either era, changed anywhere: in it, in its `_meta`, in its headers. */
type Sent = { text: string; headers: Record<string, string>; id?: string | number }

async function answered(
  it: House,
  { path }: Address,
  { text, headers, id }: Sent,
): Promise<Became> {
  const { became, json } = await fitReply(await postJson(it, path, text, headers))
  if (id !== undefined && 'id' in json) must(json.id === id, `the id ${id} came back as ${json.id}`)
  it.quiet()
  return became
}

const headerText = ODD_TEXT.map((text) =>
  text.replace(/[^\t\x20-\x7e\xa0-\xff]/g, '').slice(0, 2_000),
)
const ODD_HEADERS = fc.dictionary(
  fc.constantFrom(
    ...['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'accept', 'origin'],
    ...['last-event-id', 'x-service-env', 'x-beckon-env', 'user-agent', 'content-type'],
  ),
  fc.oneof(
    headerText,
    fc.constantFrom(
      '2026-07-28',
      '2025-11-25',
      'tools/call',
      '=?base64?/w==?=',
      'text/event-stream',
    ),
  ),
  { maxKeys: 2 },
)
const META = fc.oneof(
  { weight: 3, arbitrary: fc.constant(modernMeta()) },
  nearly(
    modernMeta({ progressToken: 1, 'claudecode/toolUseId': 'toolu_1', sessionId: 's' }),
    modernMeta({ callId: 'x', traceparent: '00-1-1-00' }),
  ),
)
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'server/discover',
  'tools/call',
  'resources/list',
]
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...METHODS) },
  fc.constantFrom(...ODD_NAMES),
)

function message(tools: Address['tools']) {
  const seeds = tools.map((tool) => ({ name: tool.name, arguments: argumentsOf(tool)[0] }))
  const params = nearly(HANDSHAKE, ...seeds, { cursor: 'x' }).map((value) => {
    const { name, arguments: args } = (value ?? {}) as Fields
    if (args === undefined) return value
    return {
      ...(value as Fields),
      arguments: unwaiting(typeof name === 'string' ? name : '', args),
    }
  })
  return fc.record({ method, params, meta: META, modern: fc.boolean(), headers: ODD_HEADERS })
}

/** Any message at one address, with any headers. */
function messages(name: keyof typeof ADDRESSES): Target {
  const address = ADDRESSES[name]
  return endpoint(
    `mcp ${name}: messages of both eras`,
    [address.route],
    async () => {
      const it = await house()
      const attempt: Trial<unknown>['attempt'] = (input) => {
        const { method, params, meta, modern, headers } = input as Fields
        const whole = modern && isFields(params) ? { ...params, _meta: meta } : params
        const name = (params as Fields | null)?.name
        const repeated = modern ? modernHeaders(asHeader(method), asHeader(name)) : {}
        const text = JSON.stringify(rpc(String(method), whole, 7))
        return answered(it, address, {
          text,
          headers: { ...it.bearer(), ...repeated, ...(headers as Fields) },
        })
      }
      return { input: message(address.tools), attempt }
    },
    60,
  )
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asHeader(value: unknown): string {
  return String(typeof value === 'object' ? '' : value).replace(/[^\x20-\x7e]/g, '')
}

/** What is hardly a message. */
function bodies(name: keyof typeof ADDRESSES): Target {
  const address = ADDRESSES[name]
  const [tool] = address.tools as [Address['tools'][number]]
  const whole = rpc('tools/call', { name: tool.name, arguments: argumentsOf(tool)[0] })
  const any = fc.oneof(
    { weight: 6, arbitrary: asJsonText(nearly(whole, [whole, whole], rpc('ping'))) },
    { weight: 1, arbitrary: ODD_TEXT },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1 }) },
  )
  return endpoint(
    `mcp ${name}: bodies`,
    [address.route],
    async () => {
      const it = await house()
      return {
        input: any,
        attempt: (text) => answered(it, address, { text, headers: it.bearer() }),
      }
    },
    60,
  )
}

/** The arguments of one tool, and what a client says of the call. */
function tool(name: keyof typeof ADDRESSES, tool: Address['tools'][number]): Target {
  const address = ADDRESSES[name]
  const args = nearly(...argumentsOf(tool)).map((input) => unwaiting(tool.name, input))
  const input = fc.record({
    args,
    meta: fc.oneof(fc.constant({}), META),
    id: fc.oneof(ODD_TEXT, fc.maxSafeInteger()),
  })
  return endpoint(
    `mcp ${name}: ${tool.name}`,
    [`tool ${tool.name}`],
    async () => {
      const it = await house()
      const attempt: Trial<{ args: unknown; meta: unknown; id: string | number }>['attempt'] = ({
        args,
        meta,
        id,
      }) => {
        const text = JSON.stringify(
          rpc('tools/call', { name: tool.name, arguments: args, _meta: meta }, id),
        )
        const headers = (meta as Fields | null)?.['io.modelcontextprotocol/protocolVersion']
          ? modernHeaders('tools/call', tool.name)
          : {}
        // What JSON cannot say, such as half a character, comes back as JSON said it.
        const messageId = JSON.parse(text).id
        return answered(it, address, {
          text,
          headers: { ...it.bearer(), ...headers },
          id: messageId,
        })
      }
      return { input, attempt }
    },
    25,
  )
}

const addresses = Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[]

export const MCP: readonly Target[] = addresses.flatMap((name) => [
  messages(name),
  bodies(name),
  ...ADDRESSES[name].tools.map((each) => tool(name, each)),
])

/** Every tool of both addresses, as the list of a server has them. */
export const TOOLS = addresses.flatMap((name) =>
  ADDRESSES[name].tools.map((each) => `tool ${each.name}`),
)
