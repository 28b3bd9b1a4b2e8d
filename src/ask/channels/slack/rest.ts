import { Elysia } from 'elysia'
import { Failure } from '../../../platform/failure.ts'
import { onlySmall, readText } from '../../../platform/http/request.ts'
import { hmac, sameText } from '../../../platform/signing/hmac.ts'
import { type AnswerInSlackDeps, answerInSlack } from './answer-in-slack.ts'
import { readInteraction } from './interaction.ts'
import { INTERACTIONS_PATH } from './manifest.ts'

/** Routes that Slack posts to. Only its signature authenticates it: nobody is signed in here. */
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

// Slack's own advice: what is older may be a recording (docs: Verifying requests from Slack).
const AGE_MAX_S = 5 * 60

/** Returns true if Slack sent these bytes within the last minutes, by the app's signing secret. */
export function isFromSlack(
  secret: string,
  { headers, body, now }: { headers: Headers; body: string; now: number },
): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  const signature = headers.get('x-slack-signature') ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now / 1_000 - Number(timestamp)) > AGE_MAX_S) return false
  return sameText(signatureOf(secret, timestamp, body), signature)
}

/** Computes the value of `X-Slack-Signature`. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v0=${hmac(secret, `v0:${timestamp}:${body}`, 'hex')}`
}
