/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

export type Platform = 'ios' | 'android' | 'mac' | 'other'

export function platformOf(request: Request): Platform {
  const userAgent = request.headers.get('user-agent') ?? ''
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  if (userAgent.includes('Android')) return 'android'
  return userAgent.includes('Macintosh') ? 'mac' : 'other'
}

/**
 * How to install these pages as an app. `paired`: the app will start with a code that signs it in,
 * since an app on an iPhone's home screen does not share Safari's sign-in. The style sheet hides
 * all of it inside the app itself.
 */
export function InstallGuide({ platform, paired }: { platform: Platform; paired?: true }) {
  if (platform === 'ios') return <IosSteps paired={paired} />
  if (platform === 'android') {
    return (
      <Hint title="Put it on the home screen">
        Open the browser’s menu and choose “Install app” or “Add to Home screen”. It is optional:
        questions ring without it.
      </Hint>
    )
  }
  if (platform === 'mac') {
    return (
      <Hint title="Put it in the Dock">
        Safari: File, “Add to Dock”. Chrome and Edge: the install sign in the address bar. The icon
        then carries the number of open questions. On an iPad: Share, “Add to Home Screen”.
      </Hint>
    )
  }
  return (
    <Hint title="Make it an app">
      Chrome and Edge have an install sign in the address bar. It is optional: questions ring
      without it.
    </Hint>
  )
}

function Hint({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="install">
      <h2>{title}</h2>
      <p class="soft">{children}</p>
    </section>
  )
}

function IosSteps({ paired }: { paired: true | undefined }) {
  return (
    <section class="install">
      <h2>Add it to the home screen</h2>
      <p class="soft">iPhone and iPad let only apps from the home screen ring.</p>
      <ol class="drawn">
        <li>
          <Screen>
            <path class="faint" d="M4 47h32" />
            <path class="mark-here" d="M16.5 55v5.5h7V55M20 57.5v-7m-2.5 2.3 2.5-2.3 2.5 2.3" />
          </Screen>
          <p>
            Tap <b>Share</b>, the square with the arrow.
          </p>
        </li>
        <li>
          <Screen>
            <path class="faint" d="M8 24h24M8 31h16M8 52h18" />
            <path
              class="mark-here"
              d="M5.5 36.5h29v9h-29zM9 41h13M30 38.8v4.400m-2.200-2.200h4.400"
            />
          </Screen>
          <p>
            Choose <b>Add to Home Screen</b>, then Add.
          </p>
        </li>
        <li>
          <Screen>
            <path class="faint" d="M8 10h6v6H8zM17 10h6v6h-6zM26 10h6v6h-6zM8 20h6v6H8z" />
            <path class="mark-here" d="M17 20h6v6h-6z" />
          </Screen>
          {paired ? (
            <p>
              Open <b>beckon</b> there within 5 minutes, and it signs itself in with one tap.
            </p>
          ) : (
            <p>
              Open <b>beckon</b> there and sign in. Then Settings, Devices, Connect.
            </p>
          )}
        </li>
      </ol>
    </section>
  )
}

function Screen({ children }: { children: ComponentChildren }) {
  return (
    <svg class="screen" viewBox="0 0 40 66" width="56" height="92" aria-hidden="true">
      <rect x="1" y="1" width="38" height="64" rx="6" />
      {children}
    </svg>
  )
}
