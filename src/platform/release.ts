import { VERSION } from './program.ts'

// `bun run release` defines these with --define; otherwise they do not exist.
declare const RELEASE_PUBLIC_KEY: string | undefined
declare const RELEASE_TARGET: string | undefined
declare const RELEASE_URL: string | undefined

/** The release data in a released executable. In a development build all but `version` is empty. */
export const RELEASE = {
  version: VERSION,
  /** The key that releases are signed with: the second line of a public key file of minisign. */
  publicKey: typeof RELEASE_PUBLIC_KEY === 'string' ? RELEASE_PUBLIC_KEY : '',
  /** The target of this executable, such as `linux-x64`, `linux-arm64-musl` or `windows-x64`. */
  target: typeof RELEASE_TARGET === 'string' ? RELEASE_TARGET : '',
  /** Where releases are published, without a slash at the end; see docs/contributing/releasing.md. */
  url: typeof RELEASE_URL === 'string' ? RELEASE_URL : '',
}
