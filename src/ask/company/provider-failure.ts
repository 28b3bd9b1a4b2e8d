/**
 * Why a provider did not sign somebody in. `down`: it cannot be reached. `settings`: its owner or
 * ours has to change something. `refused`: what it answered is not accepted, or it refused itself.
 */
export class ProviderFailure extends Error {
  readonly kind: 'down' | 'settings' | 'refused'
  /** For the log. */
  readonly code: string

  /** `sentence` is for people. */
  constructor(kind: ProviderFailure['kind'], sentence: string, code: string) {
    super(sentence)
    this.name = 'ProviderFailure'
    this.kind = kind
    this.code = code
  }
}

/** The failure behind an error of a library, which wraps those of its fetch. */
export function innerFailure(error: unknown): ProviderFailure | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ProviderFailure) return inner
  }
  return undefined
}

/** The code of a library's error and of the one that it wraps, as far as they have any. */
export function codesOf(error: unknown): string {
  const codes: string[] = []
  for (let inner = error; inner instanceof Error && codes.length < 4; inner = inner.cause) {
    const { code, error: oauth } = inner as { code?: unknown; error?: unknown }
    if (typeof code === 'string') codes.push(code)
    if (typeof oauth === 'string') codes.push(oauth.slice(0, 100))
  }
  return codes.join(' ') || 'unknown'
}
