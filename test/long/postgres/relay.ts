import { connect, createServer, type Socket } from 'node:net'

/** A way to a database that can be cut without a word, and turned to another server. */
export type Relay = AsyncDisposable & {
  port: number
  /** From now on nothing gets through either way, and nobody is told. */
  cut(): void
  /** New connections get through; those that were cut stay mute, unless `mend`: then they go on. */
  restore(how: 'mend' | 'leave'): void
  /** New connections lead to this port; those that are open are ended. */
  turnTo(port: number): void
}

export async function openRelay(target: number): Promise<Relay> {
  let to = target
  let isCut = false
  const open = new Set<{ near: Socket; far: Socket; mute: boolean }>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    const pair = { near, far, mute: false }
    open.add(pair)
    const end = () => {
      open.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (!into.write(bytes)) from.pause()
      })
      into.on('drain', () => pair.mute || from.resume())
      from.on('error', () => pair.mute || end())
      from.on('close', () => pair.mute || end())
    }
    if (isCut) silence(pair)
  })
  function silence(pair: { near: Socket; far: Socket; mute: boolean }) {
    pair.mute = true
    pair.near.pause()
    pair.far.pause()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    cut() {
      isCut = true
      for (const pair of open) silence(pair)
    },
    restore(how) {
      isCut = false
      if (how === 'leave') return
      for (const pair of open) {
        pair.mute = false
        pair.near.resume()
        pair.far.resume()
      }
    },
    turnTo(next) {
      to = next
      isCut = false
      for (const { near, far } of open) {
        near.destroy()
        far.destroy()
      }
      open.clear()
    },
    async [Symbol.asyncDispose]() {
      for (const { near, far } of open) {
        near.destroy()
        far.destroy()
      }
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
