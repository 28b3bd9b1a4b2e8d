/** @jsxImportSource preact */

import { Failure } from '../../../../platform/failure.ts'
import type { Draft, Wrong } from '../../../../platform/web/form.tsx'
import { readForm, WrongFields } from '../../../../platform/web/form.tsx'
import { Icon } from '../../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../../platform/web/respond.ts'
import { Layout } from '../../../pages/layout.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../../pages/page.ts'
import { paths } from '../../../pages/paths.ts'
import { readDraft } from '../../../pages/read-fields.ts'
import type { SignedIn } from '../../../pages/visit.ts'
import { listSubscribers } from '../../../subscribers/model/store.ts'
import { readNewTargets, wrongTargets } from '../../../subscribers/pages/target-fields.tsx'
import {
  type ConnectSlackDeps,
  connectChannel,
  lookAtSlack,
  removeSlack,
  type SlackState,
  saveSlack,
} from '../connect-slack.ts'
import { slackPaths } from '../paths.ts'
import { SlackAppPart } from './slack-app.tsx'
import { SlackChannels } from './slack-channels.tsx'

type Deps = ConnectSlackDeps & { baseUrl: string }

const NOTHING_TYPED: Draft = {}
const NOTHING_WRONG: Wrong = new Map()

/** `/settings/slack`: the Slack app, and the channels that questions are posted to. */
function showSlack(deps: Deps, visit: SignedIn): Promise<Response> {
  return slackPage(deps, visit)
}

async function saveSlackApp(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = readDraft(await readForm(visit.request), ['botToken', 'signingSecret'])
  const { botToken = '', signingSecret = '' } = form
  return orWrong(deps, visit, NOTHING_TYPED, async () => {
    await saveSlack(deps, visit.person, { botToken, signingSecret })
    return seeOther(slackPaths.app)
  })
}

async function removeSlackApp(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await removeSlack(deps, visit.person)
  return seeOther(slackPaths.app)
}

async function addSlackChannel(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const draft = readDraft(form, ['channel', 'label', 'tags', 'externalId'])
  const { channel = '', label = '' } = draft
  return orWrong(deps, visit, draft, async () => {
    const targets = readNewTargets(form)
    const { id } = await connectChannel(deps, visit.person, { channel, label, ...targets })
    return seeOther(`${slackPaths.app}#device-${id}`)
  })
}

/** Returns invalid fields beside the field; throws anything else. */
async function orWrong(
  deps: Deps,
  visit: SignedIn,
  draft: Draft,
  act: () => Promise<Response>,
): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
    const wrong = new Map(wrongTargets(error.fields))
    for (const { field, must } of error.fields) {
      const name = NAMES[field]
      if (name) wrong.set(field, `${name} ${must}.`)
    }
    return slackPage(deps, visit, draft, wrong)
  }
}

/** The fields of the form at the end of the page. */
const SECRETS = { botToken: 'Bot token', signingSecret: 'Signing secret' }

const NAMES: Record<string, string> = {
  botToken: 'The bot token',
  signingSecret: 'The signing secret',
  channel: 'The channel',
}

async function slackPage(
  deps: Deps,
  visit: SignedIn,
  draft = NOTHING_TYPED,
  wrong = NOTHING_WRONG,
): Promise<Response> {
  const [app, state, devices] = await Promise.all([
    deps.slack.app(),
    lookAtSlack(deps),
    listSubscribers(deps.db.read, visit.person.workspaceId),
  ])
  const wrongSecrets = new Map([...wrong].filter(([field]) => field in SECRETS))
  const channels = devices.filter(({ transport }) => transport === 'slack')
  return html(
    <Layout
      visit={visit}
      title="Slack"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Slack</h1>
        <p class="sub">Questions appear in a channel or a direct message, with buttons.</p>
      </div>
      <WrongFields wrong={wrongSecrets} labels={SECRETS} />
      <State state={state} />
      {state.state === 'works' && (
        <SlackChannels channels={channels} moment={visit.moment} draft={draft} wrong={wrong} />
      )}
      <SlackAppPart app={app} baseUrl={deps.baseUrl} wrong={wrong} />
    </Layout>,
    wrong.size > 0 ? 422 : 200,
  )
}

function State({ state }: { state: SlackState }) {
  if (state.state === 'not_set_up') return null
  const works = state.state === 'works'
  return (
    <p class={`result ${works ? 'good' : 'bad'}`} role="status">
      <Icon name={works ? 'check' : 'warning'} />
      <span>{works ? `Signed in to ${state.team} as @${state.bot}.` : state.said}</span>
    </p>
  )
}

/** For people. */
export function slackPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', slackPaths.app, showSlack, 'slack'),
    signedInPage('POST', slackPaths.app, saveSlackApp, 'slack'),
    redirectTo(slackPaths.channels, () => slackPaths.app),
    signedInPage('POST', slackPaths.channels, addSlackChannel, 'slack'),
    redirectTo(slackPaths.forget, () => slackPaths.app),
    signedInPage('POST', slackPaths.forget, removeSlackApp, 'slack'),
  ])
}
