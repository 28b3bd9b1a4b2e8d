/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

/**
 * Says what a page cannot do in a copy of plain files. Whole documents have it: without scripts it
 * is always shown, with scripts when the address asks for what only a server can answer.
 */
export function PlainFilesNote({ children }: { children: ComponentChildren }) {
  return (
    <>
      <p class="soft plain-files" data-plain-files hidden>
        {children}
      </p>
      <noscript>
        <p class="soft plain-files">{children}</p>
      </noscript>
    </>
  )
}
