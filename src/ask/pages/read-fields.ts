import { formField } from '../../platform/web/form.tsx'

/** The named fields of a form as they were typed. */
export function readDraft(form: URLSearchParams, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, formField(form, name)]))
}
