import { wrongFields } from '../../../platform/failure.ts'
import type { ChannelModule } from '../../delivery/channel-module.ts'
import type { ConnectContract } from '../../subscribers/model/connect.ts'
import { createEmail, mailboxOf, mailEndpoint } from './channel.ts'
import { emailChecks } from './check.ts'
import { EMAIL_FORM } from './form.tsx'

const connect: ConnectContract = {
  endpoint: 'e-mail address of the own account: mailto:ADDRESS (kind chat)',
  fields: {},
  read({ endpoint }) {
    const address = mailboxOf(endpoint.toLowerCase())
    if (address) return { endpoint: mailEndpoint(address), keys: undefined }
    throw wrongFields([{ field: 'endpoint', must: 'must be mailto: and an e-mail address' }])
  },
  // An account proves nothing about another mailbox, and nobody should get mail unasked.
  ownEndpoint: mailEndpoint,
  label: () => 'E-mail',
  form: EMAIL_FORM,
}

/** Mailboxes of the people themselves, through a mail server that the owner sets. */
export const email: ChannelModule = {
  name: 'email',
  kinds: ['chat'],
  connect,
  isSetUp: ({ smtp }) => smtp !== undefined,
  service: () => 'The mail server',
  create: ({ config, secrets, outside }) =>
    createEmail({
      smtp: config.smtp,
      outside,
      baseUrl: config.baseUrl,
      quickAnswerSecret: secrets.quickAnswerSecret,
    }),
  check: emailChecks,
}
