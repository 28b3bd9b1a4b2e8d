/** @jsxImportSource preact */
import type { ComponentProps } from 'preact'
import { durationWords } from '../duration.ts'
import { FormField } from './form.tsx'

type Limits = { minMs: number; maxMs: number }
type Props = Omit<ComponentProps<typeof FormField>, 'type' | 'min' | 'max'> & Limits

/** A time as people write it, `45 s` or `1 min`, with its limits beside it. */
export function DurationField({ minMs, maxMs, children, ...props }: Props) {
  return (
    <FormField placeholder="45 s" maxLength={40} {...props}>
      {children} {limitsOf({ minMs, maxMs })}
    </FormField>
  )
}

/** `1 s to 55 s.` */
function limitsOf({ minMs, maxMs }: Limits): string {
  return `${durationWords(minMs)} to ${durationWords(maxMs)}.`
}

/** The error for a time that is outside its limits, or not a time. */
export function wrongDuration(limits: Limits): string {
  return `Must be a time like 45 s or 1 min, ${limitsOf(limits)}`
}
