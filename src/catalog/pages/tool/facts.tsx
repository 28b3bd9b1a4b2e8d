/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { oncePer } from '../../../platform/once.ts'
import { cleanLine } from '../../../platform/text.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { outside, pageHref } from '../../page-paths.ts'
import { byPlace } from '../../records/fields/field.ts'
import { ALL_FIELDS } from '../../records/fields/fields.ts'
import { questionWords } from '../../records/not-known.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { fieldRows, PAGE_KIT } from '../parts/page-kit.tsx'
import { ExternalLink, FactRow, hostOf } from '../parts/section.tsx'
import { number, toolName, wordFor } from '../words.ts'

type Props = { snapshot: CatalogSnapshot; tool: ToolDetail }

type Row = { place: number; show(tool: ToolDetail): ComponentChildren }

/** The rows under "Facts": those of the fields, the kind, and the details that have own labels. */
const FACT_ROWS = byPlace<Row>([
  { place: 10, show: ({ kind }) => <FactRow name="Kind">{wordFor(kind)}</FactRow> },
  { place: 100, show: ({ details }) => details.map(detailRow) },
  ...fieldRows('facts').map(({ place, label, value }) => ({
    place,
    show: (tool: ToolDetail) => (
      <FactRow name={label}>{value(tool, PAGE_KIT) || undefined}</FactRow>
    ),
  })),
])

const WAYS = byPlace(
  ALL_FIELDS.flatMap(({ page }) => (page?.section === 'elsewhere' ? [page] : [])),
)

function detailRow({ label, value }: ToolDetail['details'][number]) {
  return (
    <FactRow name={cleanLine(label)}>
      {outside(value) ? <ExternalLink to={value}>{hostOf(value)}</ExternalLink> : cleanLine(value)}
    </FactRow>
  )
}

/** The rest of the record: short facts, links, and other formats. */
export function FactsSection({ snapshot, tool }: Props) {
  return (
    <aside class="aside-facts" aria-label="Facts">
      <h2>Facts</h2>
      <dl class="facts">{FACT_ROWS.map(({ show }) => show(tool))}</dl>
      <NotKnownFacts tool={tool} />
      <Ways tool={tool} />
      <Beside snapshot={snapshot} tool={tool} />
      <Machines tool={tool} />
    </aside>
  )
}

/** The questions that the record leaves open, with the reason. */
function NotKnownFacts({ tool: { notKnown } }: { tool: ToolDetail }) {
  if (notKnown.length === 0) return null
  return (
    <>
      <h2>Not known</h2>
      <dl class="facts">
        {notKnown.map(({ field, why }) => (
          <FactRow name={questionWords(field)}>{cleanLine(why)}</FactRow>
        ))}
      </dl>
    </>
  )
}

function Ways({ tool }: { tool: ToolDetail }) {
  const ways = WAYS.flatMap(({ label, url }) => {
    const to = url(tool)
    return to ? [[label, to] as const] : []
  })
  if (ways.length === 0) return null
  return (
    <>
      <h2>Elsewhere</h2>
      <ul class="ways">
        {ways.map(([name, to]) => (
          <li>
            <ExternalLink to={to}>{name}</ExternalLink> <small>{hostOf(to)}</small>
          </li>
        ))}
      </ul>
    </>
  )
}

const BESIDE = 4
// A vendor may have hundreds of tools; the search finds the rest.
const COMPANY = 8

const byCategory = oncePer(({ tools }: Props['snapshot']) =>
  Map.groupBy(tools, ({ category }) => category),
)

function Beside({ snapshot, tool }: Props) {
  const alike = byCategory(snapshot).get(tool.category) ?? []
  const others = alike.slice(0, BESIDE + 1).filter((one) => one !== tool)
  const company = tool.sameCompany.flatMap((slug) => snapshot.bySlug.get(slug) ?? [])
  const more = company.length - COMPANY + (tool.sameCompanyMore?.count ?? 0)
  return (
    <>
      {others.length > 0 && (
        <>
          <h2>Compare with</h2>
          <ul class="ways">
            {others.slice(0, BESIDE).map((one) => (
              <li>
                <a href={pageHref.compare([tool.slug, one.slug])}>
                  <bdi>{toolName(one)}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {company.length > 0 && (
        <>
          <h2>Of the same company</h2>
          <ul class="ways">
            {company.slice(0, COMPANY).map((one) => (
              <li>
                <a href={pageHref.tool(one.slug)}>
                  <bdi>{toolName(one)}</bdi>
                </a>
              </li>
            ))}
            {more > 0 && (
              <li>
                <a href={pageHref.tools({ q: tool.vendor })}>
                  {number(more)} more in the directory
                </a>
              </li>
            )}
          </ul>
        </>
      )}
    </>
  )
}

function Machines({ tool }: { tool: ToolDetail }) {
  const page = pageHref.tool(tool.slug)
  const forms = [
    ['JSON', `/api/v1${page}.json`],
    ['Markdown', `${page}.md`],
    ['Markdown, short', `${page}.min.md`],
    ['Changes as Atom', `${page}.atom`],
  ]
  return (
    <>
      <h2>For programs</h2>
      <ul class="ways">
        {forms.map(([name, to]) => (
          <li>
            <a href={to}>{name}</a>
          </li>
        ))}
      </ul>
    </>
  )
}
