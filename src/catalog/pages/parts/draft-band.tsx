/** @jsxImportSource preact */

import { problemLine } from '../../authoring/problem-line.ts'
import type { FolderPreview } from '../../feeds/catalog-snapshot.ts'

// More would only push the page away; the terminal has them all.
const SHOWN_MAX = 12

/** On every page of a preview: that it is one, and what is wrong in the files. */
export function DraftBand({ draft }: { draft: FolderPreview }) {
  const { problems, stale, folder, state } = draft
  const count = `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
  return (
    <aside class="draft" aria-label="Preview" data-state={state}>
      <p>
        <b>Preview.</b> The files of <code>{folder}</code> as they are now; nothing of it is
        published.
      </p>
      {problems.length > 0 && (
        <details open>
          <summary>
            <b>{count}.</b>{' '}
            {stale
              ? 'What you see is the folder as it was before.'
              : 'Nothing can be shown until they are solved.'}
          </summary>
          <ul>
            {problems.slice(0, SHOWN_MAX).map((problem) => (
              <li>
                <code>{problemLine(problem)}</code>
              </li>
            ))}
            {problems.length > SHOWN_MAX && (
              <li>and {problems.length - SHOWN_MAX} more, in the terminal.</li>
            )}
          </ul>
        </details>
      )}
    </aside>
  )
}
