/** @jsxImportSource preact */
import { DAYS_SHOWN, type LiveProbe } from '../../facts/answers/fact.ts'
import type { FactModule, HtmlKit } from '../../facts/fact.ts'
import { FACTS } from '../../facts/facts.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import type { Live as Measured } from '../../records/live.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { LiveDot, percent } from '../parts/marks.tsx'
import { Day, ExternalLink, FactRow, hostOf, SheetSection } from '../parts/section.tsx'
import { SpeedLine, UptimeStrip } from '../parts/uptime-strip.tsx'
import { number, plural, wordFor } from '../words.ts'

const KIT: HtmlKit = { Fact: FactRow, Out: ExternalLink, Day, number, wordFor }

type Props = { snapshot: CatalogSnapshot; tool: ToolDetail; facts?: readonly FactModule[] }

/** What was measured, or that nothing was: the rows of every fact, in their order. */
export function LiveSection({ snapshot, tool, facts = FACTS }: Props) {
  const { live } = tool
  const { probe } = live
  return (
    <SheetSection id="live" title="Measured">
      {probe ? (
        <Probe probe={probe} live={live} today={snapshot.today} />
      ) : (
        <p class="soft">
          Not measured yet. Uptime of {DAYS_SHOWN} days and answer times will stand here once this
          server measures {tool.remoteUrl ? <code>{hostOf(tool.remoteUrl)}</code> : 'the tool'}.
        </p>
      )}
      <dl class="facts">{facts.map((fact) => fact.html?.(live, KIT))}</dl>
    </SheetSection>
  )
}

function Probe({ probe, live, today }: { probe: LiveProbe; live: Measured; today: string }) {
  const { uptime24h, uptime30d, p50ms24h, p95ms24h, samples24h, samples30d } = probe
  return (
    <>
      <p class="measured">
        <LiveDot live={live} />
        <span class="soft">
          {probe.lastStatus !== null && `last answer ${probe.lastStatus}`}
          {probe.lastMs !== null && ` in ${number(probe.lastMs)} ms`}
          {probe.authRequired && ', asks for credentials'}
        </span>
      </p>
      <figure>
        <UptimeStrip days={probe.days} today={today} />
        <figcaption>
          Uptime of {DAYS_SHOWN} days, today on the right.{' '}
          {uptime30d !== null && (
            <>
              <b class="number">{percent(uptime30d)}</b> in 30 days ({plural(samples30d, 'probe')})
            </>
          )}
          {uptime24h !== null && `, ${percent(uptime24h)} in 24 hours`}.
        </figcaption>
      </figure>
      {p50ms24h !== null && p95ms24h !== null && (
        <figure>
          <SpeedLine p50={p50ms24h} p95={p95ms24h} />
          <figcaption>
            Half of the answers within <b class="number">{number(p50ms24h)} ms</b>, 95 of 100 within{' '}
            <b class="number">{number(p95ms24h)} ms</b> ({plural(samples24h, 'probe')} in 24 hours).
          </figcaption>
        </figure>
      )}
    </>
  )
}
