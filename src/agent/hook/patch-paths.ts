import type { Touch } from '../../ask/wire/matcher/judge.ts'
import type { PathTouch } from './tool-call.ts'

const HEADERS: ReadonlyArray<readonly [word: string, touch: Touch]> = [
  ['*** Add File:', 'write'],
  ['*** Update File:', 'write'],
  ['*** Delete File:', 'delete'],
  ['*** Move to:', 'write'],
]

export const PATCH_BEGIN = '*** Begin Patch'

/** The files that a patch of `apply_patch` touches, in its order; a moved file is two of them. */
export function pathsOfPatch(patch: string): PathTouch[] {
  return patch.split(/\r\n|\n|\r/).flatMap((line) => {
    const header = HEADERS.find(([word]) => line.trimStart().startsWith(word))
    if (!header) return []
    const [word, touch] = header
    const path = line.trimStart().slice(word.length).trim()
    return path === '' ? [] : [{ path, touch }]
  })
}
