/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { PushState } from '../../devices/pages/this-device.tsx'
import { paths } from '../../pages/paths.ts'

type NextStepProps = { device: boolean; agent: boolean; vapidKey: string | undefined }

/** The steps to the first question, with the next one marked. */
export function SetUpStep({ device, agent, vapidKey }: NextStepProps) {
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
    <ol class="steps" id="steps" aria-label="To get started">
      {steps.map(({ done, icon, name, why, to }, i) => {
        const here = i === next && to === paths.devices
        return (
          <li
            class={done ? 'done' : undefined}
            aria-current={i === next ? 'step' : undefined}
            id={here ? 'this-browser' : undefined}
            data-vapid-key={here ? vapidKey : undefined}
          >
            <Icon name={done ? 'check' : icon} />
            <div>
              <b>{name}</b>
              <p>{done ? 'Done' : why}</p>
              {here && <PushState />}
            </div>
            {here && <ConnectHere />}
            {i === next && !here && (
              <a class="button primary" href={to}>
                Connect
              </a>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Connects this browser on the spot; everything else is on the page of devices. */
function ConnectHere() {
  return (
    <>
      <button type="button" class="primary" data-push-connect hidden>
        Connect this browser
      </button>
      <a class="button" href={paths.devices}>
        Another device
      </a>
    </>
  )
}
