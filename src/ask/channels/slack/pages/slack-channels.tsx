/** @jsxImportSource preact */

import { type Draft, FormField, type Wrong } from '../../../../platform/web/form.tsx'
import { Icon } from '../../../../platform/web/icon.tsx'
import { paths } from '../../../pages/paths.ts'
import { Ago } from '../../../pages/time.tsx'
import type { Moment } from '../../../pages/visit.ts'
import { LABEL_MAX, type Subscriber } from '../../../subscribers/model/subscriber.ts'
import { TargetFields, Targets } from '../../../subscribers/pages/target-fields.tsx'
import { slackPaths } from '../paths.ts'

type Props = { channels: Subscriber[]; moment: Moment; draft: Draft; wrong: Wrong }

/** Where questions are posted, and the form for one more. */
export function SlackChannels({ channels, moment, draft, wrong }: Props) {
  return (
    <>
      {channels.length > 0 && (
        <section class="part" aria-labelledby="channels-title">
          <h2 id="channels-title">Channels and people</h2>
          <ul class="things">
            {channels.map((channel) => (
              <ChannelCard channel={channel} moment={moment} />
            ))}
          </ul>
        </section>
      )}
      <NewChannel draft={draft} wrong={wrong} />
    </>
  )
}

function NewChannel({ draft, wrong }: Pick<Props, 'draft' | 'wrong'>) {
  return (
    <section class="part new" aria-labelledby="new-channel-title">
      <h2 id="new-channel-title">Connect a channel or a person</h2>
      <form method="post" action={slackPaths.channels}>
        <FormField
          name="channel"
          label="Channel or person"
          placeholder="#ops"
          maxLength={300}
          draft={draft}
          wrong={wrong}
        >
          #name, or what Slack copies: the link of a channel, the member ID of a person. Everybody
          there can read and answer. A private channel needs the app first: /invite @beckon.
        </FormField>
        <FormField
          name="label"
          label="What you call it (optional)"
          maxLength={LABEL_MAX}
          draft={draft}
          wrong={wrong}
        />
        <TargetFields of="channel" draft={draft} wrong={wrong} />
        <p class="field soft">A first message is posted there.</p>
        <button type="submit" class="primary">
          Connect it
        </button>
      </form>
    </section>
  )
}

function ChannelCard({ channel, moment }: { channel: Subscriber; moment: Moment }) {
  const { id, label, tags, externalId } = channel
  const { lastSuccessAt, lastErrorAt, lastError, createdAt } = channel
  return (
    <li class="thing" id={`device-${id}`}>
      <Icon name="chat" />
      <div>
        <p class="thing-name">
          <b>{label}</b>
        </p>
        <Targets tags={tags} externalId={externalId} />
        <ul class="device-facts">
          <li>
            {lastSuccessAt === undefined ? 'Connected ' : 'Posted '}
            <Ago at={lastSuccessAt ?? createdAt} moment={moment} />
          </li>
          {lastErrorAt !== undefined && lastErrorAt > (lastSuccessAt ?? 0) && (
            <li class="bad">
              <Icon name="warning" />
              {lastError}
            </li>
          )}
        </ul>
      </div>
      <div class="thing-do">
        <a
          class="button small"
          href={`${paths.devices}?at=${id}#device-${id}`}
          aria-label={`Test, edit or remove ${label}`}
        >
          Test, edit or remove
        </a>
      </div>
    </li>
  )
}
