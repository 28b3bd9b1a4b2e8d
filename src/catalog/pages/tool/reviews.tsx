/** @jsxImportSource preact */
import { cleanLine, cleanText } from '../../../platform/text.ts'
import { REVIEW_STATE_NAMES, type Review } from '../../records/review.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { Day, SheetSection } from '../parts/section.tsx'
import { plural } from '../words.ts'

/** What people and desks wrote; nothing when nobody did. */
export function Reviews({ tool: { reviews, catalog } }: { tool: ToolDetail }) {
  if (reviews.length === 0) return null
  return (
    <SheetSection id="reviews" title={plural(reviews.length, 'review')}>
      {catalog.avgRating !== null && (
        <p class="soft">{catalog.avgRating.toFixed(1)} of 5 on average</p>
      )}
      {reviews.map((review) => (
        <One review={review} />
      ))}
    </SheetSection>
  )
}

function One({ review }: { review: Review }) {
  const { kind, date, rating, title, body, pros, cons, source, basis, outcome, signature } = review
  return (
    <article class="review" dir="auto">
      <h3>{cleanLine(title)}</h3>
      <p class="soft">
        <b class="number">{rating} of 5</b> · {kind === 'usage' ? 'from use' : 'from the desk'} ·{' '}
        <Day day={date} /> · <bdi>{cleanLine(source)}</bdi>
        {signature && ` · ${REVIEW_STATE_NAMES.get(signature.status) ?? 'signed'}`}
      </p>
      <p>{cleanText(body)}</p>
      <Points name="For" items={pros} />
      <Points name="Against" items={cons} />
      {(basis || outcome) && (
        <p class="soft">
          {basis && `Rests on: ${cleanLine(basis)}. `}
          {outcome && `Outcome: ${cleanLine(outcome)}.`}
        </p>
      )}
    </article>
  )
}

function Points({ name, items }: { name: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <p>
      <b>{name}:</b> {items.map(cleanLine).join('; ')}
    </p>
  )
}
