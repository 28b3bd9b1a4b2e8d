/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import type { Facet } from './facets.ts'

type Props = { facets: readonly Facet[]; here: string }

/** Fields to see only some of what waits; nothing where there is nothing to choose. */
export function Filters({ facets, here }: Props) {
  if (facets.length === 0) return null
  const isFiltered = facets.some(({ chosen }) => chosen !== '')
  return (
    <details class="filters" open={isFiltered}>
      <summary>
        <Icon name="filter" />
        {isFiltered ? 'Filtered' : 'Filter'}
      </summary>
      <form method="get" action={here}>
        {facets.map((facet) => (
          <label>
            {facet.label}
            <select name={facet.name}>
              <option value="">All</option>
              {facet.values.map(({ value, words }) => (
                <option value={value} selected={value === facet.chosen}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button type="submit">Show these</button>
        {isFiltered && (
          <a class="button" href={here}>
            Show all
          </a>
        )}
      </form>
    </details>
  )
}
