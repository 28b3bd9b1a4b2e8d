/** Where the Slack app sends what people press. */
export const INTERACTIONS_PATH = '/slack/interactions'

/** Builds the manifest that Slack makes the app from (docs.slack.dev: App manifest reference). */
export function slackManifest(baseUrl: string): string {
  return `display_information:
  name: Beckon
  description: Questions and news of coding agents
features:
  bot_user:
    display_name: beckon
    always_online: true
  app_home:
    messages_tab_enabled: true
    messages_tab_read_only_enabled: true
oauth_config:
  scopes:
    bot:
      - chat:write
      - chat:write.public
settings:
  interactivity:
    is_enabled: true
    request_url: ${baseUrl}${INTERACTIONS_PATH}
  org_deploy_enabled: false
  socket_mode_enabled: false
  token_rotation_enabled: false
`
}
