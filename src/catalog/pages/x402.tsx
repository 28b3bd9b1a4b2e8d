/** @jsxImportSource preact */
import { cleanText } from '../../kernel/text.ts'
import type { CatalogView } from '../feeds/catalog-view.ts'
import type { ToolDetail } from '../record/tool.ts'
import { type PaidEndpoint, takesX402, type X402 } from '../record/x402.ts'
import { Layout } from './layout.tsx'
import { CallPrice, Differs } from './parts/call-price.tsx'
import { Empty, PreviewNote } from './parts/empty.tsx'
import { Grade, gradeOf } from './parts/grade.tsx'
import { X402Mark } from './parts/marks.tsx'
import { href, paths } from './paths.ts'
import { pageText } from './render.ts'
import { nameOf, number, plural } from './words.ts'

/** What a call costs where no account is needed. */
export function x402Page(view: CatalogView): string {
  const tools = view.tools.flatMap((tool) =>
    takesX402(tool.x402) ? [{ tool, x402: tool.x402 }] : [],
  )
  const prices = tools.flatMap(({ x402 }) =>
    x402.endpoints.flatMap(({ priceUsd }) => priceUsd ?? []),
  )
  const most = Math.max(...prices, 0)
  return pageText(
    <Layout
      view={view}
      title="Pay per call"
      description={`${plural(tools.length, 'tool')} that take a stablecoin payment per call under the x402 protocol, with their prices.`}
      canonical={paths.x402}
      section="x402"
      alternates={[
        { type: 'application/json', href: '/api/v1/x402.json', title: 'These prices as JSON' },
      ]}
    >
      <div class="page-head">
        <h1>Pay per call</h1>
        <p class="sub">
          Tools that an agent can pay one call at a time, in stablecoins under the x402 protocol,
          without an account. The bars are drawn in steps of ten: each step costs ten times the one
          before.
        </p>
        {view.settings.preview && <PreviewNote />}
      </div>
      {tools.length === 0 ? (
        <Empty icon="folder" title="No tool takes x402 yet">
          <p>
            Tools that can be paid per call will stand here, with each paid address and its price.
          </p>
        </Empty>
      ) : (
        <ol class="paid">
          {tools.map(({ tool, x402 }) => (
            <Paid tool={tool} x402={x402} most={most} />
          ))}
        </ol>
      )}
      <p class="subscribe">
        <a href="/api/v1/x402.json">These prices as JSON</a>
        <a href="/discovery/resources">In the shape of the x402 discovery API</a>
      </p>
    </Layout>,
  )
}

// More of one tool are on its own page.
const ENDPOINTS = 5

function Paid({ tool, x402, most }: { tool: ToolDetail; x402: X402; most: number }) {
  const shown = x402.endpoints.slice(0, ENDPOINTS)
  const rest = x402.endpoints.length - shown.length
  return (
    <li>
      <Grade grade={gradeOf(tool.catalog)} />
      <div>
        <h2>
          <a href={`${href.tool(tool.slug)}#prices`} data-move>
            <bdi>{nameOf(tool)}</bdi>
          </a>{' '}
          <X402Mark x402={x402} />
        </h2>
        {x402.evidence && (
          <p class="soft clamp" dir="auto">
            {cleanText(x402.evidence)}
          </p>
        )}
        <Differs x402={x402} />
        {shown.length === 0 && <p class="soft">No paid address is known yet.</p>}
        <ul class="endpoints">
          {shown.map((endpoint) => (
            <Endpoint endpoint={endpoint} x402={x402} most={most} />
          ))}
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
      <Differs x402={x402} url={endpoint.url} />
    </li>
  )
}

// A hundredth of a cent: nothing is sold for less today.
const LEAST_USD = 0.0001

/** Percent of the bar, in steps of ten: prices lie too far apart for a straight scale. */
function lengthOf(price: number, most: number): number {
  if (price <= 0) return 0
  const whole = Math.log10(Math.max(most, LEAST_USD * 10) / LEAST_USD)
  return Math.min(100, Math.max(2, (100 * Math.log10(price / LEAST_USD)) / whole))
}
