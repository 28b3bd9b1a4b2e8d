import type { SubscriberKind } from './subscriber.ts'

const BROWSERS: ReadonlyArray<[RegExp, string]> = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: ReadonlyArray<[RegExp, string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bWindows\b/, 'Windows'],
  [/\bLinux\b/, 'Linux'],
]

/** A name for a device that was not given one: "Firefox on Linux". */
export function labelOf(kind: SubscriberKind, userAgent: string | undefined): string {
  const named = (table: typeof BROWSERS) => table.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const system = named(SYSTEMS)
  const browser = named(BROWSERS)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? (kind === 'phone' ? 'Phone' : 'Browser')
}
