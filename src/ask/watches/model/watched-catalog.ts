/** One of the news of the catalog that this server shows. */
export type News = {
  id: string
  /** A later item of the same subject replaces it. */
  subject: string
  tool: string
  name: string
  category: string
  capabilities: readonly string[]
  kind: string
  /** Whether calls may fail; null: not known. */
  breaking?: boolean | null
  at: string
  date?: string
  title: string
  source?: string
}

type Named = { id: string; name: string }

/** The catalog that this server shows, its own or a mirrored one. */
export type PublishedNews = {
  news: readonly News[]
  /** True if it has such a record. */
  has(slug: string): boolean
  /** The slug under which a renamed record goes on. */
  current(slug: string): string
  categories: readonly Named[]
  capabilities: readonly string[]
}

/** Reads what is shown; undefined if that is nothing, the same value while nothing is new. */
export type ReadPublishedNews = () => Promise<PublishedNews | undefined>
