/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { href } from '../../pages/paths.ts'
import type { Question } from '../../questions/model/question.ts'
import { enforcedWords, type Opens } from '../../scopes/model/opens.ts'
import type { Examples } from '../../scopes/model/widen.ts'
import type { ScopeDraft } from './scope-form.ts'

/** The matches of the lists in the repository of the session. */
export type ScopeSight =
  | { kind: 'wrong'; problem: string }
  | ({
      /** Examples near the patterns: paths that would be allowed, and that would not. */
      near: Examples
    } & (
      | { kind: 'examples'; examples: Examples }
      /** A hook is present and reported no paths, or none is present. */
      | { kind: 'no_paths' }
      | { kind: 'no_hook' }
    ))

type Props = { question: Question; draft: ScopeDraft; sight: ScopeSight; edited: boolean }

/** The paths of a scope as they will hold: examples, and both lists to edit before the yes. */
export function ScopePaths({ question, draft, sight, edited }: Props) {
  const to = href.editScope(question.id)
  return (
    <div class="scope">
      <ScopeExamples sight={sight} />
      <details class="scope-edit" open={edited}>
        <summary>
          <Icon name="settings" />
          Edit the paths first
        </summary>
        <p class="rule">
          One path per line. <code>src</code> is the folder with everything in it; <code>*</code>{' '}
          stands for any name, <code>**</code> for any folders. Empty lists restrict nothing.
        </p>
        <PathsField to={to} name="allowed" label="May change" text={draft.allowed} />
        <PathsField to={to} name="offLimits" label="Must not touch" text={draft.offLimits} />
        <button type="submit" class="small" formaction={to} {...showExamples(to)}>
          Show what this matches
        </button>
      </details>
    </div>
  )
}

/** Replaces the examples with those of the edited lists. */
function showExamples(to: string) {
  const place = '#scope-examples'
  return {
    'hx-post': to,
    'hx-target': place,
    'hx-select': place,
    'hx-swap': 'outerHTML',
    'hx-select-oob': '#scope-opens',
    // Sending the form does not wait for these requests.
    'hx-sync': 'this:replace',
    // The form disables its buttons while it is sent; typing sends nothing.
    'hx-disabled-elt': 'unset',
  }
}

function PathsField(props: { to: string; name: string; label: string; text: string }) {
  const { to, name, label, text } = props
  const id = `${name}-paths`
  const rows = Math.min(10, Math.max(3, text.split('\n').length + 1))
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        class="globs"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        hx-trigger="input changed delay:500ms"
        {...showExamples(to)}
      >
        {text}
      </textarea>
    </div>
  )
}

const SHOWN = 4

function ScopeExamples({ sight }: { sight: ScopeSight }) {
  return (
    <div id="scope-examples" class="scope-examples" role="status">
      {sight.kind === 'examples' && <Sorted examples={sight.examples} />}
      {sight.kind === 'wrong' && (
        <p class="problem">
          <Icon name="warning" />
          <span>{sight.problem}</span>
        </p>
      )}
      {sight.kind === 'no_paths' && (
        <p class="soft">A hook watches this session; it reported no files to show as examples.</p>
      )}
      {sight.kind === 'no_hook' && (
        <p class="soft">
          To have these paths checked, run <code>beckon setup</code> on the machine of the agent.
        </p>
      )}
      {sight.kind !== 'wrong' && <Near examples={sight.near} />}
    </div>
  )
}

// One or two show where a pattern ends.
const NEAR_SHOWN = 2

function Near({ examples }: { examples: Examples }) {
  const { within, outside, off_limits } = examples
  if (within.length + off_limits.length === 0) return null
  return (
    <dl class="facts">
      <NearPaths paths={off_limits} word="Off limits" />
      <NearPaths paths={within} word="Within" />
      <NearPaths paths={outside} word="Outside" />
    </dl>
  )
}

function NearPaths({ paths, word }: { paths: readonly string[]; word: string }) {
  if (paths.length === 0) return null
  return (
    <div>
      <dt>{word}, for example</dt>
      <dd>
        {paths.slice(0, NEAR_SHOWN).map((path, at) => (
          <>
            {at > 0 && ', '}
            <code>{path}</code>
          </>
        ))}
      </dd>
    </div>
  )
}

function Sorted({ examples: { within, outside, off_limits } }: { examples: Examples }) {
  const total = within.length + outside.length + off_limits.length
  return (
    <>
      <h2>In this repository</h2>
      <p class="soft">What a change would mean, for {total} files that the hook named:</p>
      <Sort paths={within} tone="good" icon="check" word="allowed" />
      <Sort paths={outside} tone="wait" icon="inbox" word="asked about each time" />
      <Sort paths={off_limits} tone="bad" icon="stop" word="blocked" />
    </>
  )
}

type SortProps = { paths: string[]; tone: string; icon: 'check' | 'inbox' | 'stop'; word: string }

function Sort({ paths, tone, icon, word }: SortProps) {
  if (paths.length === 0) return null
  const more = paths.length - SHOWN
  return (
    <div class="sort">
      <p class={tone}>
        <Icon name={icon} />
        <b>{paths.length}</b> {word}
      </p>
      <ul class="paths">
        {paths.slice(0, SHOWN).map((path) => (
          <li>
            <code>{path}</code>
          </li>
        ))}
        {more > 0 && <li class="soft">and {more} more</li>}
      </ul>
    </div>
  )
}

/** The paths that an open scope would allow, and whether a hook could enforce it. */
export type ScopeOpens = Opens & { isHookHere: boolean; gaps: readonly string[] }

/** Shown before the question itself, for people who read no further. */
export function ScopeOpensBox({
  opens: { what, isWide, isHookHere, gaps },
}: {
  opens: ScopeOpens
}) {
  return (
    <div id="scope-opens" class={isWide ? 'opens wide' : 'opens'}>
      <p>
        <Icon name={isWide ? 'warning' : 'key'} />
        <span>
          Allows: <b>{what}</b>
        </span>
      </p>
      <p class={isHookHere ? undefined : 'not-enforced'}>
        <Icon name={isHookHere ? 'check' : 'warning'} />
        <span>{enforcedWords(isHookHere)}</span>
      </p>
      {gaps.map((gap) => (
        <p class="not-enforced">
          <Icon name="warning" />
          <span>{gap}</span>
        </p>
      ))}
    </div>
  )
}
