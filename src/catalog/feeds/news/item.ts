import type { NewsItem, NewsKind } from '../../records/news.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { shownLine } from '../markdown/shown-text.ts'

// A fixed namespace, as UUIDs of version 5 need one (RFC 9562, 5.5).
const NAMESPACE = '52c8f3a7-64d0-4b1e-9c57-0d6a3f1e8b24'
const TITLE_CHARS = 300

/** An item before its tool is written into it; `subject` and `state` become its ids. */
export type Draft = {
  /** A UUID, or parts that name it among those of the tool. */
  subject: string | readonly unknown[]
  /** What it says of the subject: another state is another item. */
  state: string
  kind: NewsKind
  at: string
  title: string
} & Pick<NewsItem, 'breaking' | 'date' | 'source'>

/** The item of a draft. `root`: the first slug of the tool, so that a rename makes no news. */
export function itemOf(tool: ToolDetail, root: string, draft: Draft): NewsItem {
  const { subject: parts, state, title, ...rest } = draft
  const subject = typeof parts === 'string' ? parts : uuidOf([root, ...parts])
  const { slug, name, category, capabilities, url } = tool
  return {
    id: uuidOf([subject, state]),
    subject,
    tool: slug,
    name,
    category,
    capabilities,
    ...rest,
    title: shownLine(title).slice(0, TITLE_CHARS),
    url,
  }
}

function uuidOf(parts: readonly unknown[]): string {
  return Bun.randomUUIDv5(JSON.stringify(parts), NAMESPACE)
}
