import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { Change } from './change.ts'
import type { Place } from './client-setup.ts'
import { shownPath } from './place.ts'

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

/** The text with no more than the end of each secret, and of whatever looks like a token. */
export function masked(text: string, secrets: readonly string[]): string {
  const shown = secrets
    .filter((secret) => secret !== '')
    .reduce((said, secret) => said.replaceAll(secret, `bk_…${secret.slice(-4)}`), text)
  // One of an earlier setup is as good as the one that is known.
  return shown.replace(/bk_[0-9A-Za-z]{28,}([0-9A-Za-z]{4})/g, 'bk_…$1')
}
