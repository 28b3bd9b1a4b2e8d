/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { enforcedWords, type Opens } from '../../scopes/model/opens.ts'

/** What an open scope would allow, and whether a hook enforces it. */
export type ScopeOpens = Opens & { isEnforced: boolean }

/** Shown before the question itself, for people who read no further. */
export function ScopeOpensBox({ opens: { what, isWide, isEnforced } }: { opens: ScopeOpens }) {
  return (
    <div id="scope-opens" class={isWide ? 'opens wide' : 'opens'}>
      <p>
        <Icon name={isWide ? 'warning' : 'key'} />
        <span>
          Allows: <b>{what}</b>
        </span>
      </p>
      <p class={isEnforced ? undefined : 'not-enforced'}>
        <Icon name={isEnforced ? 'check' : 'warning'} />
        <span>{enforcedWords(isEnforced)}</span>
      </p>
    </div>
  )
}
