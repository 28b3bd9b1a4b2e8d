/** For every page of both products: only our own files run or are shown, whatever the page contains. */
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

// Features that our pages do not need; an injected script could not use them either.
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
