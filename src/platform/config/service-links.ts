import { isIP } from 'node:net'

// `beckon` and `beckon-http` are Services: BECKON_SERVICE_HOST, BECKON_HTTP_PORT_80_TCP_ADDR.
const OF_SERVICE = /^BECKON_(?:[A-Z0-9_]+?_)??SERVICE_(?:(HOST)|PORT(?:_[A-Z0-9_]+)?)$/
const OF_PORT = /^BECKON_(?:[A-Z0-9_]+?_)??PORT(?:_(\d+)_(?:TCP|UDP|SCTP)(?:_(PROTO|PORT|ADDR))?)?$/
const LINK = /^(?:tcp|udp|sctp):\/\/(?:\[([0-9a-f:.]+)\]|([0-9.]+)):\d{1,5}$/

/**
 * Returns true for a variable that Kubernetes sets for a Service whose name begins with `beckon`,
 * in the form of Docker's container links. Such a variable is no setting of ours, whatever its
 * name. https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
export function isServiceLink(name: string, value: string): boolean {
  const service = OF_SERVICE.exec(name)
  if (service && (service[1] ? isIP(value) > 0 : isPort(value))) return true
  const port = OF_PORT.exec(name)
  if (!port) return false
  const [, number, part] = port
  if (part === 'PROTO') return /^(tcp|udp|sctp)$/.test(value)
  if (part === 'PORT') return value === number
  if (part === 'ADDR') return isIP(value) > 0
  const link = LINK.exec(value)
  return link !== null && isIP(link[1] ?? link[2] ?? '') > 0
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text)
}
