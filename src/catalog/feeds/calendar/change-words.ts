import { createHash } from 'node:crypto'
import { CHANGE_KIND_NAMES, type ChangeItem } from '../../records/change.ts'

// Any fixed one: names of version 5 need a space of their own (RFC 9562, 5.5).
const NAMESPACE = '9f0c2f5e7f0e4c57b6a1c2d8f0a4be11'

/** A name that never changes for a change, made of its id alone (design: Feeds): UUID version 5. */
export function changeUuid(id: string): string {
  const hash = createHash('sha1').update(Buffer.from(NAMESPACE, 'hex')).update(id).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = hash.toString('hex', 0, 16)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}

/** `Shutdown: Example API`, and `Withdrawn: …` for what no longer stands. */
export function changeTitle(change: ChangeItem): string {
  const { kind: own } = change.withdrawn ?? change
  const kind = CHANGE_KIND_NAMES.get(own) ?? own
  const title = `${kind}: ${change.name}`
  return change.status === 'withdrawn' ? `Withdrawn: ${title}` : title
}

/** What changes, when, and what to use instead: plain text in a few lines. */
export function changeText(change: ChangeItem): string {
  const exact = change.datePrecision === 'day' ? '' : `, exact to the ${change.datePrecision}`
  return [
    change.what,
    `Date: ${change.date}${exact}`,
    ...(change.replacement ? [`Instead: ${change.replacement}`] : []),
    `Source: ${change.source}`,
  ].join('\n')
}

/** Days as instants are their start in UTC. */
export function startOfDay(day: string): string {
  return `${day}T00:00:00Z`
}
