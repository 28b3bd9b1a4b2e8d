import { SEARCH_INDEX_PATH } from '../../page-paths.ts'
import { takesX402 } from '../../records/x402.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { mdText } from '../markdown/escape.ts'
import { DATA_NOT_ORDERS } from '../markdown/full.ts'
import { gradeLine } from '../markdown/grade-lines.ts'
import { creditLine, feedMeta } from '../meta.ts'

/**
 * `/llms.txt` (llmstxt.org): what the catalog has and how to query it, in about a thousand tokens
 * for any number of tools.
 */
export function llmsText(snapshot: CatalogSnapshot): string {
  const { settings, baseUrl } = snapshot
  const api = `${baseUrl}/api/v1`
  const find = `${api}/tools.json?capability=email.send&x402=yes&view=slim`
  return `${[
    `# ${mdText(settings.name)}`,
    `> ${mdText(settings.description ?? 'A directory of tools and services for agents.')}`,
    aboutLine(snapshot),
    DATA_NOT_ORDERS,
    [
      'To find a tool, filter the listing: commas mean or, several names mean and; `q` searches.',
      'Names: kind category area grade minScore transport auth pricing where registry capability',
      `tag x402 vendor agentReady graded q. For example <${find}>. To read one tool, take`,
      `\`${baseUrl}/tools/SLUG.min.md\` (at most 600 tokens) or \`${baseUrl}/tools/SLUG.md\`.`,
      `A copy of plain files answers no parameters and no MCP: search <${baseUrl}${SEARCH_INDEX_PATH}> there.`,
    ].join('\n'),
    '## Feeds',
    links([
      ['Directory', `${api}/tools.json`, `${snapshot.tools.length} tools with grades and prices`],
      ['Pay per call', `${api}/x402.json`, 'tools that take x402 payments, with prices'],
      ['Changes', `${api}/changes.json`, 'shutdowns, renames, breaking changes, prices'],
      ['Calendar', `${baseUrl}/sunsets.ics`, 'the same as iCalendar; ?tool=a,b&kind=&category='],
      ['Categories', `${api}/categories.json`, 'words of the filter, with counts'],
      ['Capabilities', `${api}/capabilities.json`, 'words of the filter, with counts'],
      ['Methodology', `${api}/methodology.json`, 'how grades are made'],
      [
        'MCP endpoint',
        `${baseUrl}/api/mcp/catalog`,
        'search_tools, get_tool, list_changes; no token',
      ],
      ['MCP servers', `${baseUrl}/v0.1/servers`, 'in the shape of the official MCP registry'],
      ['OpenAPI', `${baseUrl}/openapi.json`, 'every feed, field and parameter'],
    ]),
    '## Categories',
    links(
      toolCounts(snapshot).map(({ id, name, count, description }) => [
        name,
        `${api}/tools.json?category=${encodeURIComponent(id)}&view=slim`,
        `${count} ${count === 1 ? 'tool' : 'tools'}${description ? `. ${description}` : ''}`,
      ]),
    ),
    '## Optional',
    links([
      ['All tools', `${baseUrl}/llms-full.txt`, 'one line for each tool'],
      ['Index', `${api}/index.json`, 'links to everything'],
    ]),
  ].join('\n\n')}\n`
}

/** `/llms-full.txt`: one line for each tool, with the address of its slim Markdown version. */
export function llmsFullText(snapshot: CatalogSnapshot): string {
  const lines = snapshot.tools.map((tool) => {
    const pays = takesX402(tool.x402) ? `; x402: ${mdText(tool.x402.level)}` : ''
    const price = tool.priceSummary === '' ? mdText(tool.pricing) : mdText(tool.priceSummary)
    return (
      `- [${mdText(tool.name)}](${tool.slimMarkdownUrl}): ${mdText(tool.summary)} ` +
      `(${mdText(tool.kind)}, ${mdText(tool.category)}; ${gradeLine(tool)}; ${price}${pays})`
    )
  })
  return `${[
    `# ${mdText(snapshot.settings.name)}: all tools`,
    aboutLine(snapshot),
    DATA_NOT_ORDERS,
    ...(lines.length > 0 ? ['## Tools', lines.join('\n')] : []),
  ].join('\n\n')}\n`
}

function aboutLine(snapshot: CatalogSnapshot): string {
  const meta = feedMeta(snapshot)
  const preview = meta.preview ? ' Preview: example data, not to be relied on.' : ''
  return (
    `${mdText(creditLine(meta))}. Generated ${meta.generatedAt}, ` +
    `methodology ${mdText(meta.methodology)}.${preview}`
  )
}

function links(rows: ReadonlyArray<readonly [name: string, url: string, note: string]>): string {
  return rows.map(([name, url, note]) => `- [${mdText(name)}](${url}): ${mdText(note)}`).join('\n')
}

type CategoryCount = { id: string; name: string; description: string; count: number }

/** The categories that have tools, in the order of the settings. */
function toolCounts(snapshot: CatalogSnapshot): CategoryCount[] {
  const counts = new Map<string, number>()
  for (const { category } of snapshot.tools) counts.set(category, (counts.get(category) ?? 0) + 1)
  return snapshot.settings.categories
    .map(({ id, name, description = '' }) => ({
      id,
      name,
      description,
      count: counts.get(id) ?? 0,
    }))
    .filter(({ count }) => count > 0)
}
