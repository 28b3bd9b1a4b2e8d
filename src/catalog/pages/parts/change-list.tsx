/** @jsxImportSource preact */
import { cleanLine, cleanText } from '../../../platform/text.ts'
import { pageHref } from '../../page-paths.ts'
import { type ChangeItem, lastDayOf } from '../../records/change.ts'
import { dateWords } from '../../records/date-words.ts'
import { dayWords, distance, wordFor } from '../words.ts'
import { SourceLink } from './section.tsx'

type Props = { items: readonly ChangeItem[]; today: string; withName?: boolean }

/** Changes on a timeline, in the given order. */
export function ChangeList({ items, today, withName = true }: Props) {
  return (
    <ol class="changes">
      {items.map((item) => (
        <Change item={item} today={today} withName={withName} />
      ))}
    </ol>
  )
}

function Change({ item, today, withName }: { item: ChangeItem; today: string; withName: boolean }) {
  const { kind, date, datePrecision, announced, replacement } = item
  return (
    <li class="change" id={`change-${item.id}`}>
      <p class="change-when">
        <time dateTime={date}>{dateWords(date, datePrecision)}</time>
        <span>{distanceOf(item, today)}</span>
      </p>
      <div class="change-what">
        <p>
          <span class={`kind k-${kindClass(kind)}`}>{wordFor(kind)}</span>{' '}
          {withName && (
            <a href={pageHref.tool(item.tool)} data-move>
              <bdi>{cleanLine(item.name) || item.tool}</bdi>
            </a>
          )}
        </p>
        <p dir="auto">{cleanText(item.what)}</p>
        <p class="soft">
          <SourceLink to={item.source} />
          {announced && ` · announced ${dayWords(announced)}`}
          {replacement && (
            <>
              {' · use instead: '}
              <bdi>{cleanLine(replacement)}</bdi>
            </>
          )}
        </p>
      </div>
    </li>
  )
}

/** A month, quarter or year that has begun is neither past nor to come. */
function distanceOf({ date, datePrecision }: ChangeItem, today: string): string {
  const isRunning = date <= today && today < lastDayOf(date, datePrecision)
  return isRunning ? `this ${datePrecision}` : distance(today, date)
}

/** Only letters, because the word becomes a class name. */
function kindClass(kind: string): string {
  return kind.replace(/[^a-z]/g, '')
}

/** Marks today on the timeline. */
export function TodayMark({ today }: { today: string }) {
  return (
    <p class="today">
      <b>Today</b> <time dateTime={today}>{dayWords(today)}</time>
    </p>
  )
}
