/** A library that Bun links into every executable. */
export type NativePart = {
  name: string
  /** Undefined where Bun does not say it. */
  version: string | undefined
  /** An SPDX expression; undefined for several licences, whose texts are at the address. */
  licence: string | undefined
  address: string
  /** A package URL without a version. */
  purl: string
  /** Where it is not in every executable. */
  where?: string
}

type Row = Omit<NativePart, 'name' | 'version' | 'address' | 'purl'> & {
  /** A repository at GitHub, or an address. */
  from: string
  /** The name of the part in `process.versions`. */
  key?: string
}

/** By the names of Bun's page of licences, which has all but the last two. */
export const LINKED: Record<string, Row> = {
  boringssl: { from: 'google/boringssl', licence: undefined, key: 'boringssl' },
  brotli: { from: 'google/brotli', licence: 'MIT' },
  libarchive: { from: 'libarchive/libarchive', licence: undefined, key: 'libarchive' },
  'lol-html': { from: 'cloudflare/lol-html', licence: 'BSD-3-Clause', key: 'lolhtml' },
  'ls-hpack': { from: 'litespeedtech/ls-hpack', licence: 'MIT AND BSD-2-Clause', key: 'lshpack' },
  'ls-qpack': { from: 'litespeedtech/ls-qpack', licence: 'MIT' },
  lsquic: { from: 'litespeedtech/lsquic', licence: 'MIT AND BSD-3-Clause' },
  mimalloc: { from: 'microsoft/mimalloc', licence: 'MIT', key: 'mimalloc' },
  picohttp: {
    from: 'h2o/picohttpparser',
    licence: 'Artistic-1.0-Perl OR MIT',
    key: 'picohttpparser',
  },
  zstd: { from: 'facebook/zstd', licence: 'BSD-3-Clause OR GPL-2.0-only', key: 'zstd' },
  simdutf: { from: 'simdutf/simdutf', licence: 'Apache-2.0' },
  tinycc: { from: 'TinyCC/tinycc', licence: 'LGPL-2.1-only', key: 'tinycc' },
  uSockets: { from: 'uNetworking/uSockets', licence: 'Apache-2.0', key: 'usockets' },
  'zlib-ng': { from: 'zlib-ng/zlib-ng', licence: 'Zlib', key: 'zlib' },
  'c-ares': { from: 'c-ares/c-ares', licence: 'MIT', key: 'ares' },
  libicu: { from: 'unicode-org/icu', licence: 'ICU', key: 'icu' },
  libbase64: { from: 'aklomp/base64', licence: 'BSD-2-Clause' },
  libuv: { from: 'libuv/libuv', licence: 'MIT', key: 'uv', where: 'Only for Windows.' },
  libdeflate: { from: 'ebiggers/libdeflate', licence: 'MIT', key: 'libdeflate' },
  'libjpeg-turbo': {
    from: 'libjpeg-turbo/libjpeg-turbo',
    licence: 'BSD-3-Clause AND IJG AND Zlib',
  },
  libspng: { from: 'randy408/libspng', licence: 'BSD-2-Clause AND libpng-2.0' },
  libwebp: { from: 'webmproject/libwebp', licence: 'BSD-3-Clause' },
  highway: { from: 'google/highway', licence: 'Apache-2.0' },
  HdrHistogram_c: { from: 'HdrHistogram/HdrHistogram_c', licence: 'CC0-1.0 OR BSD-2-Clause' },
  sqlite: {
    from: 'https://sqlite.org',
    licence: 'blessing',
    key: 'sqlite',
    where: 'For Linux and Windows; on macOS that of the system.',
  },
  uWebsockets: { from: 'jarred-sumner/uwebsockets', licence: 'Apache-2.0', key: 'uwebsockets' },
  WebKit: { from: 'oven-sh/WebKit', licence: 'LGPL-2.0-only', key: 'webkit' },
  llhttp: { from: 'nodejs/llhttp', licence: 'MIT', key: 'llhttp' },
}

/** Entries of `process.versions` that are no library in Bun, or no version of one. */
export const NO_PARTS: Record<string, string> = {
  bun: 'the runtime itself',
  node: 'the version of Node.js whose interface Bun has',
  openssl: 'the interface of BoringSSL',
  v8: 'the interface for modules of Node.js',
  napi: 'the interface for modules of Node.js',
  modules: 'the interface for modules of Node.js',
  unicode: 'the data in ICU',
  zig: 'the compiler',
  typescript: 'the language that Bun reads',
}

/** The libraries in the runtime that makes this release, as it says itself. */
export function nativeParts(
  versions: Record<string, string | undefined> = process.versions,
): NativePart[] {
  return Object.entries(LINKED).map(([name, { from, key, ...row }]) => {
    const isAddress = from.startsWith('https:')
    return {
      ...row,
      name,
      version: key && versions[key],
      address: isAddress ? from : `https://github.com/${from}`,
      purl: isAddress ? `pkg:generic/${name}` : `pkg:github/${from.toLowerCase()}`,
    }
  })
}
