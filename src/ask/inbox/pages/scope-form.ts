import type { Failure } from '../../../platform/failure.ts'
import { shortPaths } from '../../scopes/model/read-globs.ts'
import type { EditedPaths } from '../../scopes/model/read-scope.ts'
import type { Contract } from '../../wire/contract.ts'

/** Both lists as in the form, one path a line. */
export type ScopeDraft = { allowed: string; offLimits: string }

/** The proposal as form values. */
export function scopeDraft({ allowedPaths, offLimitsPaths }: Contract): ScopeDraft {
  return {
    allowed: shortPaths(allowedPaths).join('\n'),
    offLimits: shortPaths(offLimitsPaths).join('\n'),
  }
}

/** Reads the lists of a form; undefined if it has none. */
export function readScopeDraft(form: URLSearchParams): ScopeDraft | undefined {
  const allowed = form.get('allowed')
  const offLimits = form.get('offLimits')
  return allowed === null || offLimits === null ? undefined : { allowed, offLimits }
}

/** The lists without empty lines. */
export function pathsOf({ allowed, offLimits }: ScopeDraft): Required<EditedPaths> {
  return { allowedPaths: linesOf(allowed), offLimitsPaths: linesOf(offLimits) }
}

const LISTS = { allowedPaths: 'May change', offLimitsPaths: 'Must not touch' }

/** Words the errors of the lists, by their labels on the page; undefined for other errors. */
export function sayWrongPaths({ fields }: Failure): string | undefined {
  const sentences = fields.map(({ field, must }) => {
    const [, list] = /^contract\.(allowedPaths|offLimitsPaths)\b/.exec(field) ?? []
    return list && `${LISTS[list as keyof typeof LISTS]}: ${must}.`
  })
  return sentences.length > 0 && sentences.every(Boolean) ? sentences.join(' ') : undefined
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
