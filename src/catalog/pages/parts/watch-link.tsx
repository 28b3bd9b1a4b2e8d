/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'
import { pageHref } from '../../page-paths.ts'

/** Leads to the form that watches something; only a browser that was signed in shows it. */
export function WatchLink(props: { kind: 'tool' | 'category'; of: string }) {
  return (
    <a class="button small for-signed-in" href={pageHref.watch(props.kind, props.of)}>
      <Icon name="bell" />
      Watch
    </a>
  )
}
