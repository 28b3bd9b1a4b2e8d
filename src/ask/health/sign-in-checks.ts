import { isLoopbackName } from '../../platform/config/origins.ts'
import { readJsonObject } from '../../platform/json.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Check, failedCheck, passedCheck, skippedCheck, warnedCheck } from '../check.ts'
import type { DocumentFailure, DocumentsOffer } from '../oauth/document-failures.ts'
import {
  DOCUMENTS_MEMBER,
  issuerOf,
  OAUTH_PATHS,
  RESOURCE_METADATA_PATH,
  resourceOf,
} from '../oauth/model/issuer.ts'
import { type Probed, probe } from './probe.ts'

const NAME = 'Sign-in of clients'
const HOSTED = 'Hosted clients'

/** A fault on the way, and its cure. */
type Broken = { broken: string; cure: string }
type Answer = Extract<Probed, { answered: true }>

const PASS_ON =
  'Have the proxy pass on every address of the server, /.well-known/ included, with status and headers unchanged.'
const ASK_FOR_NOTHING =
  'Take what asks for a password or checks for browsers off /mcp, /oauth2/ and /.well-known/: programs call them.'

/**
 * Checks that clients find their way from the MCP address to the page where a person allows them.
 * `here` is the address that the server listens at: it is asked whether clients can sign in.
 */
export async function signInChecks(
  { baseUrl, oauth }: { baseUrl: string; oauth: boolean | undefined },
  here: string,
  addressesOf: GuardedFetch['addressesOf'],
  failure: DocumentFailure | undefined,
): Promise<Check[]> {
  const own = await probe(here + new URL(resourceOf(baseUrl)).pathname, INITIALIZE)
  if (own.answered && own.status === 404) return [switchedOff(oauth)]
  const [way, documents, hosted] = await Promise.all([
    chainCheck(baseUrl),
    documentsCheck(baseUrl, failure),
    whyNotHosted(baseUrl, addressesOf),
  ])
  const reach = hosted === undefined ? reached(baseUrl) : skippedCheck('address', HOSTED, hosted)
  return [way, documents, reach]
}

/** The same from any machine, for an address that its owner names. */
export async function signInFromOutside(
  baseUrl: string,
  addressesOf: GuardedFetch['addressesOf'],
): Promise<Check[]> {
  const [way, documents, hosted] = await Promise.all([
    chainCheck(baseUrl),
    documentsCheck(baseUrl),
    whyNotHosted(baseUrl, addressesOf),
  ])
  const reach =
    hosted === undefined
      ? reached(baseUrl)
      : warnedCheck('address', HOSTED, hosted, 'Choose a way to public https: beckon docs https.')
  return [way, documents, reach]
}

function switchedOff(oauth: boolean | undefined): Check {
  if (oauth === true) {
    const message = 'BECKON_OAUTH is on, but the running server does not let clients sign in.'
    return failedCheck('address', NAME, message, 'Restart the server with the setting.')
  }
  const sentence = 'Clients only connect with tokens. BECKON_OAUTH=on lets them sign in.'
  return skippedCheck('address', NAME, sentence)
}

async function chainCheck(baseUrl: string): Promise<Check> {
  const wrong = await walk(baseUrl)
  if (wrong) return failedCheck('address', NAME, wrong.broken, wrong.cure)
  const message = `From ${resourceOf(baseUrl)} clients find where to register and where to sign in.`
  return passedCheck('address', NAME, message)
}

/** Takes the steps of a client that knows only the MCP address. Resolves to the first problem. */
async function walk(baseUrl: string): Promise<Broken | undefined> {
  return (
    (await challenged(baseUrl)) ??
    (await resourceDocument(baseUrl)) ??
    (await serverDocuments(baseUrl)) ??
    (await registration(baseUrl)) ??
    (await authorizePage(baseUrl))
  )
}

const JSON_TYPE = { 'content-type': 'application/json' }
const INITIALIZE = {
  method: 'POST' as const,
  headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'beckon-doctor', version: '1' },
    },
  }),
}

/** RFC 9728, 5.1. */
async function challenged(baseUrl: string): Promise<Broken | undefined> {
  const address = resourceOf(baseUrl)
  const answer = await probe(address, INITIALIZE)
  if (!answer.answered) return unreached(address, answer.why)
  const what = `POST ${address} without a token must be 401`
  if (answer.status !== 401) return otherwise(what, answer)
  const header = answer.headers.get('www-authenticate') ?? ''
  const metadataUrl = /^Bearer .*resource_metadata="([^"]*)"/i.exec(header)?.[1]
  if (metadataUrl === undefined) {
    const problem = `${what} with WWW-Authenticate, and the header is ${header === '' ? 'missing' : quoteText(header)}.`
    return { broken: problem, cure: PASS_ON }
  }
  if (metadataUrl === baseUrl + RESOURCE_METADATA_PATH) return undefined
  return otherName(new URL(address).origin, metadataUrl)
}

/** RFC 9728, 3.3: clients compare `resource` with the address that they called. */
async function resourceDocument(baseUrl: string): Promise<Broken | undefined> {
  const address = baseUrl + RESOURCE_METADATA_PATH
  const result = await document(address)
  if ('broken' in result) return result
  const { resource, authorization_servers: servers } = result.fields
  if (resource !== resourceOf(baseUrl)) return otherName(baseUrl, resource)
  if (Array.isArray(servers) && servers[0] === issuerOf(baseUrl)) return undefined
  return otherName(baseUrl, Array.isArray(servers) ? servers[0] : servers)
}

/** RFC 8414, 3, and OpenID Connect Discovery, 4: clients try some of these, each in its own order. */
async function serverDocuments(baseUrl: string): Promise<Broken | undefined> {
  const issuer = issuerOf(baseUrl)
  const { pathname } = new URL(issuer)
  const addresses = [
    `${baseUrl}/.well-known/oauth-authorization-server${pathname}`,
    `${baseUrl}/.well-known/openid-configuration${pathname}`,
    `${issuer}/.well-known/openid-configuration`,
  ]
  const wrong = addresses.map(async (address) => {
    const result = await document(address)
    return 'broken' in result ? result : wrongServer(baseUrl, address, result.fields)
  })
  return (await Promise.all(wrong)).find(Boolean)
}

// Hosted clients accept these endpoints at no other path.
const ENDPOINTS = {
  authorization_endpoint: OAUTH_PATHS.authorize,
  token_endpoint: OAUTH_PATHS.token,
  registration_endpoint: OAUTH_PATHS.register,
}
const MUST_NAME = {
  code_challenge_methods_supported: 'S256',
  // Without it, clients that have a document of their own register instead, or give up.
  token_endpoint_auth_methods_supported: 'none',
}

function wrongServer(
  baseUrl: string,
  address: string,
  metadata: Record<string, unknown>,
): Broken | undefined {
  if (metadata.issuer !== issuerOf(baseUrl)) return otherName(baseUrl, metadata.issuer)
  const elsewhere = Object.entries(ENDPOINTS).find(
    ([name, path]) => metadata[name] !== baseUrl + path,
  )
  if (elsewhere) return otherName(baseUrl, metadata[elsewhere[0]])
  const missing = Object.entries(MUST_NAME).find(([name, value]) => {
    const list = metadata[name]
    return !(Array.isArray(list) && list.includes(value))
  })
  const lacks =
    missing?.join(' with ') ??
    (offerIn(metadata) === undefined ? 'client_id_metadata_document_supported' : undefined)
  if (lacks === undefined) return undefined
  const cure = 'Something on the way changes the document: make it pass the document on unchanged.'
  return { broken: `${address} lacks ${lacks}.`, cure }
}

/** Undefined for a document that does not say it. */
function offerIn(metadata: Record<string, unknown>): DocumentsOffer | undefined {
  if (metadata.client_id_metadata_document_supported === true) return 'on'
  const why = metadata[DOCUMENTS_MEMBER]
  return why === 'off' || why === 'failing' ? why : undefined
}

/**
 * Checks that clients are offered to be known by their own documents. `failure` is the document
 * that the server could not fetch, where its database can be read.
 */
async function documentsCheck(
  baseUrl: string,
  failure?: DocumentFailure | undefined,
): Promise<Check> {
  const name = 'Documents of clients'
  const { pathname } = new URL(issuerOf(baseUrl))
  const result = await document(`${baseUrl}/.well-known/oauth-authorization-server${pathname}`)
  const offer = 'fields' in result ? offerIn(result.fields) : undefined
  if (offer === 'on') {
    const message = 'Offered: the server fetches who Claude Code, Codex and hosted clients are.'
    return passedCheck('address', name, message)
  }
  if (offer === 'off') {
    const message = 'Not offered, by BECKON_OAUTH_CLIENT_DOCUMENTS: clients register instead.'
    return skippedCheck('address', name, message)
  }
  if (offer === undefined) return skippedCheck('address', name, 'Not seen.')
  const which = failure
    ? `${cutText(failure.clientId, 200)} (${failure.reason})`
    : 'one of a client; beckon doctor on its machine names it'
  return warnedCheck(
    'address',
    name,
    `Not offered now, because the server could not fetch ${which}. Clients register instead.`,
    'Let the server call that host; it tries again every hour. Or set BECKON_OAUTH_CLIENT_DOCUMENTS=off.',
  )
}

/** RFC 7591: an empty registration is refused, which shows that one can be made and makes none. */
async function registration(baseUrl: string): Promise<Broken | undefined> {
  const address = baseUrl + OAUTH_PATHS.register
  const answer = await probe(address, { method: 'POST', headers: JSON_TYPE, body: '{}' })
  if (!answer.answered) return unreached(address, answer.why)
  const { error } = readJsonObject(answer.text) ?? {}
  if (answer.status === 400 && error === 'invalid_redirect_uri') return undefined
  // This machine's network has registered too often; the limit answers, so registration works.
  if (answer.status === 429) return undefined
  return otherwise(`POST ${address} with an empty registration must be 400`, answer)
}

/** Without a session it leads to the page where people sign in, on the same server. */
async function authorizePage(baseUrl: string): Promise<Broken | undefined> {
  const address = baseUrl + OAUTH_PATHS.authorize
  const answer = await probe(address, { headers: { accept: 'text/html' } })
  if (!answer.answered) return unreached(address, answer.why)
  const to = URL.parse(answer.headers.get('location') ?? '', address)
  const leadsIn = answer.status >= 300 && answer.status < 400 && to?.origin === baseUrl
  // A signed-in person sees there what the request lacks.
  if (leadsIn || answer.status === 400) return undefined
  return otherwise(`GET ${address} must lead to the page for signing in`, answer)
}

type Document = { fields: Record<string, unknown> }

async function document(address: string): Promise<Broken | Document> {
  const answer = await probe(address, { headers: { accept: 'application/json' } })
  if (!answer.answered) return unreached(address, answer.why)
  const fields = answer.status === 200 ? readJsonObject(answer.text) : undefined
  return fields ? { fields } : otherwise(`GET ${address} must be 200 with a JSON object`, answer)
}

function unreached(address: string, why: string): Broken {
  const cure = 'See that the name leads to the server, and that its port is open to callers.'
  return { broken: `${address} cannot be reached: ${why}.`, cure }
}

function otherwise(what: string, { status, text, headers }: Answer): Broken {
  const isPage = /text\/html/i.test(headers.get('content-type') ?? '')
  const challenges =
    isPage && (status === 403 || status === 503 || /<title>just a moment/i.test(text))
  const page = isPage ? ' with a page for people' : ''
  return {
    broken: `${what}, and it is ${status}${page}.`,
    cure: challenges || status === 401 ? ASK_FOR_NOTHING : PASS_ON,
  }
}

function otherName(url: string, issuer: unknown): Broken {
  const issuerText = typeof issuer === 'string' ? quoteText(issuer) : 'nothing'
  return {
    broken: `Called at ${url}, the server names ${issuerText}; clients compare the two and stop.`,
    cure: 'Set BECKON_BASE_URL to the address that clients are given, character by character.',
  }
}

function quoteText(text: string): string {
  return cutText(cleanLine(text), 200)
}

function reached(baseUrl: string): Check {
  const message = `${new URL(baseUrl).host} is https at a public address: claude.ai and ChatGPT can call it, unless a firewall keeps them out.`
  return passedCheck('address', HOSTED, message)
}

const OTHERS = 'Clients on machines that reach it can sign in.'

/** Why claude.ai, ChatGPT and their apps cannot call the server; undefined if they may. */
export async function whyNotHosted(
  baseUrl: string,
  addressesOf: GuardedFetch['addressesOf'],
): Promise<string | undefined> {
  const { protocol, hostname, port, host } = new URL(baseUrl)
  const cannot = 'claude.ai, ChatGPT and their apps cannot call'
  if (isLoopbackName(hostname)) {
    return `${cannot} ${host}: it is only this machine. Clients here can sign in.`
  }
  if (protocol === 'http:') return `${cannot} ${baseUrl}: they only call https. ${OTHERS}`
  if (port !== '') return `${cannot} port ${port}: they only call port 443. ${OTHERS}`
  const lookup = await addressesOf(hostname).catch(() => undefined)
  if (!lookup) return `${cannot} ${host}: the name has no address. ${OTHERS}`
  if ('addresses' in lookup) return undefined
  if (hostname.endsWith('.ts.net')) {
    return `${cannot} ${host}: it is only in your tailnet, unless Tailscale Funnel is on. Clients in the tailnet can sign in.`
  }
  return `${cannot} ${host}: from here its name leads to a private address. ${OTHERS}`
}
