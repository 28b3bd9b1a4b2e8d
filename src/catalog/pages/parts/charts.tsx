/** @jsxImportSource preact */

const WIDTH = 300
const HEIGHT = 48
const EDGE = 4

type Point = { at: string; value: number | null; words: string }

/**
 * Values as steps, each until the next one and the last until `until`, with its words on hover. A gap
 * where a value is not known; nothing for a single one.
 */
export function StepChart(props: { points: readonly Point[]; until: string; most: number }) {
  const { points, until, most } = props
  if (points.length < 2) return null
  const from = Date.parse(points[0]?.at ?? '')
  const to = Math.max(Date.parse(until), Date.parse(points.at(-1)?.at ?? ''))
  const x = (at: string) =>
    round(EDGE + ((WIDTH - 2 * EDGE) * (Date.parse(at) - from)) / Math.max(1, to - from))
  return (
    <svg
      class="steps-line hover"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {points.map(({ at, value, words }, i) => {
        const [left, right] = [x(at), x(points[i + 1]?.at ?? until)]
        const y = round(HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value ?? 0)) / most)
        return (
          <g>
            <title>{words}</title>
            <rect x={left} y="0" width={Math.max(1, round(right - left))} height={HEIGHT} />
            {value !== null && <path d={`M${left} ${y}H${Math.max(right, left + 1)}`} />}
          </g>
        )
      })}
    </svg>
  )
}

const STEP = 12

/** Shares from 0 to 1 as bars, oldest on the left, each with its words on hover. */
export function BarChart({ bars }: { bars: ReadonlyArray<{ share: number; words: string }> }) {
  if (bars.length < 2) return null
  return (
    <svg
      class="strip hover"
      viewBox={`0 0 ${bars.length * STEP - 2} 28`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map(({ share, words }, i) => {
        const height = Math.max(4, Math.round(28 * share))
        return (
          <g>
            <title>{words}</title>
            <rect
              class={stateOf(share)}
              x={i * STEP}
              y={28 - height}
              width={STEP - 2}
              height={height}
            />
          </g>
        )
      })}
    </svg>
  )
}

function stateOf(share: number): string {
  if (share >= 0.999) return 'up'
  return share >= 0.9 ? 'part' : 'down'
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
