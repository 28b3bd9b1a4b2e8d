import type { ManifestFile } from '../signing/manifest.ts'

/** A signed manifest with everything that comes with it, from any place. */
export type SignedCatalog = {
  manifest: Uint8Array
  jws: unknown
  keys: unknown
  /** The file with this hash; undefined if it does not exist. Reads at most `size` + 1 bytes. */
  file(sha256: string, size: number): Promise<Uint8Array | undefined>
  /** The document in each form that readers get; missing where only mirrors read. */
  versions?(file: ManifestFile): AsyncIterable<ServedVersion>
  /** The files that no manifest lists, where they can be listed. */
  others?(files: readonly ManifestFile[]): Others
  /** A text beside the documents, by its address; undefined if it is not offered. */
  text?(path: string): Promise<string | undefined>
  /** The archive that is offered to mirrors; undefined if there is none. */
  archive?(): Promise<SignedCatalog | undefined>
  /** The bytes of the manifest that is offered now, where it may change. */
  again?(): Promise<Uint8Array | undefined>
}

/** A document as readers get it: its bytes without any coding, or why there are none. */
export type ServedVersion = { name: string; bytes: Uint8Array } | { name: string; why: string }

/** Files without a signature: `expected` belong to a web server, `unknown` to nobody. */
export type Others = { expected: string[]; unknown: string[] }

/** The address gave no usable answer. */
export class Unreachable extends Error {}

export function parsedJson(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes && JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
