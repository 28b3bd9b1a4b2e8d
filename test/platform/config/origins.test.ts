import { expect, test } from 'bun:test'
import { isOwnOrigin } from '../../../src/platform/config/origins.ts'

const PUBLIC = 'https://beckon.example.com'
const LOCAL = 'http://localhost:8484'

const TABLE: Array<[origin: string, baseUrl: string, host: string | null, own: boolean]> = [
  [PUBLIC, PUBLIC, 'beckon.example.com', true],
  [PUBLIC, PUBLIC, '127.0.0.1:8484', true],
  ['http://beckon.example.com', PUBLIC, 'beckon.example.com', false],
  ['https://beckon.example.com.evil.example', PUBLIC, 'beckon.example.com', false],
  ['http://localhost:8484', PUBLIC, 'localhost:8484', false],
  ['null', PUBLIC, 'beckon.example.com', false],
  ['', PUBLIC, 'beckon.example.com', false],
  [LOCAL, LOCAL, 'localhost:8484', true],
  ['http://127.0.0.1:8484', LOCAL, '127.0.0.1:8484', true],
  ['http://127.0.0.1:3000', LOCAL, '127.0.0.1:8484', false],
  ['http://evil.example:8484', LOCAL, 'evil.example:8484', false],
  ['http://localhost.evil.example:8484', LOCAL, 'localhost.evil.example:8484', false],
]

for (const [origin, baseUrl, host, own] of TABLE) {
  test(`origin "${origin}" sent to ${host} is ${own ? 'our own' : 'foreign'} at ${baseUrl}`, () => {
    expect(isOwnOrigin(origin, baseUrl, host)).toBe(own)
  })
}
