/** @jsxImportSource preact */

/** Which page of a long list is shown, of how many, both counted from 1. */
export type Pages = { page: number; pages: number }

/**
 * The page of `total` rows that the address asks for with `?page=`, and the index of its first row;
 * a page beyond the end becomes the last one. `wanted`, the index of a row, takes precedence.
 */
export function pagesOf(
  total: number,
  size: number,
  url: URL,
  wanted?: number,
): Pages & { offset: number } {
  const pages = Math.max(1, Math.ceil(total / size))
  const asked =
    wanted === undefined
      ? Number.parseInt(url.searchParams.get('page') ?? '', 10) || 1
      : Math.floor(wanted / size) + 1
  const page = Math.min(pages, Math.max(1, asked))
  return { page, pages, offset: (page - 1) * size }
}

/** Links to the previous and next page; nothing for a list that fits on one page. */
export function Pager({ at: { page, pages }, path }: { at: Pages; path: string }) {
  if (pages === 1) return null
  return (
    <nav class="pager" aria-label="Pages of this list">
      {page > 1 && (
        <a class="button small" href={`${path}?page=${page - 1}`} rel="prev">
          Before
        </a>
      )}
      <span class="soft">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a class="button small" href={`${path}?page=${page + 1}`} rel="next">
          More
        </a>
      )}
    </nav>
  )
}
