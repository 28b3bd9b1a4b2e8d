/** @jsxImportSource preact */

import { diffWordsWithSpace } from 'diff'
import type { ToolChange } from '../wire/gated-call.ts'
import { Prose } from './marked.tsx'

/** What changed in a tool, the words before beside those of now, with letters that cannot be seen. */
export function ToolChanges({ changes }: { changes: readonly ToolChange[] }) {
  return (
    <>
      {changes.map((change) => (
        <section class="changed" aria-label={change.part}>
          <p class="soft">{change.part}</p>
          <Beside change={change} />
        </section>
      ))}
    </>
  )
}

// More differences are another text.
const EDITS_MAX = 400

function Beside({ change: { before, after } }: { change: ToolChange }) {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: EDITS_MAX }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return (
    <div class="beside">
      <div>
        <b>Before</b>
        <p dir="auto">
          {before === '' && 'Nothing'}
          {parts.map(({ value, added, removed }) =>
            added ? null : removed ? (
              <del>
                <Prose text={value} />
              </del>
            ) : (
              <Prose text={value} />
            ),
          )}
        </p>
      </div>
      <div>
        <b>Now</b>
        <p dir="auto">
          {after === '' && 'Nothing'}
          {parts.map(({ value, added, removed }) =>
            removed ? null : added ? (
              <ins>
                <Prose text={value} />
              </ins>
            ) : (
              <Prose text={value} />
            ),
          )}
        </p>
      </div>
    </div>
  )
}
