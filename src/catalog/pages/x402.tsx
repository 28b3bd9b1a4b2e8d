/** @jsxImportSource preact */
import { cleanText } from '../../platform/text.ts'
import { EmptyBox } from '../../platform/web/page-parts.tsx'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { formerlyPaidTools, paidTools } from '../feeds/listing.ts'
import { pageHref, pagePaths } from '../page-paths.ts'
import type { ToolDetail } from '../records/tool.ts'
import type { PaidEndpoint, X402 } from '../records/x402.ts'
import { endedWords } from './ended.ts'
import { CatalogLayout } from './layout.tsx'
import { CallPrice, PriceMismatch } from './parts/call-price.tsx'
import { EndedMark, Grade, gradeOf, PreviewNote, X402Mark } from './parts/marks.tsx'
import { pageText } from './render.ts'
import { number, plural, toolName, usdPrice } from './words.ts'

/** Tools that can be paid per call without an account, with prices. */
export function x402Page(snapshot: CatalogSnapshot): string {
  const tools = paidTools(snapshot)
  const prices = tools.flatMap(({ x402 }) =>
    x402.endpoints.flatMap(({ priceUsd }) => priceUsd ?? []),
  )
  const most = Math.max(...prices, 0)
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title="Pay per call"
      description={`${plural(tools.length, 'tool')} that take a stablecoin payment per call under the x402 protocol, with their prices.`}
      canonical={pagePaths.x402}
      section="x402"
      alternates={[
        { type: 'application/json', href: '/api/v1/x402.json', title: 'These prices as JSON' },
      ]}
    >
      <div class="page-head">
        <h1>Pay per call</h1>
        <p class="sub">
          Tools that an agent can pay one call at a time, in stablecoins under the x402 protocol,
          without an account. The bars compare the prices of a call.
        </p>
        {snapshot.settings.preview && <PreviewNote />}
      </div>
      {tools.length === 0 ? (
        <EmptyBox icon="folder" title="No tool takes x402 yet">
          <p>
            Tools that can be paid per call will appear here, with each paid address and its price.
          </p>
        </EmptyBox>
      ) : (
        <ol class={tools.some(({ tool }) => tool.graded) ? 'paid' : 'paid no-grades'}>
          {tools.map(({ tool, x402 }) => (
            <Paid tool={tool} x402={x402} most={most} />
          ))}
        </ol>
      )}
      <PaidBefore snapshot={snapshot} />
      <p class="subscribe">
        <a href="/api/v1/x402.json">These prices as JSON</a>
        <a href="/discovery/resources">In the shape of the x402 discovery API</a>
      </p>
    </CatalogLayout>,
  )
}

// Further ones are in the directory.
const ENDED_SHOWN = 20

/** Tools that took payments and ended, so that nobody looks for their price: without any address. */
function PaidBefore({ snapshot }: { snapshot: CatalogSnapshot }) {
  const tools = formerlyPaidTools(snapshot).slice(0, ENDED_SHOWN)
  if (tools.length === 0) return null
  return (
    <section class="part" id="ended">
      <h2>No longer payable</h2>
      <ul class="ended-list">
        {tools.map((tool) => (
          <li>
            <a href={`${pageHref.tool(tool.slug)}#prices`}>
              <bdi>{toolName(tool)}</bdi>
            </a>
            <EndedMark words={endedWords(snapshot, tool) ?? ''} />
          </li>
        ))}
      </ul>
    </section>
  )
}

// Further prices of a tool are on its own page.
const ENDPOINTS = 5

function Paid({ tool, x402, most }: { tool: ToolDetail; x402: X402; most: number }) {
  const visible = x402.endpoints.slice(0, ENDPOINTS)
  const rest = x402.endpoints.length - visible.length
  return (
    <li>
      <Grade grade={gradeOf(tool.catalog)} />
      <div>
        <h2>
          <a href={`${pageHref.tool(tool.slug)}#prices`} data-move>
            <bdi>{toolName(tool)}</bdi>
          </a>{' '}
          <X402Mark x402={x402} />
        </h2>
        {x402.evidence && (
          <p class="soft clamp" dir="auto">
            {cleanText(x402.evidence)}
          </p>
        )}
        <PriceMismatch x402={x402} />
        {visible.length === 0 && <p class="soft">No paid address is known yet.</p>}
        <ul class="endpoints">
          {visible.map((endpoint) => (
            <Endpoint endpoint={endpoint} x402={x402} most={most} />
          ))}
          {visible.some(({ priceUsd }) => priceUsd !== null) && <Scale most={most} />}
        </ul>
        {rest > 0 && <p class="soft">and {number(rest)} more on its page</p>}
      </div>
    </li>
  )
}

function Endpoint(props: { endpoint: PaidEndpoint; x402: X402; most: number }) {
  const { endpoint, x402, most } = props
  const { priceUsd } = endpoint
  return (
    <li>
      <CallPrice endpoint={endpoint} />
      {priceUsd !== null && (
        <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="track" width="100" height="10" />
          <rect class="fill" width={lengthOf(priceUsd, most).toFixed(1)} height="10" />
        </svg>
      )}
      <PriceMismatch x402={x402} url={endpoint.url} />
    </li>
  )
}

/** The scale of the bars above it; each step is a constant factor. */
function Scale({ most }: { most: number }) {
  const decades = decadesTo(most)
  const every = labelEvery(decades)
  const steps = Array.from({ length: decades / every + 1 }, (_, n) => LEAST_USD * 10 ** (n * every))
  return (
    <li class="scale" aria-hidden="true">
      <p class="number">
        {steps.map((step) => (
          <span>{usdPrice(Number(step.toPrecision(1)))}</span>
        ))}
      </p>
    </li>
  )
}

// More labels would touch each other on a phone.
const LABELS_MOST = 4

/** Labels have even distances, so their number divides the decades. */
function labelEvery(decades: number): number {
  for (let every = 1; every < decades; every++) {
    if (decades % every === 0 && decades / every < LABELS_MOST) return every
  }
  return decades
}

// A hundredth of a cent: nothing is sold for less today.
const LEAST_USD = 0.0001

/** Powers of ten around all prices. */
function decadesTo(most: number): number {
  return Math.max(1, Math.ceil(Math.log10(Math.max(most, LEAST_USD) / LEAST_USD) - 1e-9))
}

/** The length of a bar in percent, on a logarithmic scale because prices differ widely. */
function lengthOf(price: number, most: number): number {
  if (price <= 0) return 0
  return Math.min(100, Math.max(2, (100 * Math.log10(price / LEAST_USD)) / decadesTo(most)))
}
