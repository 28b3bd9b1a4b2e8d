/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'

type Props = { vapidPublicKey: string; name?: string; icon?: 'browser' | 'phone' }

/** Filled in by `push.js`: whether this browser is connected, can be, or why not. */
export function ThisBrowser({ vapidPublicKey, name = 'This browser', icon = 'browser' }: Props) {
  return (
    <section class="this-browser" id="this-browser" data-vapid-key={vapidPublicKey}>
      <Icon name={icon} />
      <div>
        <b>{name}</b>
        <p class="soft" data-push-state role="status">
          Connecting needs scripts, which are off or still loading.
        </p>
      </div>
      <button type="button" class="primary" data-push-connect hidden>
        Connect
      </button>
    </section>
  )
}
