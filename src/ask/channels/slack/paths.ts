/** The pages of the Slack app and its channels. */
export const slackPaths = {
  app: '/settings/slack',
  channels: '/settings/slack/channels',
  forget: '/settings/slack/forget',
} as const
