import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RELEASE } from '../../../src/platform/release.ts'
import {
  readPublicKey,
  readSecretKey,
  signatureOf,
  verifiedComment,
} from '../../../src/platform/signing/minisign.ts'
import { releaseKey } from '../../support/release-key.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const MINISIGN = Bun.which('minisign')
const CONTENT = Buffer.from('0123  beckon-1.2.3-linux-x64.tar.gz\n')
const COMMENT = 'beckon 1.2.3'

function keyOf(text: string) {
  const key = readPublicKey(text)
  if (!key) throw new Error(`no key: ${text}`)
  return key
}

test('a build for development knows its version and no release', () => {
  expect(RELEASE).toEqual({ version: expect.any(String), publicKey: '', target: '', url: '' })
})

test('a signature holds for its content and its comment, and the key it was made with', () => {
  const { secret, publicKey } = releaseKey()
  const key = readSecretKey(secret)
  expect(key.publicKey).toBe(publicKey)
  const signature = signatureOf(CONTENT, key, COMMENT)
  expect(signatureOf(CONTENT, key, COMMENT)).toBe(signature)
  const own = keyOf(publicKey)
  expect(verifiedComment(CONTENT, signature, own)).toBe(COMMENT)
  expect(verifiedComment(CONTENT, signature.replaceAll('\n', '\r\n'), own)).toBe(COMMENT)
  expect(verifiedComment(CONTENT, signature, keyOf(releaseKey().publicKey))).toBeUndefined()
  expect(verifiedComment(Buffer.from('other'), signature, own)).toBeUndefined()
  const renamed = signature.replace(COMMENT, 'beckon 1.2.4')
  expect(verifiedComment(CONTENT, renamed, own)).toBeUndefined()
})

test('a signature with any byte changed, cut or empty holds for nothing', () => {
  const { secret, publicKey } = releaseKey()
  const signature = signatureOf(CONTENT, readSecretKey(secret), COMMENT)
  const own = keyOf(publicKey)
  const [first = '', ...lines] = signature.split('\n')
  const from = first.length + 1
  expect(lines).toHaveLength(4)
  for (let at = from; at < signature.length - 1; at++) {
    const other = signature[at] === 'A' ? 'B' : 'A'
    const changed = signature.slice(0, at) + other + signature.slice(at + 1)
    expect([at, verifiedComment(CONTENT, changed, own)]).toEqual([at, undefined])
  }
  for (let end = 0; end < signature.length - 1; end += 7) {
    expect(verifiedComment(CONTENT, signature.slice(0, end), own)).toBeUndefined()
  }
})

test('what is no key is no key', () => {
  for (const text of ['', 'RWQ', 'x'.repeat(56), `${releaseKey().publicKey}AAAA`]) {
    expect(readPublicKey(text)).toBeUndefined()
  }
  expect(() => readSecretKey('secret')).toThrow('not a secret key')
  const { secret } = releaseKey()
  const [comment, line = ''] = secret.split('\n')
  const bytes = Buffer.from(line, 'base64')
  bytes.write('Sc', 2)
  expect(() => readSecretKey(`${comment}\n${bytes.toString('base64')}\n`)).toThrow('password')
})

test.skipIf(!MINISIGN)('minisign and we verify what the other has signed', async () => {
  using folder = tempFolder()
  const at = (name: string) => join(folder.path, name)
  const read = (name: string) => Bun.file(at(name)).text()
  const run = (...args: string[]) =>
    Bun.spawnSync([String(MINISIGN), ...args], { cwd: folder.path, stdin: 'ignore' })
  expect(run('-G', '-W', '-p', 'key.pub', '-s', 'key').exitCode).toBe(0)
  const key = readSecretKey(await read('key'))
  expect(await read('key.pub')).toContain(key.publicKey)
  writeFileSync(at('SUMS'), CONTENT)
  writeFileSync(at('SUMS.minisig'), signatureOf(CONTENT, key, COMMENT))
  const verified = run('-V', '-p', 'key.pub', '-m', 'SUMS')
  expect([verified.exitCode, verified.stdout.toString()]).toEqual([
    0,
    expect.stringContaining(COMMENT),
  ])
  expect(run('-S', '-s', 'key', '-t', 'from minisign', '-m', 'SUMS').exitCode).toBe(0)
  const theirs = keyOf(await read('key.pub'))
  expect(verifiedComment(CONTENT, await read('SUMS.minisig'), theirs)).toBe('from minisign')
})
