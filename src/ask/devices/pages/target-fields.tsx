/** @jsxImportSource preact */

import { type Draft, FormField, type Wrong } from '../../../platform/web/form-field.tsx'
import { EXTERNAL_ID_MAX, TAG_MAX, TAGS_MAX } from '../model/subscriber.ts'

type Props = {
  /** Distinguishes the ids of these fields from those of other forms on the page. */
  of: string
  draft: Draft
  wrong: Wrong
}

// The length of all tags, separated by a comma and a space.
const ALL_TAGS_MAX = TAGS_MAX * (TAG_MAX + 2)

/** What agents, rules and the policy target a device by; both may be empty. */
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

/** The tags and external id of a device; nothing if it has neither. */
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
