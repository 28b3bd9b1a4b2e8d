import { Type } from '@sinclair/typebox'
import type { ChannelModule } from '../../delivery/channel-module.ts'
import { serviceOrigin } from '../../delivery/model/channel.ts'
import type { ConnectContract } from '../../subscribers/model/connect.ts'
import { createNtfy } from './channel.ts'
import { NTFY_FORM } from './form.tsx'
import { type NtfyAccess, readTopic, topicLabel } from './topic.ts'

const SECRET_MAX = 200

const secret = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SECRET_MAX, description }))

const fields = {
  accessToken: secret('Of an ntfy server that wants one; kept, and never shown.'),
  username: secret('For an ntfy server with passwords, in place of an access token.'),
  password: secret('Goes with username; kept, and never shown.'),
} satisfies Record<keyof NtfyAccess, unknown>

const connect: ConnectContract<typeof fields> = {
  endpoint: 'an ntfy topic: https://ntfy.sh/TOPIC',
  fields,
  read: readTopic,
  label: ({ endpoint }) => topicLabel(endpoint),
  // The name of a topic may be known to many.
  keepsOwner: true,
  form: NTFY_FORM,
}

/** Topics of ntfy servers, the public one or one's own. */
export const ntfy: ChannelModule = {
  name: 'ntfy',
  kinds: ['phone'],
  connect,
  service: (device) => `The ntfy server at ${URL.parse(serviceOrigin(device))?.hostname ?? ''}`,
  create: ({ config, secrets, outside, clock }) =>
    createNtfy({
      fetch: outside.fetch,
      clock,
      baseUrl: config.baseUrl,
      quickAnswerSecret: secrets.quickAnswerSecret,
    }),
}
