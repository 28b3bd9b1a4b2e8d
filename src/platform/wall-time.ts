const formats = new Map<string, Intl.DateTimeFormat>()

/** `14:02` in the local time of a zone; UTC is named. */
export function wallTime(at: number, zone: string): string {
  const existing = formats.get(zone)
  const format =
    existing ??
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone })
  if (!existing) formats.set(zone, format)
  const text = format.format(at)
  return zone === 'UTC' ? `${text} UTC` : text
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
