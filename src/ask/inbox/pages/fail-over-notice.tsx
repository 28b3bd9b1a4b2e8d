/** @jsxImportSource preact */

import type { Read } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { listPeople } from '../../accounts/model/person-store.ts'
import { type Failover, findFailover } from '../../fail-over/model/store.ts'
import { AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { Question } from '../../questions/model/question.ts'

/** The people who were told because nobody answered, and when, by name. */
export type FailOverNotice = { waitedMs: number; people: Array<{ name: string; at: number }> }

export async function readFailOverNotice(
  read: Read,
  { workspaceId, id, createdAt, requirement }: Question,
): Promise<FailOverNotice | undefined> {
  // Those who decide are listed with who is told.
  if (requirement) return undefined
  const failover = await findFailover(read, workspaceId, id)
  const [first] = failover?.told ?? []
  if (!failover || !first) return undefined
  return { waitedMs: first.at - createdAt, people: await withNames(read, failover) }
}

async function withNames(read: Read, { workspaceId, told: notified }: Failover) {
  const people = await listPeople(read, workspaceId)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return notified.map(({ personId, at }) => ({ name: names.get(personId) ?? 'Somebody', at }))
}

/** "Nobody answered for 2 minutes; Ada was told at 14:02." */
export function FailOverLine({ told: failover, moment }: { told: FailOverNotice; moment: Moment }) {
  return (
    <p class="notice">
      <Icon name="clock" />
      <span>
        Nobody answered for {waited(failover.waitedMs)};{' '}
        {failover.people.map(({ name, at }, i) => (
          <>
            {i > 0 && ', '}
            {name} was told at <AtClock at={at} moment={moment} />
          </>
        ))}
        .
      </span>
    </p>
  )
}

function waited(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 100) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.round(seconds / 60)
  return `${minutes} minutes`
}
