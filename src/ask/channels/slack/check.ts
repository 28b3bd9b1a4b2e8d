import { type Check, failedCheck, passedCheck, warnedCheck } from '../../check.ts'
import type { CheckContext } from '../../delivery/channel-module.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { createSlack } from './api.ts'
import { readSlackApp } from './app.ts'
import { lookAtSlack } from './connect-slack.ts'

const NAME = 'Slack'

/**
 * Checks that Slack accepts the token and can send answers back; reports nothing if no app is set
 * up.
 */
export async function slackChecks({
  config,
  clock,
  fetch,
  read,
  devices,
}: CheckContext): Promise<Check[]> {
  const { botToken, signingSecret } = await readSlackApp(read, config.slack)
  if (botToken === undefined && signingSecret === undefined) return withoutApp(devices)
  const slack = createSlack({ read, config: config.slack, fetch })
  const slackState = await lookAtSlack({ slack, clock })
  if (slackState.state === 'not_set_up') {
    const cure = 'Set BECKON_SLACK_BOT_TOKEN, or save the token under Settings, Slack.'
    return [
      failedCheck(
        'push',
        NAME,
        'There is a signing secret of a Slack app, but no bot token.',
        cure,
      ),
    ]
  }
  if (slackState.state === 'fails') {
    const cure =
      'Settings, Slack takes new secrets; beckon docs slack says what each refusal means.'
    return [failedCheck('push', NAME, slackState.said, cure)]
  }
  const takes = `Slack accepts the token of @${slackState.bot} in ${slackState.team}.`
  if (signingSecret === undefined) {
    const cure = 'Set BECKON_SLACK_SIGNING_SECRET, or save it under Settings, Slack.'
    return [
      failedCheck('push', NAME, `${takes} Without the signing secret no button answers.`, cure),
    ]
  }
  if (new URL(config.baseUrl).protocol === 'https:') return [passedCheck('push', NAME, takes)]
  const cure = 'Set BECKON_BASE_URL to an https address that Slack reaches from outside.'
  return [warnedCheck('push', NAME, `${takes} Buttons only work over https.`, cure)]
}

function withoutApp(devices: readonly Subscriber[]): Check[] {
  if (devices.every(({ transport }) => transport !== 'slack')) return []
  const message = 'A channel of Slack is connected, but no Slack app is set up: nothing is posted.'
  const cure = 'Save the secrets of the app under Settings, Slack, or remove the channel.'
  return [failedCheck('push', NAME, message, cure)]
}
