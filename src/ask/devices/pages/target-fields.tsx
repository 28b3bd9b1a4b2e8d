/** @jsxImportSource preact */

import { type Draft, FormField, type Wrong } from '../../../platform/web/form-field.tsx'
import { EXTERNAL_ID_MAX, TAG_MAX, TAGS_MAX } from '../model/subscriber.ts'

type Props = {
  /** Tells the ids of these fields from those of other forms on the page. */
  of: string
  draft: Draft
  wrong: Wrong
}

// What the tags come to with a comma and a blank between them.
const ALL_TAGS_MAX = TAGS_MAX * (TAG_MAX + 2)

/** By what agents, rules and the policy name a device; both may be empty. */
export function TargetFields({ of, draft, wrong }: Props) {
  return (
    <>
      <FormField
        name="tags"
        id={`tags-${of}`}
        label="Tags (optional)"
        placeholder="work, phone"
        maxLength={ALL_TAGS_MAX}
        draft={draft}
        wrong={wrong}
      >
        Separated by commas. Agents, rules and the policy reach every device with a tag.
      </FormField>
      <FormField
        name="externalId"
        id={`externalId-${of}`}
        label="External id (optional)"
        maxLength={EXTERNAL_ID_MAX}
        draft={draft}
        wrong={wrong}
      >
        Your own id for it or for its person, for calls that name one.
      </FormField>
    </>
  )
}

/** What a device carries of both; nothing where it carries none. */
export function Targets({ tags, externalId }: { tags: string[]; externalId: string | undefined }) {
  if (tags.length === 0 && externalId === undefined) return null
  return (
    <p class="targets">
      {tags.map((tag) => (
        <span class="chip">{tag}</span>
      ))}
      {externalId !== undefined && (
        <span class="soft">
          id <code>{externalId}</code>
        </span>
      )}
    </p>
  )
}
