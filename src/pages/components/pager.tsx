/** @jsxImportSource preact */

/** What a page shows of a long list. */
export type Piece<T> = { shown: T[]; page: number; pages: number }

/**
 * The piece of `all` that the address asks for with `?page=`, counted from 1; a page beyond the end
 * is the last one. `wanted` goes first: the piece that has it.
 */
export function pieceOf<T>(
  all: readonly T[],
  size: number,
  url: URL,
  wanted: (one: T) => boolean = () => false,
): Piece<T> {
  const pages = Math.max(1, Math.ceil(all.length / size))
  const at = all.findIndex(wanted)
  const asked = Number.parseInt(url.searchParams.get('page') ?? '', 10) || 1
  const page = at < 0 ? Math.min(pages, Math.max(1, asked)) : Math.floor(at / size) + 1
  return { shown: all.slice((page - 1) * size, page * size), page, pages }
}

/** The ways to the pages beside this one; nothing for a list that is whole. */
export function Pager({ piece: { page, pages }, path }: { piece: Piece<unknown>; path: string }) {
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
