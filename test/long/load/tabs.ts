import { requestText } from './wire.ts'

export type Tabs = {
  /** How each ended: its stream came to its end, or the connection was cut; or it is still open. */
  ends(): Array<'whole' | 'cut' | 'open'>
}

/** Pages that follow what happens and look only at how it ends. */
export async function openTabs(url: string, cookies: string[], count: number): Promise<Tabs> {
  const { host, hostname, port } = new URL(url)
  const ends: Array<'whole' | 'cut' | 'open'> = Array.from({ length: count }, () => 'open')

  async function open(n: number) {
    const headers = { cookie: cookies[n % cookies.length] ?? '', accept: 'text/event-stream' }
    const request = requestText(host, { method: 'GET', path: '/api/v1/events', headers })
    const { promise: started, resolve: begin } = Promise.withResolvers<void>()
    await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (opened) => void opened.write(request),
        data(opened, chunk) {
          begin()
          if (!chunk.subarray(-5).equals(Buffer.from('0\r\n\r\n'))) return
          ends[n] = 'whole'
          opened.end()
        },
        close() {
          if (ends[n] === 'open') ends[n] = 'cut'
        },
      },
    })
    await started
  }

  await Promise.all(Array.from({ length: count }, (_, n) => open(n)))
  return { ends: () => ends }
}
