/** @jsxImportSource preact */
import { type Draft, FormField, formField, type Wrong } from '../../../platform/web/form.tsx'
import type { RuleMatch } from '../model/rule-match.ts'
import { idOf, type Nameable, nobodyIs, withNames, wordOf } from './nameable.ts'

export const OWNER_TITLE = 'Whose agent'

type Props = { draft: Draft; wrong: Wrong; names: readonly Nameable[] }

/** Whose token it is: the part of a match that no caller can claim. */
export function OwnerField({ draft, wrong, names }: Props) {
  return (
    <FormField
      name="owner"
      label={OWNER_TITLE}
      draft={{ owner: withNames(draft.owner ?? '', names) }}
      wrong={wrong}
      offers={names.map(wordOf)}
    >
      An address or a group. The server knows it; the rest is what agents say.
    </FormField>
  )
}

type Proven = Pick<RuleMatch, 'owner' | 'token'>

/** What of a match the server knows; a form without the field leaves it, and the token always. */
export function readProven(
  form: URLSearchParams,
  before: Proven | undefined,
  names: readonly Nameable[],
): { draft: Draft; value: Proven; wrong: Wrong } {
  const { owner: earlier = '', token } = before ?? {}
  const word = form.has('owner') ? formField(form, 'owner') : earlier
  // Whoever is gone stays named until somebody else is.
  const owner = idOf(word, names) ?? (word === '' || word === earlier ? word : undefined)
  return {
    draft: { owner: word },
    value: { ...(owner && { owner }), ...(token !== undefined && { token }) },
    wrong: new Map(owner === undefined ? [['owner', nobodyIs(word)]] : []),
  }
}
