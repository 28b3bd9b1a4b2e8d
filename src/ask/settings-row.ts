import type { IconName } from '../platform/web/icon.tsx'
import type { Capability } from './accounts/model/person.ts'
import type { SignedIn } from './pages/visit.ts'

/** The groups of the settings page, in its order. */
export const SETTINGS_GROUPS = ['you', 'agents', 'people', 'reach', 'server'] as const
export type SettingsGroup = (typeof SETTINGS_GROUPS)[number]

/** The state of a page in a few words; `tone` if something fails there or needs a look. */
export type RowState = {
  words: string
  tone?: 'bad' | 'wait'
  /** It is being determined: the page asks again. */
  pending?: true
}

/** A row of the settings page. It leads to a page of the feature that declares it. */
export type SettingsRow = {
  group: SettingsGroup
  to: string
  icon: IconName
  name: string
  /** Absent: for everybody. */
  needs?: Capability
  /** Read each time the settings are shown, so it must take milliseconds. */
  state(visit: SignedIn): Promise<RowState>
}

/** "1 rule", "4 rules", and `none` for zero. */
export function countWords(number: number, name: string, none: string): string {
  if (number === 0) return none
  return number === 1 ? `1 ${name}` : `${number} ${name}s`
}
