/**
 * For every page of both products: only our own files are run or shown, whatever the page contains.
 */
const CONTENT_SECURITY_POLICY = [
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

// Browser features that our pages do not use, so that an injected script cannot use them either.
const NEVER_ASKED = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'serial', 'usb'],
]

/** The policy of every page: nothing foreign runs in it, embeds it, or asks for devices. */
export const PAGE_POLICY = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': NEVER_ASKED.map((name) => `${name}=()`).join(', '),
} as const
