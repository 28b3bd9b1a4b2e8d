import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import * as types from '@modelcontextprotocol/sdk/types.js'

type Stored = { id: string; stream: string; message: types.JSONRPCMessage }

/** A server of the official SDK whose streams can be resumed; its sessions and events are numbered. */
export type StreamServer = AsyncDisposable & {
  fetch(request: Request): Promise<Response>
  /** The server says something to all its clients, outside of any call. */
  say(data: string): Promise<void>
  /** It asks its client for its roots; resolves to what it got. */
  askRoots(): Promise<unknown>
  /** True while a client listens on a stream that it opened by GET. */
  isOpen(): boolean
  /** The id of the last event of those streams. */
  last(): string
  /** It closes the stream that clients opened by GET. */
  cut(): void
  /** Calls of the tool `late` are answered. */
  answerLate(): void
  /** The values of `Last-Event-ID` that it got. */
  resumed: string[]
}

export function streamServer(): StreamServer {
  const stored: Stored[] = []
  const resumed: string[] = []
  const eventStore = {
    async storeEvent(stream: string, message: types.JSONRPCMessage) {
      const id = `event-${stored.length + 1}`
      stored.push({ id, stream, message })
      return id
    },
    async getStreamIdForEventId(eventId: string) {
      return stored.find(({ id }) => id === eventId)?.stream
    },
    async replayEventsAfter(
      eventId: string,
      { send }: { send(id: string, message: types.JSONRPCMessage): Promise<void> },
    ) {
      const at = stored.findIndex(({ id }) => id === eventId)
      const stream = stored[at]?.stream ?? ''
      for (const one of stored.slice(at + 1))
        if (one.stream === stream) await send(one.id, one.message)
      return stream
    },
  }
  let late = Promise.withResolvers<void>()
  const server = new Server(
    { name: 'streams', version: '1' },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  )
  const inputSchema = { type: 'object' } as const
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: [{ name: 'late', description: 'Answers on another stream.', inputSchema }],
  }))
  server.setRequestHandler(types.CallToolRequestSchema, async (_, { closeSSEStream }) => {
    closeSSEStream?.()
    await late.promise
    return { content: [{ type: 'text', text: 'late' }] }
  })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => 'session-1',
    eventStore,
    retryInterval: 20,
  })
  const connected = server.connect(transport)
  const streams = () =>
    (transport as unknown as { _streamMapping: Map<string, unknown> })._streamMapping
  return {
    resumed,
    async fetch(request) {
      await connected
      const last = request.headers.get('last-event-id')
      if (last !== null) resumed.push(last)
      return await transport.handleRequest(request)
    },
    say: (data) => server.sendLoggingMessage({ level: 'info', data }),
    askRoots: () => server.listRoots(),
    isOpen: () => streams().has('_GET_stream'),
    last: () => stored.findLast(({ stream }) => stream === '_GET_stream')?.id ?? '',
    cut: () => transport.closeStandaloneSSEStream(),
    answerLate() {
      late.resolve()
      late = Promise.withResolvers()
    },
    [Symbol.asyncDispose]: () => transport.close(),
  }
}
