/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'
import { upWord } from '../../facts/answers/fact.ts'
import type { CatalogBlock } from '../../records/grading.ts'
import type { Live } from '../../records/live.ts'
import { whyNotKnown } from '../../records/not-known.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { takesX402, type X402 } from '../../records/x402.ts'

/** Shown if calls can be paid one by one; nothing otherwise. */
export function X402Mark({ x402 }: { x402: X402 | undefined }) {
  if (!takesX402(x402)) return null
  return (
    <span class={`mark402 ${x402.level}`}>{x402.level === 'yes' ? 'x402' : 'x402 in part'}</span>
  )
}

/** That a tool can no longer be used; `words` as `endedWords` says it. */
export function EndedMark({ words }: { words: string }) {
  return (
    <b class="ended-mark" dir="auto">
      <Icon name="warning" />
      {words}
    </b>
  )
}

export type LiveState = { state: 'up' | 'down' | 'shaky' | 'unknown'; words: string }

// Below this the strip has visible gaps.
const STEADY_PERCENT = 99

/** The last measurements in a word or two. */
function liveState({ probe }: Live, why: string | undefined): LiveState {
  const up = upWord(probe)
  if (!probe || up === 'unknown') {
    return { state: 'unknown', words: `Not known: ${why ?? 'not measured yet'}` }
  }
  if (up === 'no') return { state: 'down', words: 'Down' }
  const uptime = probe.uptime30d
  if (uptime !== null && uptime < STEADY_PERCENT) {
    return { state: 'shaky', words: `Up, ${percent(uptime)} in 30 days` }
  }
  return { state: 'up', words: uptime === null ? 'Up' : `Up, ${percent(uptime)}` }
}

/** A dot whose shape says as much as its colour, with words next to it. */
export function LiveDot({ tool }: { tool: Pick<ToolDetail, 'live' | 'notKnown'> }) {
  const { state, words } = liveState(tool.live, whyNotKnown(tool, 'up'))
  return (
    <span class={`live-dot ${state}`}>
      <i />
      <span>{words}</span>
    </span>
  )
}

/** `99.95 %`; 100 only if it was. */
export function percent(value: number): string {
  if (value >= 100) return '100 %'
  return `${(Math.floor(value * 100) / 100).toString()} %`
}

/** @jsxImportSource preact */
/** Shown on every page while the data is not meant to be used yet. */
export function PreviewNote() {
  return (
    <p class="preview">
      <b>Preview.</b> These records are still being gathered and checked. Look around, and do not
      rely on them yet.
    </p>
  )
}

/** The letter in a square, whose lightness shows the rank. An empty square without a grade. */
export function Grade(props: { grade: string | null; large?: boolean }) {
  const { grade, large } = props
  const size = large ? ' large' : ''
  if (!grade) {
    return (
      <span class={`grade none${size}`}>
        <span class="unseen">Not graded yet</span>
      </span>
    )
  }
  return (
    <span class={`grade g-${grade.toLowerCase()}${size}`}>
      <span class="unseen">Grade </span>
      {grade}
    </span>
  )
}

/** The grade of the block; none while it is not graded. */
export function gradeOf({ graded, grade }: Pick<CatalogBlock, 'graded' | 'grade'>) {
  return graded ? grade : null
}
