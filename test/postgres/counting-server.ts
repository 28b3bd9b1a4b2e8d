import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** One request as it came, with the process of this machine that sent it. */
type Counted = { path: string; pid: number | undefined }

export type CountingServer = AsyncDisposable & {
  url: string
  requests: Counted[]
  /** From now on replies wait for `release`. */
  hold(): void
  release(): void
}

/** A server on loopback that writes down which of the processes asks it for what. */
export function countingServer(
  pids: () => readonly number[],
  answer: (request: Request) => Response | Promise<Response>,
): CountingServer {
  const requests: Counted[] = []
  let held = Promise.withResolvers<void>()
  held.resolve()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request, { requestIP }) {
      const { pathname } = new URL(request.url)
      requests.push({
        path: pathname,
        pid: processAt(requestIP.call(server, request)?.port, pids()),
      })
      await held.promise
      return await answer(request)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    hold() {
      held = Promise.withResolvers()
    },
    release: () => held.resolve(),
    async [Symbol.asyncDispose]() {
      held.resolve()
      await server.stop(true)
    },
  }
}

/** Which of the processes has the connection that leaves this machine's port `port`. */
function processAt(port: number | undefined, pids: readonly number[]): number | undefined {
  const hex = `:${(port ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const inodes = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local]) => local?.endsWith(hex))
      .map((fields) => `socket:[${fields[9]}]`),
  )
  return pids.find((pid) => socketsOf(pid).some((socket) => inodes.includes(socket)))
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).flatMap((fd) => {
      try {
        return readlinkSync(`${folder}/${fd}`)
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}
