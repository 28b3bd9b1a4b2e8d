import fc from 'fast-check'
import { ADA, buttonIn } from '../../../support/slack-server.ts'
import { slackWorld } from '../../../support/slack-world.ts'
import { fitAnswer } from '../answers.ts'
import { alsoClosed, house } from '../house.ts'
import { mutatedBytes, mutatedText, nearly } from '../mutate.ts'
import { endpoint, must, type Target } from '../target.ts'

const HEADS = [
  'POST /api/mcp/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'GET /api/v1/tools.json?limit=1 HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nRange: bytes=0-1\r\n\r\n',
  'POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n',
]
const PIECES = [
  ...[
    '\r\n',
    '\n',
    '\r',
    ' ',
    ':',
    '\0',
    '\t',
    'HTTP/1.0',
    'HTTP/9.9',
    'Host:',
    'Host: [',
    '://',
    '//',
    '%',
  ],
  ...[
    'Content-Length: -1\r\n',
    'Content-Length: 99\r\n',
    'Transfer-Encoding: chunked\r\n',
    'ffffffff\r\n',
  ],
  ...[
    'Expect: 100-continue\r\n',
    'Upgrade: websocket\r\n',
    'Connection: close\r\n',
    'CONNECT ',
    'PRI * ',
  ],
]
const bytes = new TextEncoder()
const anything = fc.oneof(
  { weight: 3, arbitrary: mutatedText(HEADS, PIECES).map((text) => bytes.encode(text)) },
  { weight: 1, arbitrary: mutatedBytes(...HEADS.map((text) => bytes.encode(text))) },
)
// What is not answered by then waits for more: an open connection ends by itself, later.
const PATIENCE_MS = 40

/** What a server says to these bytes, as far as it says something soon. */
async function replyTo(url: string, bytes: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url)
  const chunks: Uint8Array[] = []
  const over = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    ...{ hostname, port: Number(port) },
    socket: {
      data: (_, chunk) => {
        chunks.push(new Uint8Array(chunk))
        over.resolve()
      },
      close: () => over.resolve(),
      error: () => over.resolve(),
    },
  })
  socket.write(bytes)
  socket.flush()
  await Promise.race([over.promise, Bun.sleep(PATIENCE_MS)])
  socket.terminate()
  return Buffer.concat(chunks).toString('latin1')
}

const PRESS = (action: unknown) => ({ type: 'block_actions', user: ADA, actions: [action] })

export const WIRE_TARGETS: readonly Target[] = [
  endpoint('wire: what is hardly HTTP', ['wire'], async () => {
    const it = await house()
    return {
      input: anything,
      async attempt(bytes) {
        const reply = await replyTo(it.url, bytes)
        const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(reply)?.[1] ?? 400)
        must(
          status < 500 || status === 501 || status === 505,
          `the server fails: ${reply.slice(0, 300)}`,
        )
        must((await fetch(`${it.url}/healthz`)).ok, 'it answers nobody any more')
        it.quiet()
        return status < 400 ? 'taken' : 'refused'
      },
    }
  }),
  endpoint('slack: what it signed', ['POST /slack/interactions'], async () => {
    const it = alsoClosed(await slackWorld())
    await it.connect()
    await it.ask({ question: 'Go on?' })
    const [message] = [...it.slack.messages.values()].slice(-1)
    const press = PRESS(structuredClone(buttonIn(message?.blocks ?? [], 'Yes')))
    const form = {
      ...{ type: 'view_submission', user: ADA },
      view: { callback_id: 'answer', private_metadata: 'q_1.sub_1', state: { values: {} } },
    }
    return {
      input: nearly(press, form),
      attempt: async (payload) => await fitAnswer(await it.slack.send(it.world.url, payload)),
    }
  }),
]
