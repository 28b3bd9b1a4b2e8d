import { FAILURE_KINDS } from '../../support/failure-kinds.ts'
import { type Became, must } from './target.ts'

type Json = Record<string, unknown>

// The body, the address, the head.
const TOO_LARGE = new Set([413, 414, 431])

/** What an answer of one of our own addresses may look like; throws for any other. */
export async function fitAnswer(response: Response): Promise<Became> {
  const { status, headers } = response
  const text = await response.text()
  const about = `${status} ${text.slice(0, 400)}`
  must(status < 500, `the server fails: ${about}`)
  must(text.length < 8_000_000, `an answer of ${text.length} characters`)
  fitWay(headers.get('location'), about)
  if (status < 400) return 'taken'
  // Bun's own word for a head of more than 16 KiB, before anybody is asked.
  if (status !== 413 && TOO_LARGE.has(status)) return 'refused'
  const type = headers.get('content-type') ?? ''
  // Feeds say it in their own words: a calendar as an entry, a registry as it has always done.
  if (/[/+]json/.test(type)) fitProblem(JSON.parse(text), status, about)
  else must(/^text\/|xml/.test(type) && text !== '', `says nothing: ${about}`)
  return 'refused'
}

/** Nobody is sent to another site. */
function fitWay(to: string | null, about: string): void {
  if (to === null) return
  const own = new URL(to, 'http://own.invalid')
  must(
    own.host === 'own.invalid' || /^localhost|^127\./.test(own.host),
    `leads away: ${to} ${about}`,
  )
}

/** RFC 9457, a code of a catalogue, and the fields when they are what is wrong; OAuth has its own. */
function fitProblem(problem: Json, status: number, about: string): void {
  const { code, title, detail, fields, parameter, error, error_description: described } = problem
  if (code === undefined && typeof error === 'string') {
    // RFC 6749, section 5.2.
    must(/^[a-z_]+$/.test(error), about)
    must(typeof described === 'string' && described.length > 10, `says too little: ${about}`)
    return
  }
  if (problem.jsonrpc !== undefined) {
    must(isWords((problem.error as Json | undefined)?.message), `says too little: ${about}`)
    return
  }
  if (Array.isArray(problem.schemas)) {
    // RFC 7644, section 3.12.
    must(problem.status === String(status) && isWords(detail), about)
    return
  }
  must(problem.status === status, `says another status: ${about}`)
  must(FAILURE_KINDS.has(String(code)), about)
  must(typeof title === 'string' && typeof detail === 'string' && detail.length > 10, about)
  if (code === 'invalid_input') must(isNonEmpty(fields), `names no field: ${about}`)
  if (code === 'invalid_parameter')
    must(parameter !== undefined || /\/|query/.test(String(detail)), about)
}

function isWords(text: unknown): boolean {
  return typeof text === 'string' && text.length > 10
}

function isNonEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0
}

/** A reply of an MCP address: one whole message with the id of the request, and never our fault. */
export async function fitReply(response: Response): Promise<{ became: Became; json: Json }> {
  const text = await response.text()
  const about = `${response.status} ${text.slice(0, 400)}`
  must(response.status < 500, `the server fails: ${about}`)
  must(text.length < 2_000_000, `a reply of ${text.length} characters`)
  if (response.status === 202) return { became: 'taken', json: {} }
  // Said before anybody looks what the body is.
  if (TOO_LARGE.has(response.status)) return { became: 'refused', json: {} }
  // A line of an event ends nowhere else: a line separator of Unicode is a letter.
  const data = /^data: ([^\r\n]*)/m.exec(text)?.[1] ?? text
  const json = JSON.parse(data) as { jsonrpc?: string; result?: Json; error?: Json }
  must(json.jsonrpc === '2.0', `no message: ${about}`)
  must((json.result === undefined) !== (json.error === undefined), `neither or both: ${about}`)
  must(json.error?.code !== -32603, `our fault: ${about}`)
  if (json.error) must(String(json.error.message).length > 10, `says too little: ${about}`)
  const refused = json.error !== undefined || json.result?.isError === true
  return { became: refused ? 'refused' : 'taken', json }
}
