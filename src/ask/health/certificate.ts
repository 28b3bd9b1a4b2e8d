import { connect } from 'node:tls'

/** What a server shows of itself; `undefined` when no TLS connection comes about. */
export type Certificate = {
  /** Why this machine does not trust it; undefined when it does. */
  distrust: string | undefined
  /** Milliseconds since 1970. */
  validUntil: number
}

const TIMEOUT_MS = 4_000

/** Looks at the certificate behind an https address; whether it is trusted is said, not decided. */
export function readCertificate(address: string): Promise<Certificate | undefined> {
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
    const end = (found: Certificate | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(found)
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
