/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../../platform/web/icon.tsx'
import type { Check, State } from '../check.ts'

export type CheckLook = { tone: 'bad' | 'wait' | 'calm' | 'good'; icon: IconName }

export const CHECK_LOOKS: Record<State, CheckLook> = {
  fail: { tone: 'bad', icon: 'cross' },
  warn: { tone: 'wait', icon: 'warning' },
  skip: { tone: 'calm', icon: 'minus' },
  ok: { tone: 'good', icon: 'check' },
}

type Props = { check: Check; look?: CheckLook; children?: ComponentChildren }

/** What a check found, and the cure. */
export function CheckRow({ check, look = CHECK_LOOKS[check.state], children }: Props) {
  const { name, said: message, each = [message], cure } = check
  return (
    <li class="thing">
      <span class={look.tone}>
        <Icon name={look.icon} />
      </span>
      <div>
        <p class="thing-name">
          <b>{name}</b>
        </p>
        {each.map((sentence) => (
          <p class="soft">{sentence}</p>
        ))}
        {cure !== undefined && <p>{cure}</p>}
      </div>
      {children}
    </li>
  )
}
