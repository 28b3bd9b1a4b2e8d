const LATIN = /\p{Script=Latin}/u
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

/**
 * Whether a path contains letters that look like the Latin ones beside them, such as the Cyrillic
 * а.
 */
export function mixesScripts(path: string): boolean {
  return LATIN.test(path) && ALIKE.test(path)
}
