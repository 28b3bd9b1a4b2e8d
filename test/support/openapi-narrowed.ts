import type { Fact, Facts } from './openapi-facts.ts'

/** What breaks callers who were written for `before`, in sentences; nothing that was only added. */
export function narrowed(before: Facts, after: Facts): string[] {
  return Object.entries(before).flatMap(([operation, old]) => {
    const now = after[operation]
    if (!now) return [`${operation} is gone`]
    const changes = Object.entries(old).flatMap(([at, fact]) => {
      const later = now[at]
      if (!later) return [`${at} is gone`]
      return (at.startsWith('in ') ? inputNarrowed : outputNarrowed)(fact, later).map(
        (what) => `${at} ${what}`,
      )
    })
    return [...changes, ...newlyRequired(old, now)].map((what) => `${operation}: ${what}`)
  })
}

function inputNarrowed(old: Fact, now: Fact): string[] {
  const changes: string[] = []
  if (!accepts(now.types, old.types)) changes.push(`accepts ${now.types}, no longer ${old.types}`)
  if (now.required && !old.required) changes.push('became required')
  const refused =
    now.enum && (old.enum?.filter((value) => !now.enum?.includes(value)) ?? ['others'])
  if (refused?.length) changes.push(`no longer accepts ${refused.join(', ')}`)
  for (const [name, limit] of Object.entries(now.limits ?? {})) {
    if (isNarrower(name, old.limits?.[name], limit)) changes.push(`has ${name} ${limit}`)
  }
  return changes
}

function outputNarrowed(old: Fact, now: Fact): string[] {
  const changes: string[] = []
  if (!accepts(old.types, now.types)) changes.push(`is ${now.types}, no longer ${old.types}`)
  if (old.required && !now.required) changes.push('may be missing')
  return changes
}

/** Whether everything of the types `given` is of the types `wanted`. */
function accepts(wanted: string, offered: string): boolean {
  const accepted = wanted.split('|')
  if (accepted.includes('any')) return true
  return offered
    .split('|')
    .every((type) => accepted.includes(type) || (type === 'integer' && accepted.includes('number')))
}

function isNarrower(name: string, old: string | number | undefined, now: string | number): boolean {
  if (old === undefined) return !/^min(Length|Items|imum)$/.test(name) || Number(now) > 0
  if (name.startsWith('max')) return Number(now) < Number(old)
  if (name.startsWith('min')) return Number(now) > Number(old)
  return now !== old
}

/** New fields that must be sent, in an object that callers send already. */
function newlyRequired(old: Record<string, Fact>, now: Record<string, Fact>): string[] {
  return Object.entries(now)
    .filter(([at, { required }]) => required && at.startsWith('in ') && !old[at])
    .filter(([at]) => /^in \w+:\w+$/.test(at) || old[at.slice(0, at.lastIndexOf('.'))])
    .map(([at]) => `${at} is new and required`)
}
