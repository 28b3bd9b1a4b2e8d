import { DEFAULT_POLICY, type Policy } from './policy.ts'

/** The fields that a preset sets; quiet hours, devices and fail-over stay as they are. */
const FIELDS = ['deliveryMode', 'waitMs', 'graceMs', 'presenceMs', 'pauseAfterUnanswered'] as const

/** What a preset sets. */
export type Preset = Pick<Policy, (typeof FIELDS)[number]>

export const PRESET_IDS = ['devices_first', 'devices_only', 'quiet', 'terminal'] as const
export type PresetId = (typeof PRESET_IDS)[number]

const usual = presetFields(DEFAULT_POLICY)

/** Ready policies, of which a person chooses one by its words (docs/policy.md#presets). */
export const PRESETS: Readonly<Record<PresetId, Preset>> = {
  devices_first: usual,
  // The terminal never asks, so nothing may keep the phone silent.
  devices_only: { ...usual, deliveryMode: 'push_only', presenceMs: 0, pauseAfterUnanswered: 0 },
  quiet: { ...usual, deliveryMode: 'notify_only' },
  terminal: { ...usual, deliveryMode: 'terminal_only' },
}

/** The fields of a policy that presets set. */
export function presetFields(policy: Policy): Preset {
  const { deliveryMode, waitMs, graceMs, presenceMs, pauseAfterUnanswered } = policy
  return { deliveryMode, waitMs, graceMs, presenceMs, pauseAfterUnanswered }
}

/** The preset that is in force; undefined if a field was changed by hand. */
export function presetInForce(policy: Policy): PresetId | undefined {
  return PRESET_IDS.find((id) => FIELDS.every((field) => PRESETS[id][field] === policy[field]))
}
