import type { AuthoredTool } from '../records/authored.ts'
import { vendorWord } from '../records/parameters.ts'
import { SAME_COMPANY_MAX, type ToolRecord } from '../records/tool.ts'

/** The slugs of each vendor, sorted: those of one category, of one area, and all of them. */
export type Companies = ReadonlyMap<string, readonly string[]>

type Areas = ReadonlyMap<string, string>
type Placed = Pick<AuthoredTool, 'slug' | 'vendor' | 'category'>

/** Groups records by vendor, and those of a vendor by category and by area. */
export function companiesOf(tools: readonly Placed[], areas: Areas): Companies {
  const slugs = new Map<string, string[]>()
  for (const tool of tools) {
    for (const group of groupsOf(tool, areas)) {
      const slugList = slugs.get(group)
      if (slugList) slugList.push(tool.slug)
      else slugs.set(group, [tool.slug])
    }
  }
  for (const group of slugs.values()) group.sort()
  return slugs
}

/** The nearest group first; none without a vendor. */
function groupsOf({ vendor, category }: Placed, areas: Areas): string[] {
  if (vendor === undefined) return []
  const area = areas.get(category) ?? ''
  return [`${vendor} category ${category}`, `${vendor} area ${area}`, vendor]
}

/**
 * Other records of the vendor: at most `SAME_COMPANY_MAX`, those of the same category first, then
 * of the same area. Within a group they follow the record in the alphabet, so that different
 * records name different ones.
 */
export function sameCompanyOf(
  tool: Placed,
  vendorName: string,
  { companies, areas, baseUrl }: { companies: Companies; areas: Areas; baseUrl: string },
): Pick<ToolRecord, 'sameCompany' | 'sameCompanyMore'> {
  const nearest = new Set<string>()
  const groups = groupsOf(tool, areas).map((group) => companies.get(group) ?? [])
  for (const group of groups) {
    if (nearest.size >= SAME_COMPANY_MAX) break
    const own = group.indexOf(tool.slug)
    for (let n = 1; n < group.length && nearest.size < SAME_COMPANY_MAX; n++) {
      nearest.add(group[(own + n) % group.length] as string)
    }
  }
  const count = (groups.at(-1)?.length ?? 1) - 1 - nearest.size
  const vendor = encodeURIComponent(vendorWord(vendorName))
  const url = `${baseUrl}/api/v1/tools.json?vendor=${vendor}`
  return { sameCompany: [...nearest], ...(count > 0 ? { sameCompanyMore: { count, url } } : {}) }
}
