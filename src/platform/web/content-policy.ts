/** For every page of both products: nothing but our own files runs or is shown, whatever stands in it. */
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

// What no page of ours needs; a script that got in all the same could not ask for it either.
const NEVER_ASKED = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'serial', 'usb'],
]

/** What every page says of itself: nothing foreign runs in it, opens it, or asks for devices. */
export const PAGE_POLICY = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': NEVER_ASKED.map((name) => `${name}=()`).join(', '),
} as const
