/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'

type Props = { vapidPublicKey: string; name?: string; icon?: 'browser' | 'phone' }

/**
 * The words about this browser. `push.js` replaces them; they are shown if it does not run: at once
 * without scripts, otherwise after some seconds.
 */
export function PushState() {
  return (
    <p class="soft" data-push-state role="status">
      Connecting needs scripts, which are off or do not run in this browser.
    </p>
  )
}

/** Filled in by `push.js`: whether this browser is connected, can be, or why not. */
export function ThisBrowser({ vapidPublicKey, name = 'This browser', icon = 'browser' }: Props) {
  return (
    <section class="this-browser" id="this-browser" data-vapid-key={vapidPublicKey}>
      <Icon name={icon} />
      <div>
        <b>{name}</b>
        <PushState />
      </div>
      <button type="button" class="primary" data-push-connect hidden>
        Connect
      </button>
    </section>
  )
}
