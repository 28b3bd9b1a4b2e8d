const MB = 1_000_000
const HOUR_MS = 60 * 60_000

/**
 * Limits of one token. Bytes are those of its questions and notifications, with their deliveries.
 */
export type TokenLimits = {
  /** Questions that have not ended. */
  openQuestions: number
  /** Bytes written: at most this many at once, then this many an hour. */
  bytesAnHour: number
  /** Bytes kept altogether. */
  keptBytes: number
  /** Pushes to one person within a minute. */
  pushesAMinute: number
}

/** Far above what an agent at work needs; `BECKON_TOKEN_LIMIT_FACTOR` multiplies them. */
export const TOKEN_LIMITS: TokenLimits = {
  openQuestions: 1_000,
  bytesAnHour: 20 * MB,
  keptBytes: 200 * MB,
  pushesAMinute: 60,
}

export function tokenLimits(factor: number): TokenLimits {
  const { openQuestions, bytesAnHour, keptBytes, pushesAMinute } = TOKEN_LIMITS
  return {
    openQuestions: openQuestions * factor,
    bytesAnHour: bytesAnHour * factor,
    keptBytes: keptBytes * factor,
    pushesAMinute: pushesAMinute * factor,
  }
}

/** The part of `recentBytes`, counted at `recentAt`, that still counts at `now`. */
export function recentAtNow(
  { recentBytes, recentAt }: { recentBytes: number; recentAt: number },
  { bytesAnHour }: Pick<TokenLimits, 'bytesAnHour'>,
  now: number,
): number {
  const leaked = Math.floor((Math.max(0, now - recentAt) * bytesAnHour) / HOUR_MS)
  return Math.max(0, recentBytes - leaked)
}

/** Seconds until `bytes` no longer count. */
export function secondsToLeak(bytes: number, { bytesAnHour }: TokenLimits): number {
  return Math.max(1, Math.ceil((bytes / bytesAnHour) * (HOUR_MS / 1_000)))
}
