/** For every page of both products: nothing but our own files runs or is shown, whatever stands in it. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "manifest-src 'self'",
  "worker-src 'self'",
].join('; ')
