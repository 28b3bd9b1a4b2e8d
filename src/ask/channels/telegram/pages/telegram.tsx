/** @jsxImportSource preact */

import { Failure } from '../../../../platform/failure.ts'
import type { Wrong } from '../../../../platform/web/form.tsx'
import { formField, readForm } from '../../../../platform/web/form.tsx'
import { Icon } from '../../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../../platform/web/respond.ts'
import { may } from '../../../accounts/model/person.ts'
import { Layout } from '../../../pages/layout.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../../pages/page.ts'
import { paths } from '../../../pages/paths.ts'
import type { SignedIn } from '../../../pages/visit.ts'
import { listOwnSubscribers } from '../../../subscribers/model/page-store.ts'
import type { Subscriber, SubscriberId } from '../../../subscribers/model/subscriber.ts'
import { readBot } from '../bot.ts'
import {
  beginConnecting,
  type ConnectTelegramDeps,
  lookAtTelegram,
  removeTelegram,
  saveTelegram,
  sendAccountLink,
  startLink,
  type TelegramState,
} from '../connect-telegram.ts'
import { telegramPaths } from '../paths.ts'
import { TelegramBotPart } from './telegram-bot.tsx'

type Deps = ConnectTelegramDeps & { baseUrl: string }

/** `/settings/telegram`: one's own chat, and for owners the bot. */
function showTelegram(deps: Deps, visit: SignedIn): Promise<Response> {
  return telegramPage(deps, visit)
}

/** Shows the link that connects the person's own chat, once. */
async function connectChat(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  return telegramPage(deps, visit, { code: await beginConnecting(deps, visit.person) })
}

/** Sends a link to the chat; the page that says so follows. */
async function answerHere(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  await sendAccountLink(deps, visit.person, formField(form, 'id') as SubscriberId)
  return telegramPage(deps, visit, { wasSent: true })
}

async function saveBot(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  try {
    await saveTelegram(deps, visit.person, formField(form, 'botToken'))
    return seeOther(telegramPaths.settings)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
    const wrong = new Map(error.fields.map(({ field, must }) => [field, `The token ${must}.`]))
    return telegramPage(deps, visit, { wrong })
  }
}

async function removeBot(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await removeTelegram(deps, visit.person)
  return seeOther(telegramPaths.settings)
}

type TelegramView = { code?: string; wrong?: Wrong; wasSent?: boolean }

async function telegramPage(
  deps: Deps,
  visit: SignedIn,
  view: TelegramView = {},
): Promise<Response> {
  const { code, wrong = new Map(), wasSent } = view
  const { person } = visit
  const [bot, state, devices] = await Promise.all([
    readBot(deps.db.read, deps.config),
    lookAtTelegram(deps),
    listOwnSubscribers(deps.db.read, { workspaceId: person.workspaceId, personId: person.id }),
  ])
  const mine = devices.filter(({ transport }) => transport === 'telegram')
  const isOwner = may(person, 'telegram')
  return html(
    <Layout
      visit={visit}
      title="Telegram"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Telegram</h1>
        <p class="sub">Questions appear in a chat with a bot, with a button that opens them.</p>
      </div>
      {wasSent && (
        <p class="result good" role="status">
          <Icon name="check" />
          <span>The link was sent to the chat. Open it there within 10 minutes.</span>
        </p>
      )}
      {(isOwner || state.state === 'fails') && <State state={state} />}
      {state.state === 'works' && <OwnChat bot={state.bot} code={code} mine={mine} />}
      {isOwner && <TelegramBotPart bot={bot} wrong={wrong} />}
      {!isOwner && state.state === 'not_set_up' && (
        <p class="notice">An owner of this workspace has to set up a bot first.</p>
      )}
    </Layout>,
    wrong.size > 0 ? 422 : 200,
  )
}

function State({ state }: { state: TelegramState }) {
  if (state.state === 'not_set_up') return null
  const works = state.state === 'works'
  return (
    <p class={`result ${works ? 'good' : 'bad'}`} role="status">
      <Icon name={works ? 'check' : 'warning'} />
      <span>{works ? `The bot is @${state.bot}.` : state.said}</span>
    </p>
  )
}

type OwnChatProps = { bot: string; code: string | undefined; mine: Subscriber[] }

function OwnChat({ bot, code, mine }: OwnChatProps) {
  return (
    <section class="part new" aria-labelledby="chat-title">
      <h2 id="chat-title">Your chat</h2>
      {mine.map(({ id, label }) => (
        <form method="post" action={telegramPaths.answerHere}>
          <p>
            <a href={`${paths.devices}?at=${id}#device-${id}`}>{label}</a> is connected.
          </p>
          <input type="hidden" name="id" value={id} />
          <button type="submit">Answer in this chat</button>
          <p class="rule">
            Sends a link there. Once you open it, the chat has Yes and No, and takes your words.
          </p>
        </form>
      ))}
      {code === undefined ? <Begin again={mine.length > 0} /> : <Link bot={bot} code={code} />}
    </section>
  )
}

function Begin({ again }: { again: boolean }) {
  return (
    <form method="post" action={telegramPaths.connect}>
      <p class="soft">
        Whoever reads the chat can answer with the link in a question. Telegram can read what is
        sent.
      </p>
      <button type="submit" class={again ? '' : 'primary'}>
        {again ? 'Connect another chat' : 'Connect your chat'}
      </button>
    </form>
  )
}

function Link({ bot, code }: { bot: string; code: string }) {
  return (
    <>
      <p>
        <a
          class="button primary"
          href={startLink(bot, code)}
          rel="noreferrer noopener"
          target="_blank"
        >
          Open @{bot} in Telegram
        </a>
      </p>
      <p class="soft">
        Then press Start there. Or send the bot this message: <code>/start {code}</code>
      </p>
      <p class="soft">The link works once, for 15 minutes, and for you alone.</p>
      <p>
        <a class="button" href={telegramPaths.settings}>
          I have pressed Start
        </a>
      </p>
    </>
  )
}

export function telegramPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', telegramPaths.settings, showTelegram, 'act'),
    signedInPage('POST', telegramPaths.settings, saveBot, 'telegram'),
    redirectTo(telegramPaths.connect, () => telegramPaths.settings),
    signedInPage('POST', telegramPaths.connect, connectChat),
    redirectTo(telegramPaths.answerHere, () => telegramPaths.settings),
    signedInPage('POST', telegramPaths.answerHere, answerHere),
    redirectTo(telegramPaths.forget, () => telegramPaths.settings),
    signedInPage('POST', telegramPaths.forget, removeBot, 'telegram'),
  ])
}
