import { afterEach, beforeEach, expect, test } from 'bun:test'
import { llmsTxtProbe } from '../../../src/catalog/facts/llms-txt.ts'
import {
  endless,
  HOSTILE,
  localOutside,
  type PlayedSite,
  playedSite,
  towards,
} from './played-site.ts'
import { aSubject, basesAt, NOW, visibleFacts } from './subjects.ts'

let site: PlayedSite
const outside = localOutside()
const PATH = '/llms.txt'

beforeEach(async () => {
  site = await playedSite()
})
afterEach(async () => {
  await site[Symbol.asyncDispose]()
})

async function status(tool = {}, through = outside) {
  const facts = visibleFacts(
    await llmsTxtProbe(basesAt(site.base)).run(through, aSubject(tool), NOW),
  )
  return (facts.llmsTxt as { status: string } | undefined)?.status
}

test('text at the address is found, also a long one, and where the record says', async () => {
  site.text(PATH, '# Acme\n\n> Mail.\n', 'text/plain; charset=utf-8')
  expect(await status()).toBe('found')
  site.text(PATH, `# Acme\n${'- [x](https://acme.example)\n'.repeat(50_000)}`, 'text/markdown')
  expect(await status()).toBe('found')
  site.on(PATH, () => endless('text/plain', '# Acme '.repeat(2_000)))
  expect(await status()).toBe('found')
  site.text('/docs/llms.txt', '[Acme](https://acme.example)', 'text/plain')
  expect(await status({ llmsTxt: `${site.base}/docs/llms.txt` })).toBe('found')
})

test('no file, an empty one, a page or JSON are none, whatever they are called', async () => {
  expect(await status()).toBe('none')
  for (const text of [
    '',
    ' \n',
    '<!DOCTYPE html><h1>Acme',
    '<html>',
    '\ufeff<html>',
    '{"a":1}',
    'a\0b',
  ]) {
    site.text(PATH, text, 'text/plain')
    expect(await status()).toBe('none')
  }
  site.text(PATH, '# Acme', 'text/html')
  expect(await status()).toBe('none')
})

for (const name of ['an answer that never comes', 'a failure', 'a request for patience'] as const) {
  test(`${name} says nothing`, async () => {
    site.on(PATH, HOSTILE[name] as never)
    expect(await status({}, towards(name))).toBeUndefined()
  })
}
