import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { Change } from './change.ts'
import { shownPath } from './place.ts'
import type { Place } from './setup-client.ts'

/** The change as a unified diff; a token in it is cut. */
export function diffOf({ file, bytes, text }: Change, place: Place, secrets: readonly string[]) {
  const name = shownPath(place, file.path)
  const before = file.bytes ? name : '/dev/null'
  const after = bytes ? name : '/dev/null'
  const patch = createTwoFilesPatch(before, after, file.text, text, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  })
  return masked(patch, secrets)
}

/** The text with no more than the end of each secret. */
export function masked(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((said, secret) => said.replaceAll(secret, `bk_…${secret.slice(-4)}`), text)
}
