import { type Static, Type } from '@sinclair/typebox'

/** The most settings that are shown, and the length of each. */
export const SETTINGS_MAX = 12
export const SETTING_NAME_MAX = 60
export const SETTING_VALUE_MAX = 300

/** The arguments of a tool beside the command or the change that it is about. */
export const ToolSettings = Type.Array(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: SETTING_NAME_MAX }),
      value: Type.String({ maxLength: SETTING_VALUE_MAX }),
    },
    { additionalProperties: false },
  ),
  {
    minItems: 1,
    maxItems: SETTINGS_MAX,
    description:
      'What the tool is given beside its command or change, each as its name and value: {name: "run_in_background", value: "true"}.',
  },
)
export type ToolSettings = Static<typeof ToolSettings>

// Beside the command: they change neither what runs nor where.
const HARMLESS = new Set(['description', 'timeout', 'timeout_ms', 'justification', 'explanation'])

/** Returns true if a setting changes neither what a call does nor where. */
export function isHarmless(name: string): boolean {
  return HARMLESS.has(name)
}

const WIDENS = /sandbox|escalat|permission|danger|unsafe|bypass|skip|privilege/i
const OFF = /^(?:|false|0|null|none|no|default|use_default|use_sandbox|sandboxed)$/i

/** Returns true if a setting may let a call do more than it could without. */
export function widens({ name, value }: ToolSettings[number]): boolean {
  return WIDENS.test(name) && !OFF.test(value)
}
