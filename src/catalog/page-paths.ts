/** Every page of the catalog. */
export const pagePaths = {
  tools: '/tools',
  tool: '/tools/:file',
  history: '/history/:slug',
  /** From the second page on. */
  part: '/tools/page/:number',
  models: '/models',
  compare: '/compare',
  x402: '/x402',
  changes: '/changes',
  methodology: '/methodology',
} as const

// Each is some kilobytes that mirrors fetch, and is drawn in milliseconds.
const TOOL_PICTURES_MOST = 5_000

/** Of pictures for previews of links, in pixels. */
export const CARD_WIDTH = 1200
export const CARD_HEIGHT = 630

/** Those pictures. */
export const pictureHref = {
  front: () => '/tools.png',
  category: (id: string) => `/categories/${id}.png`,
  /** In a catalog of very many tools, that of the category. */
  tool: (tools: number, { slug, category }: { slug: string; category: string }) =>
    tools > TOOL_PICTURES_MOST ? pictureHref.category(category) : `/tools/${slug}.png`,
}

/** The records in short, for a search in the browser. */
export const SEARCH_INDEX_PATH = '/api/v1/search.json'

/** The address of a page with its query. */
export const pageHref = {
  tool: (slug: string) => `/tools/${encodeURIComponent(slug)}`,
  history: (slug: string) => `/history/${encodeURIComponent(slug)}`,
  part: (number: number) => (number === 1 ? pagePaths.tools : `/tools/page/${number}`),
  tools: (query: Record<string, string> = {}) => withQuery(pagePaths.tools, query),
  compare: (slugs: readonly string[]) => withQuery(pagePaths.compare, { tools: slugs.join(',') }),
  /** A page of the question service. */
  watch: (kind: string, of: string) => withQuery('/settings/watches', { [kind]: of }),
  changes: (query: Record<string, string> = {}) => withQuery(pagePaths.changes, query),
}

/** `path?name=value` without empty values; commas are not encoded. */
export function withQuery(path: string, query: Record<string, string>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== '')
  const text = new URLSearchParams(pairs).toString().replaceAll('%2C', ',')
  return text ? `${path}?${text}` : path
}

/** An address from a record if it is safe to follow: http or https only. */
export function outside(address: string | undefined): string | undefined {
  const isWhole = /^https?:\/\/[^\s"<>]+$/i.test(address ?? '') && URL.canParse(address ?? '')
  return isWhole ? address : undefined
}
