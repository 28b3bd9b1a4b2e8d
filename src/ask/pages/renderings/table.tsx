/** @jsxImportSource preact */

import { MarkedCommand } from '../marked.tsx'
import { each, type Rendering } from './rendering.ts'

const ROWS_MAX = 50
const COLUMNS_MAX = 8

/** A list of objects with values of one line, as rows and columns. */
export const table: Rendering = {
  parts: each((value) => columnsOf(value).length > 0),
  Show({ values, names: [name = ''] }) {
    const rows = values[name] as Array<Record<string, unknown>>
    const columns = columnsOf(rows)
    const more = rows.length - ROWS_MAX
    return (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        {/* biome-ignore lint/a11y/useSemanticElements: a section has a heading. */}
        <div class="sheet" role="group" tabIndex={0} aria-label={name}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th scope="col">
                    <MarkedCommand text={column} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, ROWS_MAX).map((row) => (
                <tr>
                  {columns.map((column) => (
                    <Cell value={row[column]} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {more > 0 && (
          <p class="soft">
            {more.toLocaleString('en')} more of {rows.length.toLocaleString('en')} rows: see “As it
            is sent” below.
          </p>
        )}
      </>
    )
  },
}

function Cell({ value }: { value: unknown }) {
  const isNumber = typeof value === 'number'
  return (
    <td class={isNumber ? 'number' : undefined} dir="auto">
      {value !== undefined && <MarkedCommand text={value === null ? '–' : String(value)} />}
    </td>
  )
}

const LINE = /^[^\n\r]{0,80}$/

/** The columns of all rows; empty if it is no table. */
function columnsOf(value: unknown): string[] {
  if (!Array.isArray(value) || value.length < 2) return []
  const columns = new Set<string>()
  for (const row of value) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return []
    for (const [name, one] of Object.entries(row)) {
      if ((typeof one === 'object' && one !== null) || !LINE.test(String(one))) return []
      columns.add(name)
      if (columns.size > COLUMNS_MAX) return []
    }
  }
  return [...columns]
}
