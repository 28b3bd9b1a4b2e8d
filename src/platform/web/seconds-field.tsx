/** @jsxImportSource preact */
import type { ComponentProps } from 'preact'
import { FormField } from './form-field.tsx'

// As the policy and its rules take them (docs: policy).
const LIMITS = { wait: { min: 1, max: 55 }, grace: { min: 0, max: 55 } } as const

type Props = Omit<ComponentProps<typeof FormField>, 'name' | 'type' | 'min' | 'max'>

/** How long a call waits, or phones are spared: the same field of the policy and of a rule. */
export function SecondsField({ name, ...props }: Props & { name: keyof typeof LIMITS }) {
  return <FormField name={name} type="number" {...LIMITS[name]} {...props} />
}
