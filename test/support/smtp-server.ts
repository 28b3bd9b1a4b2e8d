import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls, { TLSSocket } from 'node:tls'

const folder = `${import.meta.dir}/../fixtures/tls`
const pem = (name: string) => readFileSync(`${folder}/${name}.pem`, 'utf8')

/** The name in the server's certificate, and the certificate, which nobody trusts by itself. */
export const MAIL_HOST = 'push.example.test'
export const MAIL_CA = pem('cert')
const TLS = { cert: MAIL_CA, key: pem('key') }
const EXPIRED = { cert: pem('expired-cert'), key: pem('expired-key') }

/** A step of a session; `end` is the dot after the message. */
type Step = 'greeting' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end'

/** Instead of the usual reply: these lines, silence, a reset, or a line that never ends. */
type Reply = string | 'hang' | 'reset' | 'endless'

type ReceivedMail = { from: string; to: string; raw: string; user: string; secure: boolean }

export type SmtpServer = AsyncDisposable & {
  port: number
  mails: ReceivedMail[]
  /** Every line that clients sent, with the connection's security before it. */
  lines: string[]
  /** How many connections there were. */
  connections(): number
  /** What the next sessions answer at these steps; `{}` for the usual. */
  behave(replies: Partial<Record<Step, Reply>>): void
}

type Options = {
  /** TLS from the first byte. */
  isSecure?: boolean
  /** Offers STARTTLS; it does unless told otherwise. */
  starttls?: boolean
  /** Of the one account; without it anybody may send. */
  account?: { user: string; pass: string }
  /** The ways to sign in that it offers. */
  methods?: string
  expired?: boolean
}

/** A mail server on this machine (RFC 5321, 3207, 4954). */
export async function smtpServer(options: Options = {}): Promise<SmtpServer> {
  const { isSecure = false, expired = false } = options
  const pair = expired ? EXPIRED : TLS
  const state: State = { mails: [], lines: [], replies: {}, options, pair }
  const sockets = new Set<Socket>()
  let connections = 0
  const begin = (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    converse(socket, isSecure, state)
  }
  const server = isSecure ? tls.createServer(pair, begin) : net.createServer(begin)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    mails: state.mails,
    lines: state.lines,
    connections: () => connections,
    behave(replies) {
      state.replies = replies
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

type State = {
  mails: ReceivedMail[]
  lines: string[]
  replies: Partial<Record<Step, Reply>>
  options: Options
  pair: { cert: string; key: string }
}

/** One session; after STARTTLS the same goes on over the secured connection. */
function converse(socket: Socket, secure: boolean, state: State, isAgain = false): void {
  const { options } = state
  const session = { from: '', to: '', user: '' }
  let takes: (line: string) => void = command
  let message: string[] | undefined
  let rest = ''

  function answer(step: Step, usual: string, then?: () => void) {
    const reply = state.replies[step] ?? usual
    if (reply === 'reset') return socket.resetAndDestroy()
    if (reply === 'hang') return undefined
    if (reply === 'endless') return void drip(socket)
    socket.write(`${reply}\r\n`, () => reply === usual && then?.())
    return undefined
  }

  function command(line: string) {
    const [verb = ''] = line.toUpperCase().split(/[ :]/)
    if (verb === 'EHLO') return answer('EHLO', greetingOf(options, secure))
    const { starttls = true } = options
    if (verb === 'STARTTLS' && starttls) return answer('STARTTLS', '220 go ahead', secured)
    if (verb === 'AUTH') return signIn(line)
    if (verb === 'MAIL') {
      session.from = /<(.*)>/.exec(line)?.[1] ?? ''
      const isOpen = !options.account || session.user
      return answer('MAIL', isOpen ? '250 2.1.0 ok' : '530 5.7.0 sign in first')
    }
    if (verb === 'RCPT') {
      session.to = /<(.*)>/.exec(line)?.[1] ?? ''
      return answer('RCPT', '250 2.1.5 ok')
    }
    if (verb === 'DATA') return answer('DATA', '354 end with a dot', () => (message = []))
    if (verb === 'QUIT') return socket.end('221 2.0.0 bye\r\n')
    return socket.write('502 5.5.1 not known\r\n')
  }

  function signIn(line: string) {
    const [, method = '', first = ''] = line.split(' ')
    if (method.toUpperCase() === 'PLAIN') {
      const [, user = '', pass = ''] = Buffer.from(first, 'base64').toString().split('\0')
      return judge(user, pass)
    }
    const inputs: string[] = []
    const next = (typed: string) => {
      inputs.push(Buffer.from(typed, 'base64').toString())
      if (inputs.length === 1) return socket.write('334 UGFzc3dvcmQ6\r\n')
      takes = command
      return judge(inputs[0] ?? '', inputs[1] ?? '')
    }
    takes = next
    return socket.write('334 VXNlcm5hbWU6\r\n')
  }

  function judge(user: string, pass: string) {
    const isRight = user === options.account?.user && pass === options.account.pass
    if (isRight) session.user = user
    return answer('AUTH', isRight ? '235 2.7.0 welcome' : '535 5.7.8 wrong password')
  }

  function secured() {
    socket.removeAllListeners('data')
    const upgraded = new TLSSocket(socket, { isServer: true, ...state.pair })
    converse(upgraded, true, state, true)
  }

  function read(line: string) {
    if (!message) {
      state.lines.push(`${secure ? 'secure' : 'plain'} ${line}`)
      return takes(line)
    }
    if (line !== '.') return message.push(line.replace(/^\.\./, '.'))
    const raw = message.join('\r\n')
    message = undefined
    const keep = () => state.mails.push({ ...session, raw, secure })
    if (state.replies.end === undefined) keep()
    return answer('end', '250 2.0.0 queued as 1')
  }

  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    rest += bytes.toString('latin1')
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      read(line)
    }
  })
  if (!isAgain) answer('greeting', '220 mail ready')
}

function greetingOf(
  { starttls = true, account, methods = 'PLAIN LOGIN' }: Options,
  secure: boolean,
) {
  const more = [
    ...(starttls && !secure ? ['STARTTLS'] : []),
    ...(account ? [`AUTH ${methods}`] : []),
  ]
  return ['mail', ...more].map((word, i) => `250${i < more.length ? '-' : ' '}${word}`).join('\r\n')
}

/** Sends one reply that goes on until the other side has enough of it. */
function drip(socket: Socket): void {
  const more = () => {
    if (!socket.destroyed) socket.write(`250-${'x'.repeat(4_000)}\r\n`, () => setImmediate(more))
  }
  more()
}
