import { expect } from 'bun:test'

/** What every page of HTML says, of both products, refusals too. */
function expectPageHeaders(headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("base-uri 'none'")
  expect(policy).toContain("form-action 'self'")
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toContain('camera=()')
}

/** What every answer says, whatever it is. */
export function expectSafeHeaders(headers: Headers): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
  expect(headers.get('content-security-policy')).toMatch(/(frame-ancestors|default-src) 'none'/)
  expect(headers.get('cross-origin-resource-policy')).toMatch(/^(same|cross)-origin$/)
  expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
  if (headers.get('content-type')?.startsWith('text/html')) expectPageHeaders(headers)
}
