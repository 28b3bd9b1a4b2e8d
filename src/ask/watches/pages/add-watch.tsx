/** @jsxImportSource preact */

import {
  type Draft,
  FieldFrame,
  FieldProblem,
  FormField,
  type Wrong,
} from '../../../platform/web/form.tsx'
import { Adding } from '../../../platform/web/page-parts.tsx'
import { WATCHED_NEWS, WATCHED_NEWS_NAMES, type WatchedNews } from '../model/watch.ts'
import { watchPaths } from '../paths.ts'

/** What the catalog offers. */
export type Choices = {
  categories: ReadonlyArray<{ id: string; name: string }>
  capabilities: readonly string[]
}

type Props = {
  draft: Draft
  news: readonly WatchedNews[]
  choices: Choices
  wrong: Wrong
}

const KINDS = [
  ['tool', 'A tool'],
  ['category', 'A category'],
  ['capability', 'A capability'],
] as const

const OFFERS_MAX = 200

/** The form that adds a watch, or changes what one tells; open if a page of the catalog led here. */
export function AddWatch({ draft, news, choices, wrong }: Props) {
  const offers = [...choices.categories.map(({ id }) => id), ...choices.capabilities]
  return (
    <Adding name="Add a watch" open={wrong.size > 0 || draft.target !== undefined}>
      <form method="post" action={watchPaths.watches} class="requests">
        <FieldFrame name="kind" label="What">
          {(attributes) => (
            <select {...attributes}>
              {KINDS.map(([value, words]) => (
                <option value={value} selected={draft.kind === value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </FieldFrame>
        <FormField
          name="target"
          label="Its name in the catalog"
          maxLength={100}
          draft={draft}
          wrong={wrong}
          autocapitalize="none"
          spellcheck={false}
          offers={offers.slice(0, OFFERS_MAX)}
          required
        >
          The last part of its address, such as acme-mail, messaging or email.send.
        </FormField>
        <fieldset class="switches" id="news-sorts">
          <legend>You are told of</legend>
          {WATCHED_NEWS_NAMES.map((name) => (
            <label>
              <input type="checkbox" name="news" value={name} checked={news.includes(name)} />
              {WATCHED_NEWS[name]}
            </label>
          ))}
        </fieldset>
        <FieldProblem name="news" wrong={wrong} />
        <button type="submit" class="primary">
          Watch
        </button>
      </form>
    </Adding>
  )
}
