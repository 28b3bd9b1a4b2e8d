/** @jsxImportSource preact */
import type { CatalogView } from '../../feeds/catalog-view.ts'
import { changesByTool } from '../../feeds/changes-by-tool.ts'
import { splitChanges } from '../../records/split-changes.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { ChangeList, Today } from '../parts/change-list.tsx'
import { Section } from '../parts/section.tsx'
import { href } from '../paths.ts'

/** The future above, the past below, and today between them. */
export function Changes({ view, tool }: { view: CatalogView; tool: ToolDetail }) {
  const own = [...(changesByTool(view).get(tool.slug) ?? [])]
  const { upcoming, recent } = splitChanges(own, view.today)
  return (
    <Section id="changes" title="Changes">
      {own.length === 0 ? (
        <p class="soft">No dated changes are known, past or to come.</p>
      ) : (
        <>
          <ChangeList items={upcoming.toReversed()} today={view.today} named={false} />
          <Today today={view.today} />
          <ChangeList items={recent} today={view.today} named={false} />
        </>
      )}
      <p class="subscribe">
        <a href={`${href.tool(tool.slug)}.atom`}>Follow by Atom</a>
        <a href={`/sunsets.ics?tool=${tool.slug}`}>Follow in a calendar</a>
      </p>
    </Section>
  )
}
