import { expect, test } from 'bun:test'
import { loggedPath } from '../../../src/platform/http/server.ts'
import { newId } from '../../../src/platform/ids.ts'

test('the log keeps the words and ids of a path, and nothing that could open something', () => {
  const id = newId('q', 1_795_287_277_094)
  expect(loggedPath(`/api/v1/questions/${id}/answer`)).toBe(`/api/v1/questions/${id}/answer`)
  expect(loggedPath('/api/v1/scopes/abc123')).toBe('/api/v1/scopes/…')
  expect(loggedPath('/v0.1/servers/x%2Fy/versions')).toBe('/v0.1/servers/…/versions')
  expect(loggedPath('/readyz/mirror')).toBe('/readyz/mirror')
  expect(loggedPath('/changes.feed.json')).toBe('/…')
  for (const secret of ['bk_0123456789', '9mm6fgr5y52y3b9zkcd2nxgk0m', 'a%20b', 'x'.repeat(25)]) {
    expect(loggedPath(`/pair/${secret}`)).toBe('/pair/…')
  }
  expect(loggedPath('/')).toBe('/')
})
