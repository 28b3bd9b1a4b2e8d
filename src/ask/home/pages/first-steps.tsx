/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../../../platform/web/icon.tsx'
import { PushState } from '../../devices/pages/this-device.tsx'
import { howSent } from '../../inbox/pages/how-sent.tsx'
import { verdict } from '../../inbox/pages/outcome.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import { SOURCE_WORDS } from '../../questions/model/question.ts'
import { whyNoPhone } from '../../sign-in/phone-reach.ts'
import { ClientInstructions } from '../../tokens/pages/client-setup.tsx'
import type { FirstSteps } from '../first-steps.ts'

type Props = {
  steps: FirstSteps
  visit: SignedIn
  baseUrl: string
  /** The token that was made for step 2 just now; it is shown this once. */
  token: string | undefined
  /** The page has the script that connects this browser. */
  connectsHere: boolean
}

/** The three steps to the first answered question, usable in any order. */
export function FirstStepsPart({ steps, visit, baseUrl, token, connectsHere }: Props) {
  const noPhone = whyNoPhone(baseUrl)
  return (
    <ol class="steps" id="steps" aria-label="To get started">
      <li id="this-browser" data-vapid-key={visit.vapidKey}>
        <DeviceHead steps={steps} />
        {connectsHere && <PushState />}
        <div class="step-do">
          {connectsHere ? (
            <button type="button" class="primary" data-push-connect hidden>
              Connect this browser
            </button>
          ) : (
            <a class="button" href={paths.devices}>
              Connect this browser
            </a>
          )}
          {noPhone === undefined ? (
            <form method="post" action={paths.beginPairing}>
              <button type="submit">
                <Icon name="phone" />
                Connect a phone
              </button>
            </form>
          ) : (
            <p class="soft">
              <SafeText text={noPhone} />
            </p>
          )}
        </div>
      </li>
      <li id="your-agent">
        <AgentHead steps={steps} moment={visit.moment} />
        {token === undefined ? (
          <form method="post" action={paths.home} class="step-do">
            <button type="submit" name="step" value="agent">
              <Icon name="terminal" />
              {steps.agent ? 'Connect another agent' : 'Connect an agent'}
            </button>
          </form>
        ) : (
          <NewAgent baseUrl={baseUrl} token={token} />
        )}
      </li>
      <li id="ask-me">
        <AskHead steps={steps} moment={visit.moment} />
        <form method="post" action={paths.home} class="step-do">
          <button type="submit" name="step" value="ask">
            <Icon name="bell" />
            {steps.question ? 'Ask me again' : 'Ask me something now'}
          </button>
        </form>
      </li>
    </ol>
  )
}

type HeadProps = {
  id: string
  name: string
  icon: IconName
  done: boolean
  version: string | number | undefined
  children: ComponentChildren
}

/** What a step is and how far it is, kept up to date; its buttons stay as they are. */
function Head({ id, name, icon, done, version, children }: HeadProps) {
  return (
    <div
      class={done ? 'step-head done' : 'step-head'}
      id={id}
      data-live="whole"
      data-version={`${done} ${version}`}
      data-deliveries
    >
      <Icon name={done ? 'check' : icon} />
      <div>
        <b>{name}</b>
        {done && <span class="unseen">, done</span>}
        <p role="status">{children}</p>
      </div>
    </div>
  )
}

function DeviceHead({ steps: { devices } }: { steps: FirstSteps }) {
  const names = devices.map(({ label }) => label).join(', ')
  return (
    <Head
      id="step-device"
      name="Connect this browser or a phone"
      icon="phone"
      done={devices.length > 0}
      version={names}
    >
      {devices.length === 0
        ? 'So that a question rings when this page is closed.'
        : `Rings: ${names}.`}
      {devices.map(({ id }) => (
        // By these `push.js` knows that this browser is connected.
        <span id={`device-${id}`} hidden />
      ))}
    </Head>
  )
}

function AgentHead({ steps, moment }: { steps: FirstSteps; moment: Moment }) {
  const { agent, others, isWaiting } = steps
  return (
    <Head
      id="step-agent"
      name="Connect an agent"
      icon="terminal"
      done={agent !== undefined || others > 0}
      version={[agent?.id, others, isWaiting].join()}
    >
      {agent ? (
        <>
          {agent.lastUsedClient ?? agent.name} called{' '}
          <Ago at={agent.lastUsedAt ?? 0} moment={moment} />.
        </>
      ) : others > 0 ? (
        'Agents of this workspace ask already. You can connect one of your own.'
      ) : isWaiting ? (
        <span class="waiting-call">
          <span class="pulse" /> Waiting for its first call. This turns green by itself.
        </span>
      ) : (
        'Claude Code, Codex or another client: a line to paste, with a token of its own.'
      )}
    </Head>
  )
}

/** The token and, for each client, what to paste. */
function NewAgent({ baseUrl, token }: { baseUrl: string; token: string }) {
  return (
    <div class="step-agent">
      <p class="rule">
        Choose the client and copy its line. The token in it is shown this once; a new one replaces
        it until an agent has used it.
      </p>
      <ClientInstructions baseUrl={baseUrl} token={token} />
    </div>
  )
}

function AskHead({ steps, moment }: { steps: FirstSteps; moment: Moment }) {
  const { question: own, devices } = steps
  const status = own && statusAt(own.question, moment.now)
  return (
    <Head
      id="step-ask"
      name="Ask me something now"
      icon="bell"
      done={status === 'answered'}
      version={[own?.question.id, status, own?.accepted].join()}
    >
      {own ? (
        <AskedWords own={own} moment={moment} />
      ) : devices.length > 0 ? (
        'A real question rings what you connected.'
      ) : (
        'A real question. It waits in this inbox, and rings once something is connected.'
      )}
    </Head>
  )
}

type AskedProps = { own: NonNullable<FirstSteps['question']>; moment: Moment }

function AskedWords({ own: { question, accepted }, moment }: AskedProps) {
  const status = statusAt(question, moment.now)
  if (status === 'answered') {
    const from = question.answerSource && ` from ${SOURCE_WORDS[question.answerSource]}`
    return (
      <>
        You answered “{verdict(question, moment.now)}”{from}. <b>Your agents do the same.</b>
      </>
    )
  }
  if (status !== 'pending') return <>Nobody answered it in time. Ask again when you are ready.</>
  const held = howSent(question, moment.now)?.long
  return (
    <>
      {held ?? ringWords(accepted)} Answer there or{' '}
      <a href={href.decide(question.id)}>on its page</a>.
    </>
  )
}

function ringWords(accepted: number): string {
  if (accepted === 0) return 'It rings nowhere yet and waits in this inbox.'
  return accepted === 1 ? 'It rings on one device.' : `It rings on ${accepted} devices.`
}
