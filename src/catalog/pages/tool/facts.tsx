/** @jsxImportSource preact */
import { oncePer } from '../../../platform/once.ts'
import { cleanLine } from '../../../platform/text.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { outside, pageHref } from '../../page-paths.ts'
import { questionWords } from '../../records/not-known.ts'
import type { ToolDetail } from '../../records/tool.ts'
import type { Package } from '../../records/tool-fields.ts'
import { Day, ExternalLink, FactRow, hostOf } from '../parts/section.tsx'
import { number, shortNumber, toolName, wordFor } from '../words.ts'

type Props = { snapshot: CatalogSnapshot; tool: ToolDetail }

/** The rest of the record: short facts, links, and other formats. */
export function FactsSection({ snapshot, tool }: Props) {
  return (
    <aside class="aside-facts" aria-label="Facts">
      <h2>Facts</h2>
      <dl class="facts">
        <FactRow name="Kind">{wordFor(tool.kind)}</FactRow>
        <FactRow name="Runs">{wordFor(tool.where)}</FactRow>
        <FactRow name="Reached by">{tool.transports.map(wordFor).join(', ')}</FactRow>
        <FactRow name="Licence">{cleanLine(tool.license)}</FactRow>
        {tool.toolCount !== null && <FactRow name="MCP tools">{number(tool.toolCount)}</FactRow>}
        {tool.lastRelease && (
          <FactRow name="Last release">
            <Day day={tool.lastRelease} />
          </FactRow>
        )}
        <Used tool={tool} />
        {tool.packages.length > 0 && (
          <FactRow name="Packages">
            {tool.packages.map((one) => (
              <PackageLink one={one} />
            ))}
          </FactRow>
        )}
        <FactRow name="Registry name">{cleanLine(tool.registryName ?? '')}</FactRow>
        {tool.details.map(({ label, value }) => (
          <FactRow name={cleanLine(label)}>
            {outside(value) ? (
              <ExternalLink to={value}>{hostOf(value)}</ExternalLink>
            ) : (
              cleanLine(value)
            )}
          </FactRow>
        ))}
        {tool.capabilities.length > 0 && (
          <FactRow name="Can">
            <span class="words">
              {tool.capabilities.map((one) => (
                <a href={pageHref.tools({ capability: one })}>{cleanLine(one)}</a>
              ))}
            </span>
          </FactRow>
        )}
        {tool.tags.length > 0 && (
          <FactRow name="Tags">
            <span class="words">
              {tool.tags.map((one) => (
                <a href={pageHref.tools({ tag: one })}>{cleanLine(one)}</a>
              ))}
            </span>
          </FactRow>
        )}
      </dl>
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

function Used({ tool: { popularity } }: { tool: ToolDetail }) {
  const { githubStars, npmWeekly, pypiWeekly, asOf } = popularity
  const parts = [
    githubStars !== null && `${shortNumber(githubStars)} stars`,
    npmWeekly !== null && `${shortNumber(npmWeekly)} a week from npm`,
    pypiWeekly !== null && `${shortNumber(pypiWeekly)} a week from PyPI`,
  ].filter(Boolean)
  if (parts.length === 0) return null
  return (
    <FactRow name="Used">
      {parts.join(', ')}
      <small>
        {' '}
        as of <Day day={asOf} />
      </small>
    </FactRow>
  )
}

const REGISTRIES: Record<string, string> = {
  npm: 'https://www.npmjs.com/package/',
  pypi: 'https://pypi.org/project/',
  go: 'https://pkg.go.dev/',
}

function PackageLink({ one }: { one: Package }) {
  const base = REGISTRIES[one.registry]
  const name = cleanLine(one.name)
  return (
    <span class="package">
      <ExternalLink to={base && base + encodeURI(name)}>{name}</ExternalLink>{' '}
      <small>{wordFor(one.registry)}</small>
    </span>
  )
}

function Ways({ tool }: { tool: ToolDetail }) {
  const ways = [
    ['Documentation', tool.docsUrl],
    ['Source code', tool.repo],
    ['OpenAPI', tool.openapi],
    ['llms.txt', tool.llmsTxt],
    ['Rate limits', tool.rateLimitsUrl],
    ['Hosted server', tool.remoteUrl],
  ].filter((way): way is [string, string] => Boolean(way[1]))
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
