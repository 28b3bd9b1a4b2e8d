import { Elysia } from 'elysia'
import { Failure } from '../../../../platform/failure.ts'
import { onlySmall, readText } from '../../../../platform/http/request-body.ts'
import { type AnswerInSlackDeps, answerInSlack } from './answer-in-slack.ts'
import { readInteraction } from './interaction.ts'
import { INTERACTIONS_PATH } from './manifest.ts'
import { isFromSlack } from './signature.ts'

/** What Slack posts. Its signature is all the authority there is: nobody is signed in here. */
export function slackRoutes(deps: AnswerInSlackDeps) {
  return new Elysia({ name: 'slack' }).post(
    INTERACTIONS_PATH,
    async ({ request }) => {
      const body = await readText(request, onlySmall)
      await mustBeSlack(deps, request, body)
      const ack = await answerInSlack(deps, readInteraction(body))
      return ack === undefined ? new Response(null, NOTHING) : Response.json(ack, NOTHING)
    },
    { parse: 'none' },
  )
}

const NOTHING = { headers: { 'cache-control': 'no-store' } }

async function mustBeSlack({ slack, clock }: AnswerInSlackDeps, request: Request, body: string) {
  const { signingSecret } = await slack.app()
  const { headers } = request
  if (signingSecret && isFromSlack(signingSecret, { headers, body, now: clock.now() })) return
  throw new Failure(
    'forbidden',
    signingSecret
      ? 'The signature is not Slack’s, or it is older than 5 minutes. Check the signing secret, and the clock of this server.'
      : 'No Slack app is set up here.',
  )
}
