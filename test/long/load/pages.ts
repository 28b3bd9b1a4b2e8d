import type { Ground } from './ground.ts'
import { requestText } from './wire.ts'

// As the server asks them to (`retry:`).
const COME_BACK_MS = 2_000
const MARK = Buffer.from('"mark-')

/** A question as a page hears of it. */
export type Heard = { event: string; id: string; question: string; type: string }

export type Pages = {
  open(): number
  bytes(): number
  /** From now on each page has to hear of this mark; `sentAt` is when it was sent. */
  expect(mark: number, sentAt: number): void
  /** Marks that a page which was there all the time has not heard of. */
  missed(): string[]
  close(): void
}

/** Pages that follow what happens; `hear` is told all that the first one reads. */
export async function openPages(ground: Ground, hear: (heard: Heard) => void): Promise<Pages> {
  const { plan, classes, times, over } = ground
  const sendTimes = new Map<number, number>()
  const pages = Array.from({ length: plan.pages }, (_, n) => createPage(n))
  let bytes = 0

  function createPage(n: number) {
    const cookie = plan.cookies[n % plan.cookies.length] as string
    let socket: Bun.Socket<undefined> | undefined
    let since = Number.POSITIVE_INFINITY
    let rest = ''
    let last = Buffer.alloc(0)
    const marks = new Map<number, number>()

    async function open() {
      const { host, hostname, port } = new URL(plan.url)
      const headers = { cookie, accept: 'text/event-stream' }
      const request = requestText(host, { method: 'GET', path: '/api/v1/events', headers })
      const { promise: started, resolve: begin } = Promise.withResolvers<void>()
      socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: (opened) => void opened.write(request),
          data(_, chunk) {
            if (since === Number.POSITIVE_INFINITY) {
              if (!chunk.subarray(0, 12).equals(Buffer.from('HTTP/1.1 200'))) {
                classes.unforeseen(`a page was answered ${chunk.subarray(0, 200)}`)
              }
              since = performance.now()
              begin()
            }
            take(chunk)
          },
          close: lost,
          error: lost,
        },
      })
      await started
    }

    function take(chunk: Buffer) {
      bytes += chunk.length
      if (n === 0) read(chunk)
      findMarks(chunk)
      // The last piece of a stream: it ends, and the connection stays.
      if (chunk.subarray(-5).equals(Buffer.from('0\r\n\r\n'))) socket?.end()
    }

    function findMarks(chunk: Buffer) {
      // A mark may lie across two pieces.
      const whole = last.length > 0 ? Buffer.concat([last, chunk]) : chunk
      let end = 0
      for (let at = whole.indexOf(MARK); at >= 0; at = whole.indexOf(MARK, end)) {
        end = at + MARK.length
        const mark = /^(\d+)"/.exec(whole.toString('latin1', end, end + 12))?.[1]
        if (mark && !marks.has(Number(mark))) hearMark(Number(mark))
      }
      last = Buffer.from(whole.subarray(Math.max(end, whole.length - 24)))
    }

    function hearMark(mark: number) {
      const now = performance.now()
      marks.set(mark, now)
      const sentAt = sendTimes.get(mark)
      if (sentAt !== undefined) times.event.add(now - sentAt)
    }

    function read(chunk: Buffer) {
      rest += chunk.toString('latin1')
      const parts = rest.split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const event = /event: (\S+)/.exec(part)?.[1]
        const id = /"correlationId":"([^"]+)"/.exec(part)?.[1]
        const question = /"question":"([^"]*)"/.exec(part)?.[1] ?? ''
        const type = /"type":"([^"]+)"/.exec(part)?.[1] ?? ''
        if (event && id) hear({ event, id, question, type })
      }
    }

    async function lost() {
      if (socket === undefined || over.aborted) return
      socket = undefined
      since = Number.POSITIVE_INFINITY
      classes.count('let_go')
      await Bun.sleep(COME_BACK_MS)
      if (!over.aborted) await open().catch((e) => classes.unforeseen(`a page: ${e.message}`))
    }

    return {
      open,
      isOpen: () => since !== Number.POSITIVE_INFINITY,
      missed: () =>
        [...sendTimes].filter(([mark, at]) => since < at && !marks.has(mark)).map(([mark]) => mark),
      close() {
        const was = socket
        socket = undefined
        was?.end()
      },
    }
  }

  const TOGETHER = 50
  for (let at = 0; at < pages.length; at += TOGETHER) {
    await Promise.all(pages.slice(at, at + TOGETHER).map((page) => page.open()))
  }
  return {
    open: () => pages.filter((page) => page.isOpen()).length,
    bytes: () => bytes,
    expect: (mark, sentAt) => void sendTimes.set(mark, sentAt),
    missed: () =>
      pages.flatMap((page, n) => page.missed().map((mark) => `page ${n} has not heard of ${mark}`)),
    close: () => pages.forEach((page) => void page.close()),
  }
}
