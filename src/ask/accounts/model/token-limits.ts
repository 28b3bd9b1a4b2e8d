const MB = 1_000_000
const HOUR_MS = 60 * 60_000

/** What one token may do. Bytes are those of its questions and notifications, with their deliveries. */
export type TokenLimits = {
  /** Questions that have not ended. */
  openQuestions: number
  /** Written: so many at once, then so many an hour. */
  bytesAnHour: number
  /** Kept altogether. */
  keptBytes: number
  /** Pushes to one person, from one minute to the next. */
  pushesAMinute: number
}

/** Far above any agent at work; `BECKON_TOKEN_LIMIT_FACTOR` multiplies them. */
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

/** What of `recentBytes`, counted at `recentAt`, has not leaked away at `now`. */
export function recentAtNow(
  { recentBytes, recentAt }: { recentBytes: number; recentAt: number },
  { bytesAnHour }: Pick<TokenLimits, 'bytesAnHour'>,
  now: number,
): number {
  const leaked = Math.floor((Math.max(0, now - recentAt) * bytesAnHour) / HOUR_MS)
  return Math.max(0, recentBytes - leaked)
}

/** Seconds until `bytes` have leaked away. */
export function secondsToLeak(bytes: number, { bytesAnHour }: TokenLimits): number {
  return Math.max(1, Math.ceil((bytes / bytesAnHour) * (HOUR_MS / 1_000)))
}
