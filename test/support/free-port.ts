// Below the ports that systems give by themselves: one of those may be given to another process
// between the look and the use of it, and tests that run beside each other are given hundreds a second.
const [FIRST, COUNT] = [20_000, 12_000]
// Processes that run at once begin far from each other.
let next = (process.pid * 997) % COUNT

/** A port of 127.0.0.1 that nobody listens on, that was not given here before, and that no system gives by itself. */
export function freePort(): number {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = FIRST + next
    next = (next + 1) % COUNT
    if (isFree(port)) return port
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + COUNT} is free`)
}

export function freePorts(count: number): number[] {
  return Array.from({ length: count }, freePort)
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
    return true
  } catch {
    return false
  }
}
