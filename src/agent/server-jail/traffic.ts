import { fieldsOf } from '../clients/client.ts'

export type Id = string | number

/** The kind of a JSON-RPC message: a request, an answer, or neither. */
export type Message = { id: Id | undefined; method: string | undefined }

/**
 * The messages between a client and a server that is started more than once in the client's session. The client
 * sees one server: what it sent to begin is sent again to each later one, requests that were open when one ended
 * are answered with an error, and answers to questions of an earlier server go nowhere.
 */
export function createTraffic() {
  /** The methods of requests that are not answered. */
  const open = new Map<Id, string>()
  let begin: { request?: string; id?: Id; answered?: true; ready?: string } = {}
  let starts = 0

  /** The line as it goes to the server; undefined for an answer to an earlier server. */
  function fromClient(line: string, { id, method }: Message = messageIn(line)): string | undefined {
    if (method === 'initialize' && id !== undefined) begin = { request: line, id }
    if (method === 'notifications/initialized') begin.ready = line
    if (id === undefined) return line
    if (method !== undefined) {
      open.set(id, method)
      return line
    }
    const own = starts === 0 ? id : ownIdOf(id, starts)
    return own === undefined ? undefined : starts === 0 ? line : withId(line, own)
  }

  /** The line as it goes to the client; undefined for an answer that the client did not ask for. */
  function fromServer(line: string, { id, method }: Message = messageIn(line)): string | undefined {
    if (id === undefined) return line
    if (method !== undefined) return starts === 0 ? line : withId(line, shownId(id, starts))
    if (id === beginId(starts)) return undefined
    if (open.get(id) === 'initialize') begin.answered = true
    open.delete(id)
    return line
  }

  /**
   * Another server begins: the lines that are sent to it first, the id of the answer to wait for before any other,
   * and the requests that nobody will answer.
   */
  function startAgain() {
    starts += 1
    const { request, id, answered, ready } = begin
    const lost = [...open.keys()].filter((one) => answered || one !== id)
    for (const one of lost) open.delete(one)
    if (request === undefined) return { lost, first: [], last: [] }
    const own = beginId(starts)
    // The client still waits for the first answer, so it gets that of this server.
    if (!answered) return { lost, first: [request], last: [] }
    const last = ready === undefined ? [] : [ready]
    return { lost, first: [withId(request, own)], answer: own, last }
  }

  return { fromClient, fromServer, startAgain, isIdle: () => open.size === 0 }
}

/** An error for a request. */
export function errorLine(id: Id, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } })
}

/** Reads the kind of a line; a line that is not a message has neither id nor method. */
export function messageIn(line: string): Message {
  // Most lines that are no JSON are seen without reading them.
  if (!line.trimStart().startsWith('{')) return { id: undefined, method: undefined }
  try {
    const { id, method } = fieldsOf(JSON.parse(line))
    const isId = typeof id === 'string' || typeof id === 'number'
    return { id: isId ? id : undefined, method: typeof method === 'string' ? method : undefined }
  } catch {
    return { id: undefined, method: undefined }
  }
}

function withId(line: string, id: Id): string {
  return JSON.stringify({ ...JSON.parse(line), id })
}

function beginId(start: number): string {
  return `beckon-begin-${start}`
}

/** Each server counts its own requests from the same number on. */
function shownId(id: Id, start: number): string {
  return `beckon-${start}-${JSON.stringify(id)}`
}

function ownIdOf(id: Id, start: number): Id | undefined {
  const begin = `beckon-${start}-`
  return typeof id === 'string' && id.startsWith(begin)
    ? JSON.parse(id.slice(begin.length))
    : undefined
}
