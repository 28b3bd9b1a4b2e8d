import { expect, test } from 'bun:test'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { isProduct, repositorySources, type Source } from '../support/sources.ts'
import { waysOut } from './ways-out.ts'

/** Files that speak to the network, or look as if they did, and are no way out of the server. */
const NOT_THROUGH_THE_GUARD: Record<string, string> = {
  'src/platform/outgoing/guarded-fetch.ts': 'is the guard',
  'src/ask/channels/email/post-mail.ts':
    'speaks SMTP, to addresses that the guard has checked (test/ask/channels/email)',
  'src/platform/http/server.ts': 'answers requests',
  'src/platform/mcp/http-handler.ts': 'answers requests',
  'src/ask/mcp/route.ts': 'answers requests',
  'src/ask/gates/http/handler.ts':
    'passes requests on through the guard, as a stream (test/ask/gates/http)',
  'src/ask/gates/http/route.ts': 'answers requests',
  'src/catalog/registry/entries.ts': 'only tells addresses from names',
  'src/platform/config/service-links.ts': 'only tells addresses from names',
  'src/ask/health/probe.ts': 'asks the server’s own base URL, which its owner has set',
  'src/ask/health/address-checks.ts': 'looks at the server’s own base URL, which its owner has set',
  'src/app.ts': 'asks itself',
  'src/cli/check-start.ts': 'asks itself',
  'src/cli/update/release-channel.ts':
    'a command reads releases from the address that its build or its user names',
  'src/agent/api-client.ts': 'a command asks the server that its user has named',
  'src/agent/setup/server.ts': 'a command asks the server that its user has named',
  'src/agent/setup/sign-in.ts': 'a command asks the server that its user has named',
  'src/agent/setup/try-gate.ts': 'a command asks the gate whose entry it checks',
  'src/cli/policy-source.ts': 'a command asks the server that its user has named',
  'src/agent/session/server.ts': 'a hook asks the server that its user has named',
  'src/agent/bridge/post.ts': 'the bridge asks the server that its user has named',
}

const NETWORK = new RegExp(
  [
    String.raw`(?<!\w)fetch\(`,
    String.raw`(from|import\() ?'(node:)?(net|tls|https?|http2|dgram|dns)(/promises)?'`,
    String.raw`Bun\.(connect|listen|udpSocket|dns|SQL|redis|s3)\b`,
    String.raw`\bnew (WebSocket|EventSource|XMLHttpRequest|RedisClient|S3Client)\b`,
    String.raw`\b[wW]eb[pP]ush\.send`,
    "from 'nodemailer(/lib/smtp-connection)?'",
  ].join('|'),
)

// Whole lines only: a string may hold what looks like the beginning of a comment.
const COMMENT = /^\s*(\/\/|\/?\*).*$/gm

const speaks = ({ path, text }: Source) =>
  isProduct({ path, text }) && NETWORK.test(text.replace(COMMENT, ''))

test('every file that speaks to the network is a way out with a row, or listed with a reason', async () => {
  await using table = await waysOut(createGuardedFetch())
  const rows = new Set(table.ways.flatMap(({ through }) => through))
  const listed = new Set([...rows, ...Object.keys(NOT_THROUGH_THE_GUARD)])
  const files = (await repositorySources()).filter(speaks).map(({ path }) => path)
  expect(files.filter((path) => !listed.has(path))).toEqual([])
  expect([...listed].filter((path) => !files.includes(path))).toEqual([])
  expect(Object.keys(NOT_THROUGH_THE_GUARD).filter((path) => rows.has(path))).toEqual([])
})

test('a new way out would be noticed', () => {
  for (const text of [
    'await fetch(url)',
    'return outside.fetch(url)',
    "import { connect } from 'node:tls'",
    "import http from 'http'",
    'Bun.connect({ hostname })',
    'new WebSocket(url)',
    'webPush.sendNotification(to)',
    "import nodemailer from 'nodemailer'",
  ]) {
    expect([text, speaks({ path: 'src/flows/a.ts', text })]).toEqual([text, true])
  }
  expect(speaks({ path: 'src/flows/a.ts', text: '// fetch(url)\nprefetch(a)' })).toBe(false)
})
