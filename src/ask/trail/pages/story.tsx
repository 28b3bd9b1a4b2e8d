/** @jsxImportSource preact */

import { splitName } from '../../pages/agent-name.tsx'
import { href } from '../../pages/paths.ts'
import { repositoryName } from '../../pages/repository-name.ts'
import { calendarDay, dayAfter, dayLabel, dayName } from '../../pages/times.ts'
import type { Moment } from '../../pages/visit.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { ActivityItem } from '../read-activity.ts'
import { ActivityRow } from './activity-row.tsx'

type StoryProps = {
  /** The newest first. */
  items: readonly ActivityItem[]
  who: ReadonlyMap<QuestionId, string>
  moment: Moment
  /** How the questions of a day like `2026-11-23` ended, in a sentence. */
  sumOf(day: string): string | undefined
}

/** What happened, by day, and on each day by agent and repository. */
export function Story({ items, who, moment, sumOf }: StoryProps) {
  const days = Map.groupBy(items, (item) => calendarDay(timeOf(item), moment.zone))
  return (
    <>
      {[...days].map(([day, ofDay]) => {
        const sum = sumOf(day)
        return (
          <section class="day">
            <h2>{dayName(ofDay[0] ? timeOf(ofDay[0]) : 0, moment.now, moment.zone)}</h2>
            {sum && <p class="soft">{sum}</p>}
            {[...Map.groupBy(ofDay, groupOf).values()].map((group) => (
              <>
                <GroupName items={group} />
                <ul class="rows">
                  {group.map((item) => (
                    <ActivityRow item={item} moment={moment} within="group" who={who} />
                  ))}
                </ul>
              </>
            ))}
          </section>
        )
      })}
    </>
  )
}

/** The same agent and repository have the same key. */
function groupOf(item: ActivityItem): string {
  const { agentName = '' } = item.kind === 'question' ? item.question : item.notification
  return agentName
}

function GroupName({ items }: { items: readonly ActivityItem[] }) {
  const [first] = items
  const name = first?.kind === 'question' ? first.question.agentName : first?.notification.agentName
  const [agent, project] = splitName(name)
  const keys = new Set(items.flatMap((it) => (it.kind === 'question' && it.question.repoKey) || []))
  return (
    <h3 class="story-of">
      <b>{project ? `${agent} · ${project}` : agent}</b>
      {[...keys].map((repoKey) => (
        <a href={href.repository(repoKey)}>{repositoryName(repoKey, name)}</a>
      ))}
    </h3>
  )
}

type LinksProps = { day: string; moment: Moment; to(day: string | undefined): string }

/** The day that is shown, and the ways to those beside it. */
export function DayLinks({ day, moment, to }: LinksProps) {
  const [before, after] = [dayAfter(day, -1), dayAfter(day)]
  const today = calendarDay(moment.now, moment.zone)
  return (
    <nav class="day-links" aria-label="Days">
      <a href={to(before)}>{dayLabel(before)}</a>
      <b aria-current="date">{day === today ? 'Today' : dayLabel(day)}</b>
      {after <= today && <a href={to(after)}>{after === today ? 'Today' : dayLabel(after)}</a>}
      <a href={to(undefined)}>All days</a>
    </nav>
  )
}

function timeOf(item: ActivityItem): number {
  return item.kind === 'question' ? item.question.createdAt : item.notification.createdAt
}
