/** @jsxImportSource preact */

import { FormField, type Wrong } from '../../../../platform/web/form.tsx'
import { Icon } from '../../../../platform/web/icon.tsx'
import { Code, CopyButton } from '../../../../platform/web/page-parts.tsx'
import type { SlackApp as App } from '../app.ts'
import { slackManifest } from '../manifest.ts'
import { slackPaths } from '../paths.ts'

type Props = { app: App; baseUrl: string; wrong: Wrong }

/** The app in Slack: its manifest, and the form for its two secrets, which are never shown. */
export function SlackAppPart({ app, baseUrl, wrong }: Props) {
  const saved = app.botToken !== undefined
  return (
    <>
      <section class="part new" aria-labelledby="manifest-title">
        <h2 id="manifest-title">The app in Slack</h2>
        <ol class="steps">
          <li>
            <span>
              Open{' '}
              <a href="https://api.slack.com/apps" rel="noreferrer noopener" target="_blank">
                api.slack.com/apps
              </a>
              , Create New App, From a manifest, and paste this one.
            </span>
          </li>
          <li>Install App, Install to Workspace.</li>
          <li>
            Copy the bot token (OAuth &amp; Permissions) and the signing secret (Basic Information)
            into the form below.
          </li>
        </ol>
        {!baseUrl.startsWith('https:') && (
          <p class="result wait" role="status">
            <Icon name="warning" />
            <span>
              Buttons work only when Slack reaches this server over https: set BECKON_BASE_URL
              first.
            </span>
          </p>
        )}
        <details class="removing" open={!saved}>
          <summary>The manifest</summary>
          <div data-copy-from>
            <Code name="The manifest">{slackManifest(baseUrl)}</Code>
            <CopyButton />
          </div>
        </details>
      </section>
      <section class="part new" aria-labelledby="secrets-title">
        <h2 id="secrets-title">{saved ? 'Its secrets' : 'Connect it'}</h2>
        {app.fixed ? <Fixed /> : <SecretsForm saved={saved} wrong={wrong} />}
      </section>
    </>
  )
}

function Fixed() {
  return (
    <p class="soft">They are set in the configuration of this server, which overrides this page.</p>
  )
}

function SecretsForm({ saved, wrong }: { saved: boolean; wrong: Wrong }) {
  const secret = { type: 'password', required: true, maxLength: 300, wrong } as const
  return (
    <>
      <form method="post" action={slackPaths.app}>
        <p class="field soft">
          {saved
            ? 'They are stored and never shown. New ones replace them.'
            : 'Slack is asked whether the token works before anything is kept.'}
        </p>
        <FormField name="botToken" label="Bot token" placeholder="xoxb-…" {...secret} />
        <FormField name="signingSecret" label="Signing secret" {...secret} />
        <button type="submit" class={saved ? '' : 'primary'}>
          {saved ? 'Replace them' : 'Connect Slack'}
        </button>
      </form>
      {saved && (
        <details class="removing">
          <summary>Forget them</summary>
          <form method="post" action={slackPaths.forget}>
            <p>Nothing is posted to Slack any more. Its channels stay in the list of devices.</p>
            <button type="submit" class="small bad">
              Forget the secrets
            </button>
          </form>
        </details>
      )}
    </>
  )
}
