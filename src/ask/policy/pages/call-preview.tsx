/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { durationWords } from '../../../platform/duration.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import { FormField, type Wrong } from '../../../platform/web/form.tsx'
import { Fact } from '../../pages/fact.tsx'
import { href } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import type { OnTimeout } from '../../wire/delivery-mode.ts'
import { ruleFactsOf } from '../model/rule-facts.ts'
import type { Policies } from '../model/store.ts'
import { type ImaginedCall, type Preview, previewCall } from '../preview-call.ts'
import { RuleWords } from './rule-words.tsx'

const FINE: Wrong = new Map()

/** "What would happen to this call", with the saved policy; asks nobody and changes nothing. */
export function CallPreview({ preview, action }: { preview: Previewed; action: string }) {
  const { draft, found: result } = preview
  const fields = { draft, wrong: FINE }
  return (
    <section class="part preview" id="preview">
      <h2>What would happen to this call</h2>
      <p class="soft">
        Tried with the saved policy and rules, for a session that is not paused. Nothing is sent.
      </p>
      {result && <Result preview={result} />}
      <form
        action={`${action}#preview`}
        hx-get={action}
        hx-target="#preview"
        hx-select="#preview"
        hx-swap="outerHTML"
      >
        <fieldset class="switches">
          <legend>The agent asks</legend>
          <label>
            <input
              type="radio"
              name="asks"
              value="permission"
              checked={draft.asks !== 'question'}
            />
            whether it may use a tool
          </label>
          <label>
            <input type="radio" name="asks" value="question" checked={draft.asks === 'question'} />a
            question of its own
          </label>
        </fieldset>
        <div class="two">
          <FormField name="toolName" label="Tool" placeholder="Bash" {...fields} />
          <FormField name="toolTarget" label="On what" placeholder="git push origin" {...fields} />
          <FormField name="agentName" label="Agent" placeholder="Codex - shop" {...fields} />
          <FormField name="repoKey" label="Repository" {...fields} />
          <FormField name="machineId" label="Machine" {...fields} />
        </div>
        <label class="check">
          <input type="checkbox" name="test" value="yes" checked={draft.test === 'yes'} />
          <span>With a token for tests</span>
        </label>
        <button type="submit">Try it</button>
      </form>
    </section>
  )
}

function Result({ preview }: { preview: Preview }) {
  const { plan, devices } = preview
  const isDelivered = isSent(preview)
  return (
    <div class="outcome calm foretold" role="status">
      <div>
        <p class="verdict">{verdict(preview)}</p>
        <dl class="facts">
          {isDelivered && <Devices devices={devices} phone={plan.phone} />}
          <Fact name="The agent">{outcomeText(preview)}</Fact>
          <Fact name="Decided by">
            <DecidedBy plan={plan} />
          </Fact>
        </dl>
      </div>
    </div>
  )
}

function isSent({ plan }: Preview): boolean {
  return !plan.held && plan.deliveryMode !== 'terminal_only'
}

function verdict({ plan, devices }: Preview): string {
  if (plan.held) return 'It is kept here and sent to nobody.'
  if (plan.deliveryMode === 'terminal_only') {
    return plan.quiet ? 'Quiet hours: nothing is sent.' : 'Nothing is sent.'
  }
  if (devices.length === 0) return 'Nobody is notified: no device matches.'
  if (plan.deliveryMode === 'notify_only') return 'You are told, and the agent does not wait.'
  return `You are asked, and the agent waits ${durationWords(plan.waitMs)}.`
}

function outcomeText({ plan, devices }: Preview): string {
  if (plan.held === 'test_traffic') {
    return 'It may wait for an answer from the activity page, as test traffic does.'
  }
  if (plan.held) {
    return 'It named neither a tool nor a session, so nobody could tell whose it is. It asks in the terminal.'
  }
  if (plan.deliveryMode === 'terminal_only' || plan.deliveryMode === 'notify_only') {
    return 'Asks in the terminal, at once.'
  }
  const only = plan.deliveryMode === 'push_only'
  if (plan.onTimeout) return timeoutSentence(plan.onTimeout, only)
  if (devices.length === 0) {
    return only ? 'Stops and says why.' : 'Does not wait and asks in the terminal.'
  }
  return only
    ? 'Without an answer it goes on waiting until the question ends after ten minutes.'
    : 'Without an answer it asks in the terminal.'
}

function timeoutSentence(onTimeout: OnTimeout, only: boolean): string {
  const when = only ? 'When the question ends after ten minutes' : 'When it has waited in vain'
  return onTimeout === 'deny'
    ? `${when}, it is told that nobody answered and that the rule declines it then.`
    : `${when}, it asks in the terminal.`
}

function Devices({ devices, phone }: { devices: Subscriber[]; phone: Preview['plan']['phone'] }) {
  const { graceMs, phoneDelayMs } = phone
  const afterMs = Math.ceil(Math.max(graceMs, phoneDelayMs) / 1_000) * 1_000
  const atOnce = afterMs === 0
  const now = devices.filter(({ kind }) => atOnce || kind !== 'phone')
  const phones = devices.filter(({ kind }) => !atOnce && kind === 'phone')
  return (
    <>
      {now.length > 0 && <Fact name="Rings at once">{names(now)}</Fact>}
      {phones.length > 0 && (
        <Fact name={`Rings after ${durationWords(afterMs)}`}>
          {names(phones)}
          {phoneDelayMs > graceMs &&
            ', because somebody was at a terminal of that machine just now'}
        </Fact>
      )}
    </>
  )
}

function names(devices: Subscriber[]): string {
  return devices.map(({ label }) => label).join(', ')
}

function DecidedBy({ plan: { rule, quiet, held } }: Pick<Preview, 'plan'>) {
  if (held) return <>Its kind: neither policy nor rules send it.</>
  return (
    <>
      {quiet && 'The quiet hours, whatever the rules say. '}
      {rule ? (
        <a href={href.rule(rule.id)}>
          <RuleWords rule={rule} />
        </a>
      ) : (
        'The policy; no rule matches.'
      )}
    </>
  )
}

type Deps = { db: Db; clock: Clock; policies: Policies }

const NAMES = ['toolName', 'toolTarget', 'repoKey', 'agentName', 'machineId'] as const
const TEXT_MAX = 200

/** The input of the preview, and its result if there was input. */
type Previewed = { draft: Record<string, string>; found: Preview | undefined }

/** Reads the imagined call from the address, and plans it; changes nothing. */
export async function readPreview(deps: Deps, visit: SignedIn): Promise<Previewed> {
  const { searchParams } = visit.url
  const text = (name: string) => cutText(cleanLine(searchParams.get(name) ?? ''), TEXT_MAX)
  const asks = text('asks')
  const test = text('test')
  const draft = { ...Object.fromEntries(NAMES.map((name) => [name, text(name)])), asks, test }
  if (asks === '') return { draft, found: undefined }
  const fields = (names: readonly (typeof NAMES)[number][]) =>
    Object.fromEntries(names.flatMap((name) => (text(name) === '' ? [] : [[name, text(name)]])))
  const call: ImaginedCall = {
    ...ruleFactsOf({
      ...{ repoKey: undefined, agentName: undefined, machineId: undefined },
      ...fields(['repoKey', 'agentName', 'machineId']),
      detail: fields(['toolName', 'toolTarget']),
    }),
    permission: asks === 'permission',
    test: test === 'yes',
  }
  return { draft, found: await previewCall(deps, visit.person.workspaceId, call) }
}
