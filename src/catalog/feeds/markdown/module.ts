import type { FeedModule } from '../built-site.ts'
import { changesByTool } from '../changes-by-tool.ts'
import { feedMeta } from '../meta.ts'
import { fullMarkdown } from './full.ts'
import { slimMarkdown } from './slim.ts'

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

/** Each record in Markdown, full and slim. */
export const MARKDOWN_VERSIONS: FeedModule = {
  *build(snapshot) {
    const about = { meta: feedMeta(snapshot) }
    const changes = changesByTool(snapshot)
    for (const tool of snapshot.tools) {
      const own = changes.get(tool.slug) ?? []
      // Search engines should list the page for people instead.
      const options = { type: MARKDOWN_TYPE, headers: { link: `<${tool.url}>; rel="canonical"` } }
      const path = `/tools/${tool.slug}`
      yield { ...options, path: `${path}.md`, body: () => fullMarkdown(tool, own, about) }
      yield { ...options, path: `${path}.min.md`, body: () => slimMarkdown(tool, own, about) }
    }
  },
}
