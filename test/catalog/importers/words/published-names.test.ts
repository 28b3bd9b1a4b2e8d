import { expect, test } from 'bun:test'
import { repositoryLink } from '../../../../src/catalog/importers/npm/package-facts.ts'
import { asLink } from '../../../../src/catalog/importers/words/as-link.ts'
import { spdxOf } from '../../../../src/catalog/importers/words/spdx.ts'

test('a licence is an expression of SPDX, or a name that means one alone', () => {
  const licences: Array<[unknown, string | undefined]> = [
    ['MIT', 'MIT'],
    ['apache-2.0', 'Apache-2.0'],
    ['(MIT OR apache-2.0)', '(MIT OR Apache-2.0)'],
    ['mit and (bsd-3-clause or isc)', 'MIT AND (BSD-3-Clause OR ISC)'],
    ['GPL-2.0-only WITH Classpath-exception-2.0', 'GPL-2.0-only WITH Classpath-exception-2.0'],
    ['GPL-2.0+', 'GPL-2.0+'],
    ['LicenseRef-Acme', 'LicenseRef-Acme'],
    ['The MIT License (MIT)', 'MIT'],
    ['Apache License, Version 2.0', 'Apache-2.0'],
    ['Apache 2.0 License', 'Apache-2.0'],
    ['Creative Commons Attribution 3.0', 'CC-BY-3.0'],
  ]
  for (const [text, id] of licences) expect([text, spdxOf(text)]).toEqual([text, id])
})

test('a licence that could mean several is none', () => {
  const unclear = ['BSD', 'GPL', 'MIT AND', '((MIT)', 'MIT)', 'OR', 'MIT MIT', 'MIT WITH MIT', '']
  const odd = [
    'See license',
    'MIT for OAS 3.0',
    '('.repeat(190),
    'MIT OR '.repeat(90_000),
    7,
    null,
    {},
  ]
  for (const text of [...unclear, ...odd]) expect([text, spdxOf(text)]).toEqual([text, undefined])
})

const REPOSITORY = 'https://github.com/acme/mail'

test('a repository has one address, however a package writes it', () => {
  const forms: unknown[] = [
    ...['acme/mail', 'github:acme/mail', 'github:acme/mail#main', 'git@github.com:acme/mail.git'],
    ...['git+https://github.com/acme/mail.git', 'git://github.com/acme/mail.git#main'],
    ...['git+ssh://git@github.com/acme/mail.git', 'ssh://git@github.com/acme/mail'],
    ...['https://ada:secret@github.com/acme/mail', 'http://www.github.com/acme/mail/'],
    { type: 'git', url: 'git+https://github.com/acme/mail.git' },
  ]
  for (const form of forms) expect([form, repositoryLink(form)]).toEqual([form, REPOSITORY])
  expect(repositoryLink('gitlab:acme/mail')).toBe('https://gitlab.com/acme/mail')
  expect(repositoryLink('ssh://git@code.acme.io:2222/a/b.git')).toBe('https://code.acme.io/a/b')
})

test('what leads nowhere or inside is no repository', () => {
  const odd = [
    '../mail',
    './mail',
    'file:///etc/passwd',
    'http://localhost/a/b',
    'javascript:alert(1)',
  ]
  const none = [...odd, 'https://10.0.0.7/a/b', 'mail', '', 'https://', 7, null, {}, { url: [] }]
  for (const value of none) expect([value, repositoryLink(value)]).toEqual([value, undefined])
})

test('a link is one that the files allow, and public', () => {
  expect(asLink('https://ü.com/ä b|[1]')).toBe('https://xn--tda.com/%C3%A4%20b%7C%5B1%5D')
  expect(asLink(' https://acme.io/ ')).toBe('https://acme.io')
  const none = ['https://u:p@acme.io', 'https://127.0.0.1/a', 'https://[::1]/', 'http://a.local/x']
  for (const text of [...none, 'ftp://acme.io', 'acme.io', 'https://a.io/%zz', 7, undefined]) {
    expect([text, asLink(text)]).toEqual([text, undefined])
  }
})
