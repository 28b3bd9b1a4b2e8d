const LATIN = /\p{Script=Latin}/u
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

/** Whether a path has letters that look like the Latin ones beside them, as the Cyrillic а does. */
export function mixesScripts(path: string): boolean {
  return LATIN.test(path) && ALIKE.test(path)
}
