import { type Fields, isFields, type RequestId } from '../../platform/mcp/message.ts'
import { definitionOf, fingerprintOf } from '../../platform/mcp/tool-fingerprint.ts'
import type { ListedTool } from '../wire/gate-fields.ts'
import { isModern, type Message, metaIn } from './message.ts'

// A server that does not list its tools in this time is judged by its last list.
const LIST_MS = 5_000
const PAGES_MAX = 50

/** The tools of a server, and what it tells its clients to do. */
export type ServerTools = { tools: ListedTool[]; instructions: string | undefined }

type ToolListWays = {
  /** Identifies the server: its command line. */
  server: string
  /** A request of the gate itself. */
  request(id: string, method: string, params: Fields, ms: number): Promise<Fields | undefined>
  /** Tells Beckon's server which tools there are now. */
  report(list: ServerTools): Promise<void>
  /** Called when the client was listed all tools. */
  onListed?(fingerprints: ReadonlyMap<string, string>): void
}

/**
 * The fingerprint of a tool as the client was listed it last, and as its server has it now; null: not
 * in that list. Undefined: the server has not listed its tools to this gate.
 */
export type ToolVersions = { listed: string | null; now: string | null | undefined }

/**
 * The tools that the client was listed, and those that the server has now. When the server changes
 * them, the gate lists them by itself, because not every client does.
 */
export class ToolList {
  readonly #fingerprints = new Map<string, string>()
  /** Those that the server has now; undefined until it has listed them. */
  #now: Map<string, string> | undefined
  /** Requests of the client for a list, and whether each is for its first page. */
  readonly #requests = new Map<RequestId, boolean>()
  #pages: ListedTool[] = []
  #instructions: string | undefined
  /** What a request of the newer era says of its client. */
  #meta: Fields = {}
  #report: Promise<void> | undefined
  #count = 0

  readonly #ways: ToolListWays

  constructor(ways: ToolListWays) {
    this.#ways = ways
  }

  /** A request of the client. */
  noteRequest(message: Message): void {
    const { id, method, params } = message
    if (isModern(message)) this.#meta = { _meta: ofProtocol(metaIn(message)) }
    if (method === 'tools/list' && id !== undefined)
      this.#requests.set(id, params.cursor === undefined)
  }

  /** An answer or a notification of the server, which the client gets. */
  noteReply({ id, method, result }: Message): void {
    if (method === 'notifications/tools/list_changed') this.listAgain()
    if (id === undefined || method !== undefined) return
    const isFirst = this.#requests.get(id)
    this.#requests.delete(id)
    if (typeof result?.instructions === 'string') this.#instructions = result.instructions
    if (isFirst !== undefined && result) this.#notePage(result, isFirst)
  }

  #notePage(page: Fields, isFirst: boolean): void {
    const tools = toolsIn(page)
    if (isFirst) this.#fingerprints.clear()
    this.#pages = isFirst ? tools : [...this.#pages, ...tools]
    for (const tool of tools) {
      this.#fingerprints.set(tool.name, this.#fingerprintOf(tool))
    }
    if (page.nextCursor !== undefined) return
    this.#now = new Map(this.#fingerprints)
    this.#ways.onListed?.(this.#fingerprints)
    this.#report = this.#ways.report({ tools: this.#pages, instructions: this.#instructions })
  }

  /** The server may have other tools now. */
  listAgain(): void {
    this.#report = this.#listTools()
  }

  async #listTools(): Promise<void> {
    const tools: ListedTool[] = []
    let cursor: unknown
    for (let page = 0; page < PAGES_MAX; page++) {
      const params = { ...(cursor === undefined ? {} : { cursor }), ...this.#meta }
      const id = `beckon-tools-${++this.#count}`
      const result = await this.#ways.request(id, 'tools/list', params, LIST_MS)
      if (!result) return
      tools.push(...toolsIn(result))
      cursor = result.nextCursor
      if (cursor === undefined) break
    }
    this.#now = new Map(tools.map((tool) => [tool.name, this.#fingerprintOf(tool)]))
    await this.#ways.report({ tools, instructions: this.#instructions })
  }

  #fingerprintOf(tool: ListedTool): string {
    return fingerprintOf(this.#ways.server, definitionOf(tool))
  }

  /** Resolves once Beckon's server was told of the tools of now, or is away. */
  reported(): Promise<void> {
    this.#report ??= this.#listTools()
    return this.#report
  }

  /** The versions of a tool that count for a call. */
  versionsOf(tool: string): ToolVersions {
    const now = this.#now && (this.#now.get(tool) ?? null)
    return { listed: this.#fingerprints.get(tool) ?? null, now }
  }

  /** What the client was listed in an earlier life of this process; nothing if it has listed since. */
  restore(fingerprints: Readonly<Record<string, string>>): void {
    if (this.#fingerprints.size > 0) return
    for (const [name, one] of Object.entries(fingerprints)) this.#fingerprints.set(name, one)
  }
}

function toolsIn({ tools }: Fields): ListedTool[] {
  const list = Array.isArray(tools) ? tools : []
  return list.filter((tool): tool is ListedTool => isFields(tool) && typeof tool.name === 'string')
}

const OF_PROTOCOL = 'io.modelcontextprotocol/'

function ofProtocol(meta: Fields): Fields {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => name.startsWith(OF_PROTOCOL)))
}
