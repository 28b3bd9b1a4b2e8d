/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { dayLabel, measuredTime } from '../../pages/times.ts'
import type { EndedDay, EndedDays } from '../read-ended-days.ts'
import {
  AnswerTimes,
  BOTTOM,
  columnOf,
  DayNames,
  LEFT,
  round,
  TOP,
  WIDTH,
} from './answer-times.tsx'

type Props = { ended: EndedDays }

/** How questions ended in the last 30 days, drawn and in words. */
export function EndedDaysPart({ ended }: Props) {
  return (
    <section class="part charts" id="ended-days">
      <h2>The last 30 days</h2>
      <p>{allOf(ended)}</p>
      <Drawn ended={ended} />
    </section>
  )
}

/** As `EndedDaysPart`, above a list: on a phone the drawings wait behind the sentence. */
export function EndedDaysFold({ ended, dayHref }: Props & DayLinks) {
  return (
    <details class="charts" id="ended-days">
      <summary>
        <Icon name="chevron" />
        <span>
          <b>The last 30 days.</b> {allOf(ended)}
        </span>
      </summary>
      <Drawn ended={ended} dayHref={dayHref} />
    </details>
  )
}

function allOf({ total, counting }: EndedDays): string {
  if (counting && sum(total) === 0) return 'Questions are being counted. Look again in a minute.'
  return sum(total) === 0 ? 'No question has ended.' : sentenceOf(total)
}

/** Leads to what happened on a day like `2026-11-23`. */
type DayLinks = { dayHref?: ((day: string) => string) | undefined }

function Drawn({ ended: { days, zone, counting }, dayHref }: Props & DayLinks) {
  const busy = days.filter((day) => sum(day) > 0)
  if (busy.length === 0) {
    return <p class="soft">How many there are a day, who answers and how fast appears here.</p>
  }
  return (
    <>
      <div class="chart-pair">
        <QuestionsADay days={days} />
        <AnswerTimes days={days} />
      </div>
      <details class="chart-list">
        <summary>
          <Icon name="chevron" />
          The numbers, day by day
        </summary>
        <ul>
          {busy.toReversed().map((day) => (
            <li>
              {dayHref ? (
                <a href={dayHref(day.day)}>{dayLabel(day.day)}</a>
              ) : (
                <b>{dayLabel(day.day)}</b>
              )}{' '}
              {sentenceOf(day)}
            </li>
          ))}
        </ul>
      </details>
      <p class="soft">
        Days in the time zone {zone}; a question counts on the day it ended. Without test traffic.
        Times are exact to 5 %.
        {counting && ' Some of the latest questions are still to be counted.'}
      </p>
    </>
  )
}

function sum({ byPerson, byRule, unanswered, withdrawn }: Omit<EndedDay, 'day'>): number {
  return byPerson + byRule + unanswered + withdrawn
}

/** `4 questions: 3 answered by people, 1 unanswered.`, with how long people took. */
export function sentenceOf(counts: Omit<EndedDay, 'day'>): string {
  const { byPerson, byRule, unanswered, withdrawn, median, p90 } = counts
  const number = sum(counts)
  const parts = [
    byPerson > 0 && `${byPerson} answered by people`,
    byRule > 0 && `${byRule} answered by rules and programs`,
    unanswered > 0 && `${unanswered} unanswered`,
    withdrawn > 0 && `${withdrawn} withdrawn by the agent`,
  ].filter(Boolean)
  const summary = `${number} ${number === 1 ? 'question' : 'questions'}: ${parts.join(', ')}.`
  if (median === undefined || p90 === undefined) return summary
  if (byPerson === 1) return `${summary} The answer took ${measuredTime(median)}.`
  return `${summary} People took ${measuredTime(median)} for half of their answers, at most ${measuredTime(p90)} for nine of ten.`
}

const KINDS = [
  ['byPerson', 'person', 'By people'],
  ['byRule', 'rule', 'By rules and programs'],
  ['unanswered', 'nobody', 'By nobody'],
  ['withdrawn', 'withdrawn', 'Withdrawn'],
] as const

function QuestionsADay({ days }: { days: EndedDay[] }) {
  const most = Math.max(1, ...days.map(sum))
  const height = (number: number) => round((number / most) * (BOTTOM - TOP))
  return (
    <figure class="chart">
      <figcaption>Questions a day</figcaption>
      <svg viewBox={`0 0 ${WIDTH} 124`} role="img" aria-label={`Questions a day, ${most} at most`}>
        <Hatch />
        <line class="axis" x1={LEFT} x2={WIDTH} y1={BOTTOM} y2={BOTTOM} />
        <line class="grid" x1={LEFT} x2={WIDTH} y1={TOP} y2={TOP} />
        <text x={LEFT - 4} y={TOP + 4} class="end">
          {most}
        </text>
        <text x={LEFT - 4} y={BOTTOM} class="end">
          0
        </text>
        {days.map((day, at) => {
          const { x, width } = columnOf(at, days.length)
          let y = BOTTOM
          return (
            sum(day) > 0 && (
              <g>
                <title>{`${dayLabel(day.day)}: ${sum(day)}`}</title>
                {KINDS.map(([kind, name]) => {
                  if (day[kind] === 0) return null
                  y = round(y - height(day[kind]))
                  const place = { x: x + 1, y, width: round(width - 2), height: height(day[kind]) }
                  return <rect class={name} {...fillOf(name)} {...place} />
                })}
              </g>
            )
          )
        })}
        <DayNames days={days} />
      </svg>
      <ul class="chart-key">
        {KINDS.map(([, name, words]) => (
          <li>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <rect class={name} {...fillOf(name)} x="1" y="1" width="10" height="10" />
            </svg>
            {words}
          </li>
        ))}
      </ul>
    </figure>
  )
}

function Hatch() {
  return (
    <defs>
      <pattern id="by-rule" width="4" height="4" patternUnits="userSpaceOnUse">
        <path class="hatch" d="M-1 1 1-1M0 4 4 0M3 5 5 3" />
      </pattern>
      <pattern id="withdrawn" width="4" height="4" patternUnits="userSpaceOnUse">
        <circle class="dots" cx="2" cy="2" r="0.9" />
      </pattern>
    </defs>
  )
}

function fillOf(name: string) {
  if (name === 'rule') return { fill: 'url(#by-rule)' }
  return name === 'withdrawn' ? { fill: 'url(#withdrawn)' } : {}
}
