import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { redactSecrets } from '../../src/platform/redact/redact.ts'
import { codePoints } from '../../src/platform/text.ts'
import corpus from '../fixtures/secrets.json'
import { howOften } from '../support/share.ts'

// The parts stand apart in the file, so that nobody's scanner takes a made-up key for a real one.
const whole = (text: string) => text.replaceAll('␣', '')

for (const { name, text, secret, says } of corpus.secrets) {
  test(`gone: ${name}`, () => {
    const redacted = redactSecrets(whole(text))
    for (const part of [secret].flat().map(whole)) {
      expect(whole(text)).toContain(part)
      expect(redacted).not.toContain(part)
    }
    expect(redacted).toContain(`▇▇▇ (${says})`)
    expect(redactSecrets(redacted)).toBe(redacted)
  })
}

for (const text of corpus.harmless) {
  test(`untouched: ${text.slice(0, 60).replace(/\s+/g, ' ')}`, () => {
    expect(redactSecrets(text)).toBe(text)
  })
}

test('what is around a secret stays', () => {
  expect(redactSecrets('curl https://ann:s3same@host.example/x -d a=1')).toBe(
    'curl https://ann:▇▇▇ (URL password)@host.example/x -d a=1',
  )
  expect(redactSecrets('export DB_PASSWORD=hunter2 && run')).toBe(
    'export DB_PASSWORD=▇▇▇ (password) && run',
  )
})

for (const [text, seen] of [
  ['curl -b a=b1 https://x.example/ && npm publish', 'https://x.example/ && npm publish'],
  ['curl -b sid=8f3a9c21 https://x.example/ -X DELETE', '-X DELETE'],
  ['DB_PASSWORD=hunter2;reboot', ';reboot'],
  ['login --token abc123def456|sh', '|sh'],
  ['curl -H Authorization:Bearer4f9a8b7c; npm publish', '; npm publish'],
  ['sshpass -p hunter2;reboot', ';reboot'],
  ['curl -u ann:hunter2&reboot', '&reboot'],
] as const) {
  test(`the rest of the command stays: ${text}`, () => {
    const redacted = redactSecrets(text)
    expect(redacted).toContain('▇▇▇')
    expect(redacted).toContain(seen)
  })
}

test('a key without an end hides no command behind it', () => {
  const key = `-----BEGIN ${'PRIVATE'} KEY-----\n${'MIIEvQ4k'.repeat(8)}`
  expect(redactSecrets(`${key}\n&& npm publish`)).toBe('▇▇▇ (private key)\n&& npm publish')
})

test('a header that shows once what stood before it is gone, is redacted at once', () => {
  const header = 'Authorization: Bearer $T'
  const glued = `xoxp-1234567890-abcdef${header}authorization: requiredghp_abcdefghijklmnop1234`
  const once = redactSecrets(glued)
  expect(once).not.toContain('abcdefghijklmnop1234')
  expect(redactSecrets(once)).toBe(once)
})

test('a key that begins where another ends is gone with it', () => {
  const hex = '0123456789abcdef'.repeat(4)
  for (const first of [`dop_v1_${hex}`, `shpat_${hex.slice(0, 32)}`]) {
    for (const { secret } of corpus.secrets) {
      const [second = ''] = [secret].flat().map(whole)
      const once = redactSecrets(first + second)
      expect(redactSecrets(once)).toBe(once)
      if (/^[\w-]+$/.test(second)) expect(once).not.toContain(second.slice(-8))
    }
  }
})

const fragments = fc.constantFrom(
  ...corpus.secrets.map(({ text }) => whole(text)),
  ...corpus.secrets.flatMap(({ secret }) => [secret].flat().map(whole)),
  ...corpus.harmless,
  ...['-', '_', '=', '://', ':', '@', '"', "'", '`', '\\', '\n', ' ', 'eyJ', 'token', '--password'],
)
const texts = fc.array(fc.oneof(fragments, fc.string({ maxLength: 12 })), { maxLength: 12 })

test('doing it twice changes nothing, and a cut holds', () => {
  fc.assert(
    fc.property(texts, fc.nat(500), (parts, most) => {
      const once = redactSecrets(parts.join(''))
      expect(redactSecrets(once)).toBe(once)
      expect(codePoints(redactSecrets(parts.join(''), most))).toBeLessThanOrEqual(most)
      expect(redactSecrets(parts.join(''), most)).toBe([...once].slice(0, most).join(''))
    }),
    { numRuns: howOften(30, 300) },
  )
})

test('a secret that a cut would halve is gone as a whole', () => {
  for (const { text, secret } of corpus.secrets) {
    const [part = ''] = [secret].flat().map(whole)
    const filler = 'word '.repeat(Math.ceil((500 - part.length / 2) / 5))
    const redacted = redactSecrets(`${filler}\n${whole(text)}`, 520)
    expect(redacted).not.toContain(part.slice(0, Math.max(8, part.length / 2)))
  }
  const late = `${'x '.repeat(32_750)}${whole(corpus.secrets[0]?.text ?? '')}`
  expect(redactSecrets(late)).not.toContain('AKIA')
})

// A pattern that goes back and forth would need minutes here, and run into the limit of a test.
const HOSTILE = [
  ...['eyJ', 'eyJ-', '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', '://a:', '://', 'password='],
  ...['password="', "token='", '--token ', 'authorization: ', 'cookie: a=', 'curl -u ', 'curl '],
  ...[
    'ghp_',
    'sk-',
    '--a-',
    'SG.',
    '=',
    '-',
    'a',
    '"',
    '\\"',
    ' ',
    '\t',
    '_pwd=',
    'token \\"',
    '@',
  ],
  ...['npm config set ', 'git config ', "sed 's/password=", 's/password=a/', 'password=1a2;'],
  ...['1234567890:AA', 'xoxb.', 'A', 'password: ', 'secret "', '`', 'A1'],
]
test('hostile text of any length is gone through', () => {
  for (const part of HOSTILE) {
    const redacted = redactSecrets(part.repeat(Math.ceil(60_000 / part.length)), 50_000)
    expect(redactSecrets(redactSecrets(redacted))).toBe(redactSecrets(redacted))
    const long = redactSecrets(part.repeat(Math.ceil(1_000_000 / part.length)), 4_000)
    expect(codePoints(long)).toBeLessThanOrEqual(4_000)
  }
})
