/** @jsxImportSource preact */

import type { Moment } from '../../pages/visit.ts'
import { recentAtNow, type TokenLimits } from '../token-limits.ts'
import type { TokenUsage } from '../usage-store.ts'

type Props = { usage: TokenUsage; limits: TokenLimits; moment: Moment }

// From here on it is worth a look before calls are refused.
const NEAR = 0.8

/** What a token has of what it may have; what is nearly used up stands out. */
export function TokenUse({ usage, limits, moment }: Props) {
  const { openQuestions, keptBytes } = usage
  const recent = recentAtNow(usage, limits, moment.now)
  return (
    <ul class="token-use">
      <Used of={openQuestions} most={limits.openQuestions} unit="open questions" />
      <Used of={inMegabytes(recent)} most={inMegabytes(limits.bytesAnHour)} unit="MB this hour" />
      <Used of={inMegabytes(keptBytes)} most={inMegabytes(limits.keptBytes)} unit="MB kept" />
    </ul>
  )
}

function Used({ of, most, unit }: { of: number; most: number; unit: string }) {
  const isNear = of >= most * NEAR
  return (
    <li class={isNear ? 'near' : undefined}>
      <b>{shown(of)}</b> of {shown(most)} {unit}
      {isNear && ' – nearly all'}
    </li>
  )
}

function inMegabytes(bytes: number): number {
  return bytes / 1_000_000
}

/** Whole numbers as they are, and what is a little as a little. */
function shown(number: number): string {
  if (Number.isInteger(number) || number >= 10) return Math.round(number).toLocaleString('en')
  return number < 0.1 ? 'under 0.1' : number.toFixed(1)
}
