/** @jsxImportSource preact */
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { changesByTool } from '../../feeds/changes-by-tool.ts'
import { pageHref } from '../../page-paths.ts'
import { splitChanges } from '../../records/split-changes.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { ChangeList, TodayMark } from '../parts/change-list.tsx'
import { SheetSection } from '../parts/section.tsx'

/** The future above, the past below, and today between them. */
export function Changes({ snapshot, tool }: { snapshot: CatalogSnapshot; tool: ToolDetail }) {
  const own = [...(changesByTool(snapshot).get(tool.slug) ?? [])]
  const { upcoming, recent } = splitChanges(own, snapshot.today)
  return (
    <SheetSection id="changes" title="Changes">
      {own.length === 0 ? (
        <p class="soft">No dated changes are known, past or to come.</p>
      ) : (
        <>
          <ChangeList items={upcoming.toReversed()} today={snapshot.today} named={false} />
          <TodayMark today={snapshot.today} />
          <ChangeList items={recent} today={snapshot.today} named={false} />
        </>
      )}
      <p class="subscribe">
        <a href={`${pageHref.tool(tool.slug)}.atom`}>Follow by Atom</a>
        <a href={`/sunsets.ics?tool=${tool.slug}`}>Follow in a calendar</a>
      </p>
    </SheetSection>
  )
}
