/** @jsxImportSource preact */

import { Icon } from '../../platform/web/icon.tsx'
import { paths } from './paths.ts'

/** The way to the first question, one step marked as the next. */
export function NextStep({ device, agent }: { device: boolean; agent: boolean }) {
  const steps = [
    {
      done: device,
      icon: 'phone' as const,
      name: 'Connect a device',
      why: 'So that a question reaches you when this page is closed.',
      to: paths.devices,
    },
    {
      done: agent,
      icon: 'terminal' as const,
      name: 'Connect an agent',
      why: 'Make a token and hand it to Claude Code, Codex or another client.',
      to: paths.tokens,
    },
  ]
  const next = steps.findIndex(({ done }) => !done)
  return (
    <ol class="steps" aria-label="To get started">
      {steps.map(({ done, icon, name, why, to }, i) => (
        <li class={done ? 'done' : undefined} aria-current={i === next ? 'step' : undefined}>
          <Icon name={done ? 'check' : icon} />
          <div>
            <b>{name}</b>
            <p>{done ? 'Done' : why}</p>
          </div>
          {i === next && (
            <a class="button primary" href={to}>
              Connect
            </a>
          )}
        </li>
      ))}
    </ol>
  )
}
