import { readFileSync } from 'node:fs'

// What a process has open beside its connections.
const SPARE = 200

/** Why this machine cannot hold so many connections, and what to do; undefined when it can. */
export function tooFewFiles(connections: number): string | undefined {
  const line = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  const may = line?.[1] === 'unlimited' ? Number.POSITIVE_INFINITY : Number(line?.[1] ?? 0)
  const needed = connections + SPARE
  if (may >= needed) return undefined
  return `Only ${may} files may be open at once and ${needed} are needed: run "ulimit -n ${needed}" first, or try less with --held and --pages.`
}

/** Why there are too few ports on this side for so many connections to one address. */
export function tooFewPorts(connections: number): string | undefined {
  const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)
  const [first = 0, last = 0] = range.map(Number)
  const have = last - first
  if (have > connections * 1.2) return undefined
  return `There are ${have} ports for ${connections} connections: run "sysctl -w net.ipv4.ip_local_port_range='10240 65535'" first, or try less with --held.`
}
