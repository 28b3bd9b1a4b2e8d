/** @jsxImportSource preact */

import { type Draft, FormField, type Wrong } from '../../../platform/web/form-field.tsx'
import { href } from '../../pages/paths.ts'
import { LABEL_MAX, type Subscriber } from '../subscriber.ts'
import { TargetFields } from './target-fields.tsx'
import { TARGET_FIELDS, targetDraft } from './target-form.ts'

/** What came back with something wrong in it. */
export type Edited = { draft: Draft; wrong: Wrong }

/** The form behind "Edit": what a device is called and targeted by. */
export function DeviceEdit({ device, edited }: { device: Subscriber; edited: Edited | undefined }) {
  const now = targetDraft(device)
  const { draft, wrong } = edited ?? { draft: now, wrong: new Map<string, string>() }
  return (
    <details class="removing" open={edited !== undefined}>
      <summary aria-label={`Edit ${device.label}`}>Edit</summary>
      <form method="post" action={href.changeDevice(device.id)} class="device-edit">
        {TARGET_FIELDS.map((name) => (
          <input type="hidden" name={`was-${name}`} value={now[name]} />
        ))}
        <FormField
          name="label"
          id={`label-${device.id}`}
          label="Name"
          maxLength={LABEL_MAX}
          draft={draft}
          wrong={wrong}
        />
        <TargetFields of={device.id} draft={draft} wrong={wrong} />
        <button type="submit" class="small">
          Save
        </button>
      </form>
    </details>
  )
}
