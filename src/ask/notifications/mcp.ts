import { readToolArguments } from '../../platform/read-arguments.ts'
import type { ToolModule } from '../tools/tool.ts'
import { leanInput } from '../wire/lean-input.ts'
import {
  SendNotificationInput,
  SendNotificationResult,
  sendNotificationInput,
} from '../wire/notification-fields.ts'
import { sayNotification } from '../wire/sentence.ts'
import { type SendNotificationDeps, sendNotification } from './send-notification.ts'

export const sendNotificationTool: ToolModule<
  SendNotificationDeps,
  SendNotificationInput,
  SendNotificationResult
> = {
  title: 'Send a notification',
  description: [
    "Sends a one-way message to the person's phones and browsers and returns at once.",
    'Use it when something happened that they want to know although they are away: long work finished, it failed, or you are blocked and will stop.',
    'Do not use it for each step, for what the current conversation already shows, or when you need an answer (ask_user does that).',
    'title is the headline and body one or two sentences. context adds a detail page: a summary, the files changed, an error, next steps; its type error is delivered with urgency.',
    'context.askQuestion embeds a decision: linkedCorrelationId then comes back for wait_for_answer, and the question lives 10 minutes.',
    'sent counts the devices that accepted it. sent: 0 is not a failure: warning says why no device was reached, hint what would change it. Sending it again reaches nobody else.',
  ].join(' '),
  inputSchema: SendNotificationInput,
  outputSchema: SendNotificationResult,
  lean: {
    description:
      'Tells the person something on their phones and browsers, and returns at once: long work has ended, failed, or is blocked. Not for each step, nor where you need an answer.',
    inputSchema: leanInput(SendNotificationInput, {
      title: '',
      body: 'One or two sentences.',
      agentName: '{Agent} - {project}',
      context:
        'A detail page; error is urgent. askQuestion asks for a decision: collect it with wait_for_answer.',
      env: 'Not delivered.',
      externalIds: '',
      subscriberIds: '',
      tags: 'Only devices with one of these.',
      iconUrl: '',
      imageUrl: '',
      url: 'Opened on tap, without context.',
    }),
  },
  read: (args) => sendNotificationInput.parse(readToolArguments(SendNotificationInput, args)),
  run: sendNotification,
  say: sayNotification,
}
