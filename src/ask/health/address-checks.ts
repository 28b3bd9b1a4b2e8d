import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { isLoopbackName } from '../../platform/config/origins.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Check, failedCheck, passedCheck, skippedCheck, warnedCheck } from '../check.ts'
import { MIRROR_MS } from './model/mirror.ts'
import type { Reachability } from './reflection.ts'

const DAY_MS = 24 * 3600 * 1000
// Renewal is usually tried a month before expiry; at two weeks it has been failing for a while.
const RENEW_DAYS = 14
const CURE_ADDRESS = 'Set BECKON_BASE_URL to the address in the browser, or correct the proxy.'

// Statuses of proxies whose upstream is missing or does not answer.
const BEHIND_PROXY = new Set([502, 503, 504])

/** Checks that the base URL leads to the server, which listens at `here`. */
export function baseUrlCheck(baseUrl: string, sight: Reachability, here: string): Check {
  const name = 'Base URL'
  switch (sight.kind) {
    case 'ours':
      return passedCheck('address', name, `${baseUrl} leads to this server.`)
    case 'beckon':
      return failedCheck(
        'address',
        name,
        `${baseUrl} leads to another Beckon server.`,
        CURE_ADDRESS,
      )
    case 'unproved':
      return skippedCheck(
        'address',
        name,
        `A Beckon server answers at ${baseUrl}, but it cannot be told which one.`,
      )
    case 'redirect': {
      const to = cutText(cleanLine(sight.to), 200)
      const cure = 'Set BECKON_BASE_URL to the address that it leads to; agents follow no redirect.'
      return failedCheck('address', name, `${baseUrl} redirects to ${to}.`, cure)
    }
    case 'stranger': {
      if (BEHIND_PROXY.has(sight.status)) {
        const message = `At ${baseUrl} a proxy answers that it does not reach this server (${sight.status}).`
        return failedCheck('address', name, message, `Have the proxy pass requests on to ${here}.`)
      }
      const sentence = `At ${baseUrl} something else answers (${sight.status}).`
      return failedCheck('address', name, sentence, CURE_ADDRESS)
    }
    case 'nobody': {
      const message = `${baseUrl} cannot be reached from this machine: ${sight.why}.`
      return failedCheck(
        'address',
        name,
        message,
        `${CURE_ADDRESS} Check that its name leads to the proxy.`,
      )
    }
  }
}

/** The party that shows the certificate and renews it. */
type Renewer = 'the proxy' | 'this server'

/** Checks that the address is https, which browsers require for push and passkeys. */
export async function httpsCheck(
  baseUrl: string,
  now: number,
  renewer: Renewer = 'the proxy',
): Promise<Check> {
  const name = 'HTTPS'
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:') return certificateCheck(await readCertificate(baseUrl), now, renewer)
  if (isLoopbackName(hostname)) {
    const message = 'The address only works on this machine; phones cannot open it.'
    const cure = 'For phones, choose one of the ways to https: beckon docs https.'
    return warnedCheck('address', name, message, cure)
  }
  const sentence = `${baseUrl} is plain http: browsers refuse push and passkeys there.`
  return failedCheck(
    'address',
    name,
    sentence,
    'Choose one of the ways to https: beckon docs https.',
  )
}

export function certificateCheck(
  certificate: Certificate | undefined,
  now: number,
  renewer: Renewer = 'the proxy',
): Check {
  const name = 'HTTPS'
  if (!certificate) {
    const message = 'A TLS connection to the base URL fails.'
    return failedCheck('address', name, message, `Check that ${renewer} serves https on that port.`)
  }
  const days = Math.floor((certificate.validUntil - now) / DAY_MS)
  if (days < 0) {
    const message = `The certificate ended ${-days} days ago.`
    return failedCheck('address', name, message, `Renew it, and find out why ${renewer} did not.`)
  }
  if (certificate.distrust) {
    const message = `This machine does not trust the certificate (${cutText(cleanLine(certificate.distrust), 60)}).`
    const cure = 'Use a certificate of a public authority, or install its root on every device.'
    return failedCheck('address', name, message, cure)
  }
  const sentence = `The certificate is valid for ${days} more days.`
  if (days >= RENEW_DAYS) return passedCheck('address', name, sentence)
  return warnedCheck('address', name, sentence, `Check that ${renewer} renews it.`)
}

/** Checks that the server learns the addresses of callers, and trusts headers only from a proxy. */
export function proxyCheck(baseUrl: string, sight: Reachability, direct: boolean): Check {
  const name = 'Proxy'
  if (sight.kind !== 'ours')
    return skippedCheck('address', name, 'Not checked: the base URL fails.')
  const { host, forwardedFor, trustsProxy, forwardedProto } = sight.reflection
  const { host: expectedHost, protocol } = new URL(baseUrl)
  // Servers of earlier versions do not report it.
  if (sight.reflection.authorization === false) {
    const message = 'The proxy removes the Authorization header: every agent gets 401.'
    const cure = 'Have it pass that header on unchanged, and ask for no password of its own.'
    return failedCheck('address', name, message, cure)
  }
  if (!direct && host !== expectedHost) {
    const message = `The proxy calls this server "${cutText(cleanLine(String(host)), 100)}" instead of ${expectedHost}.`
    return warnedCheck(
      'address',
      name,
      message,
      'Have it pass on the Host header: proxy_set_header Host $host;',
    )
  }
  if (forwardedFor && !trustsProxy) {
    const message =
      'A proxy sends X-Forwarded-For, but is not trusted: all callers share one limit.'
    return warnedCheck('address', name, message, cureOfProxy(sight.reflection.peer))
  }
  if (!forwardedFor && trustsProxy) {
    const message =
      'BECKON_TRUST_PROXY names whoever calls this server here, but nobody sets X-Forwarded-For: that caller can claim any address.'
    return warnedCheck(
      'address',
      name,
      message,
      'Set it to off, or have the proxy set X-Forwarded-For.',
    )
  }
  if (forwardedProto && `${forwardedProto}:` !== protocol) {
    const message = `The proxy says that callers use ${cutText(cleanLine(forwardedProto), 20)}, the base URL says otherwise.`
    return warnedCheck('address', name, message, CURE_ADDRESS)
  }
  if (direct) return passedCheck('address', name, 'There is no proxy in between.')
  return passedCheck('address', name, 'Host and X-Forwarded-For arrive as they should.')
}

/** How to trust the proxy at `peer`, the address that calls the server. */
function cureOfProxy(peer: string | null | undefined): string {
  const isKnown = typeof peer === 'string' && isIP(peer) !== 0
  return `Set BECKON_TRUST_PROXY=${isKnown ? peer : 'to the address of that proxy'}.`
}

/**
 * Checks that a proxy passes responses on without buffering, which live pages and held calls need.
 */
export function streamCheck(sight: Reachability): Check {
  const name = 'Streaming'
  if (sight.kind !== 'ours')
    return skippedCheck('address', name, 'Not checked: the base URL fails.')
  // The reply takes this long to send; if all of it arrives at the end, a proxy buffered it.
  if (sight.spreadMs > MIRROR_MS / 4) {
    return passedCheck('address', name, 'Replies arrive without delay.')
  }
  const message = 'Something on the way buffers replies and passes them on late.'
  const cure = 'Turn buffering off in the proxy: in nginx, proxy_buffering off;'
  return failedCheck('address', name, message, cure)
}

/** The certificate of a server; `undefined` without a TLS connection. */
type Certificate = {
  /** Why this machine does not trust it; undefined if it does. */
  distrust: string | undefined
  /** Milliseconds since 1970. */
  validUntil: number
}

const TIMEOUT_MS = 4_000

/**
 * Reads the certificate of an https address; reports whether it is trusted without enforcing it.
 */
function readCertificate(address: string): Promise<Certificate | undefined> {
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const servername = /^[\d.]+$|:/.test(host) ? '' : host
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      servername,
      rejectUnauthorized: false,
    })
    const end = (certificate: Certificate | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(certificate)
    }
    const timer = setTimeout(() => end(undefined), TIMEOUT_MS)
    socket.once('error', () => end(undefined))
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      const error = socket.authorized ? undefined : socket.authorizationError
      end({ distrust: error ? codeOf(error) : undefined, validUntil: Date.parse(valid_to) })
    })
  })
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? error)
}
