/** @jsxImportSource preact */
import { SafeText } from '../../pages/marked.tsx'
import type { Question } from '../../questions/model/question.ts'
import { watchedSentence } from '../../votes/model/watched.ts'

// More would push what matters out of sight.
const RULES_MAX = 3

/** What rules that only watch would have asked for, in a quiet line each. */
export function WatchedBy({ question, open }: { question: Question; open: boolean }) {
  const { watched = [] } = question
  if (watched.length === 0) return null
  const more = watched.length - RULES_MAX
  return (
    <div class="watched soft">
      {watched.slice(0, RULES_MAX).map((one) => (
        <p>
          <SafeText text={watchedSentence(one, open)} />
        </p>
      ))}
      {more > 0 && <p>{more === 1 ? 'One more rule' : `${more} more rules`} only watched.</p>}
    </div>
  )
}
