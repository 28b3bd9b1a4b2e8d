import type { Socket } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Wire } from './wire-server.ts'

/**
 * What a stranger's server may answer. `counts`: what it counts as. `whole`: an answer like any other,
 * however odd; one that is not leaves what came of it, marked as cut, or no answer at all.
 */
export type HostileReply = { wire: Wire; counts: 'whole' | 'cut' | 'none' | 'cut or whole' }

const OK = 'HTTP/1.1 200 OK\r\n'
// Nothing that unpacks to it may be unpacked.
const BOMB_BYTES = 64 * 1024 * 1024

/** What a server may pack a body with. */
export const CODINGS = ['gzip', 'deflate', 'br', 'zstd'] as const
type Coding = (typeof CODINGS)[number]

const PACKED: Record<Coding, (plain: Buffer) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: zstdCompressSync,
}
const bombs = new Map<Coding, Buffer>()

/** A few bytes that unpack to 64 MiB. */
export function bomb(coding: Coding): Wire {
  const packed = bombs.get(coding) ?? PACKED[coding](Buffer.alloc(BOMB_BYTES))
  bombs.set(coding, packed)
  return (socket) => {
    socket.write(`${OK}content-encoding: ${coding}\r\ncontent-length: ${packed.length}\r\n\r\n`)
    socket.end(packed)
  }
}

const says =
  (...pieces: Array<string | Buffer>): Wire =>
  (socket) => {
    for (const piece of pieces) socket.write(piece)
    socket.end()
  }

/** Writes `piece` for as long as anybody listens; all at once without `everyMs`. */
function forever(head: string, piece: string, everyMs?: number): Wire {
  return (socket) => {
    socket.write(head)
    const more = () => {
      while (!socket.destroyed && socket.write(piece)) if (everyMs) return void again()
      if (!socket.destroyed) socket.once('drain', more)
    }
    const again = () => setTimeout(more, everyMs)
    more()
  }
}

const silent = (head: string): Wire => {
  return (socket: Socket) => void socket.write(head)
}

const packedTwice = gzipSync(gzipSync('hello'))
const LONG = 'a'.repeat(60_000)
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`

export const HOSTILE_REPLIES: Record<string, HostileReply> = {
  'a body without end': { wire: forever(`${OK}\r\n`, LONG), counts: 'cut' },
  'chunks without end': { wire: forever(CHUNKED, `ea60\r\n${LONG}\r\n`), counts: 'cut' },
  'less than it promised': { wire: says(`${OK}content-length: 200\r\n\r\nok`), counts: 'cut' },
  'more than it promised': { wire: says(`${OK}content-length: 2\r\n\r\nokokok`), counts: 'whole' },
  'a length below zero': { wire: says(`${OK}content-length: -2\r\n\r\nok`), counts: 'none' },
  'a length beyond numbers': {
    wire: says(`${OK}content-length: ${'9'.repeat(40)}\r\n\r\nok`),
    counts: 'none',
  },
  'a length of 8 petabytes': {
    wire: says(`${OK}content-length: ${Number.MAX_SAFE_INTEGER}\r\n\r\nok`),
    counts: 'cut',
  },
  'two lengths': {
    wire: says(`${OK}content-length: 2\r\ncontent-length: 20\r\n\r\nok`),
    counts: 'none',
  },
  'a length and chunks': {
    wire: says(`${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
    counts: 'whole',
  },
  'a chunk of no length': { wire: says(`${CHUNKED}zz\r\nok\r\n`), counts: 'cut' },
  'a chunk beyond numbers': { wire: says(`${CHUNKED}${'f'.repeat(16)}\r\nok\r\n`), counts: 'cut' },
  'a chunk whose name never ends': { wire: forever(`${CHUNKED}2;`, LONG), counts: 'cut' },
  'trailers without end': {
    wire: forever(`${CHUNKED}2\r\nok\r\n0\r\n`, 'x: y\r\n', 5),
    counts: 'cut',
  },
  'a gzip bomb': { wire: bomb('gzip'), counts: 'cut' },
  'a deflate bomb': { wire: bomb('deflate'), counts: 'cut' },
  'a br bomb': { wire: bomb('br'), counts: 'cut' },
  'a zstd bomb': { wire: bomb('zstd'), counts: 'cut' },
  'gzip that is none': {
    wire: says(`${OK}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello`),
    counts: 'cut',
  },
  'gzip that breaks off': {
    wire: says(`${OK}content-encoding: gzip\r\n\r\n`, gzipSync('hello').subarray(0, 12)),
    counts: 'cut',
  },
  'silence in the middle of gzip': {
    wire: (socket) => {
      socket.write(`${OK}content-encoding: gzip\r\n\r\n`)
      socket.write(gzipSync('hello').subarray(0, 12))
    },
    counts: 'cut',
  },
  'a reset in the middle of gzip': {
    wire: (socket) => {
      socket.write(`${OK}content-encoding: gzip\r\n\r\n`)
      socket.write(gzipSync('hello').subarray(0, 12))
      setTimeout(() => socket.resetAndDestroy(), 10)
    },
    counts: 'cut',
  },
  'gzip with something after its end': {
    wire: says(`${OK}content-encoding: gzip\r\n\r\n`, gzipSync('hello'), 'and more'),
    counts: 'cut or whole',
  },
  'gzip in gzip': {
    wire: says(
      `${OK}content-encoding: gzip, gzip\r\ncontent-length: ${packedTwice.length}\r\n\r\n`,
      packedTwice,
    ),
    counts: 'cut',
  },
  'a coding that nobody knows': {
    wire: says(`${OK}content-encoding: rot13\r\ncontent-length: 5\r\n\r\nuryyb`),
    counts: 'cut',
  },
  silence: { wire: () => {}, counts: 'none' },
  'silence after the status': { wire: silent(OK), counts: 'none' },
  'silence after the headers': {
    wire: silent(`${OK}content-length: 5\r\n\r\n`),
    counts: 'cut',
  },
  'a head of a byte at a time': { wire: forever(`${OK}x: `, 'a', 20), counts: 'none' },
  'a body of a byte at a time': { wire: forever(`${OK}\r\n`, 'a', 20), counts: 'cut' },
  'events for ever': {
    wire: forever(`${OK}content-type: text/event-stream\r\n\r\n`, ': here\n\n', 20),
    counts: 'cut',
  },
  'a connection that is kept for ever': {
    wire: silent(`${OK}content-length: 2\r\nconnection: keep-alive\r\n\r\nok`),
    counts: 'whole',
  },
  'nothing, and it hangs up': { wire: (socket) => socket.destroy(), counts: 'none' },
  'a reset': { wire: (socket) => socket.resetAndDestroy(), counts: 'none' },
  'a reset in the body': {
    wire: (socket) => {
      socket.write(`${OK}content-length: 90\r\n\r\nok`)
      setTimeout(() => socket.resetAndDestroy(), 10)
    },
    counts: 'cut',
  },
  'a header of 100 kB': { wire: says(`${OK}x: ${LONG}${LONG}\r\n`, '\r\nok'), counts: 'none' },
  'a header of 1 MB': { wire: says(`${OK}x: ${LONG.repeat(17)}\r\n`, '\r\nok'), counts: 'none' },
  'headers without end': { wire: forever(OK, `x: ${LONG}\r\n`), counts: 'none' },
  '20,000 headers': { wire: says(OK, 'x: a\r\n'.repeat(20_000), '\r\nok'), counts: 'none' },
  'a zero in a header': { wire: says(`${OK}x: a\0b\r\n\r\n`), counts: 'none' },
  'Latin-1 in a header': {
    wire: says(OK, Buffer.from('location: \xe4\xf6\r\ncontent-length: 2\r\n\r\nok', 'latin1')),
    counts: 'whole',
  },
  '100 Continue first': {
    wire: says('HTTP/1.1 100 Continue\r\n\r\n', `${OK}content-length: 2\r\n\r\nok`),
    counts: 'whole',
  },
  '100 Continue for ever': {
    wire: forever('', 'HTTP/1.1 100 Continue\r\n\r\n', 5),
    counts: 'none',
  },
  '103 Early Hints first': {
    wire: says('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', `${OK}content-length: 0\r\n\r\n`),
    counts: 'whole',
  },
  'another protocol, unasked': {
    wire: silent('HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nhi'),
    counts: 'none',
  },
  '204 with a body': {
    wire: says('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello'),
    counts: 'whole',
  },
  'the status 000': { wire: says('HTTP/1.1 000 Odd\r\ncontent-length: 0\r\n\r\n'), counts: 'none' },
  'the status 999': {
    wire: says('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'),
    counts: 'whole',
  },
  'the status 20': { wire: says('HTTP/1.1 20 Odd\r\ncontent-length: 0\r\n\r\n'), counts: 'none' },
  'the status -20': { wire: says('HTTP/1.1 -20 Odd\r\ncontent-length: 0\r\n\r\n'), counts: 'none' },
  'a page of HTTP/0.9': { wire: says('<html><p>An old page</p></html>'), counts: 'none' },
  'the greeting of another service': { wire: says('SSH-2.0-OpenSSH_9.9\r\n'), counts: 'none' },
  'bytes at random': { wire: says(Buffer.from([0, 255, 1, 254, 22, 3, 1])), counts: 'none' },
}
