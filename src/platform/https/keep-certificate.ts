import { type Clock, isoTime, pause } from '../clock.ts'
import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import { AcmeFailure } from './acme-client.ts'
import { type Attempts, type KeptCertificate, validityOf } from './certificate-files.ts'
import { type ObtainDeps, obtainCertificate } from './obtain-certificate.ts'
import { isFor, pauseAfter, pauseLeft, renewAt } from './renewal-plan.ts'

export type KeeperDeps = Omit<ObtainDeps, 'signal'> & {
  log: Log
  /** Serves with this certificate from now on. */
  use(certificate: KeptCertificate): void
}

export type Keeper = AsyncDisposable & {
  /** Why nothing is served with TLS; undefined while something is. */
  problem(): string | undefined
}

// The clock may be set meanwhile, so no pause is longer.
const LOOK_EVERY_MS = 3_600_000
const SKEW_MS = 3_600_000
const WRITE_AGAIN_MS = 60_000

/** The state in memory. */
type Keeping = {
  certificate: KeptCertificate | undefined
  /** True if the certificate is also on disk. */
  isWritten: boolean
  attempts: Attempts
}

/**
 * Serves with the certificate in the data folder, gets one if there is none, and renews it in time,
 * until disposed. An expired one is served until there is a newer one.
 */
export function keepCertificate(deps: KeeperDeps): Keeper {
  const closing = new AbortController()
  const certificate = deps.files.read('certificate')
  const keeping: Keeping = { certificate, isWritten: true, attempts: attemptsFor(deps) }
  if (certificate) deps.use(certificate)
  const running = keep(deps, keeping, closing.signal)
  return {
    problem: () => (keeping.certificate ? undefined : absence(deps, keeping.attempts)),
    async [Symbol.asyncDispose]() {
      closing.abort()
      await running
    },
  }
}

async function keep(deps: KeeperDeps, keeping: Keeping, signal: AbortSignal): Promise<void> {
  const { clock } = deps
  const dueIn = () => dueAt(deps, keeping) - clock.now()
  // An attempt from before a restart goes on at once, because that requests nothing new.
  if (keeping.attempts.order && dueIn() <= 0) await tryOnce(deps, keeping, signal)
  while (!signal.aborted) {
    if (!keeping.isWritten) keepOnDisk(deps, keeping)
    const waitMs = Math.max(pauseLeft(keeping.attempts, clock.now()), dueIn())
    const most = keeping.isWritten ? LOOK_EVERY_MS : WRITE_AGAIN_MS
    if (waitMs > 0) await pause(clock, Math.min(waitMs, most), signal)
    else if (begin(deps, keeping)) await tryOnce(deps, keeping, signal)
  }
}

/** When the next certificate should be requested, apart from pauses. */
function dueAt(deps: KeeperDeps, { certificate }: Keeping): number {
  if (!certificate || !isFor(certificate, deps)) return 0
  return renewAt(validityOf(certificate.chain), certificate, deps.clock.now())
}

/**
 * Records an attempt before anything is requested, so that it counts even if the process ends in
 * the middle. False if it cannot be recorded; then nothing may be requested.
 */
function begin(deps: KeeperDeps, keeping: Keeping): boolean {
  const [now, count] = [deps.clock.now(), keeping.attempts.count + 1]
  const notBefore = now + pauseAfter(count)
  keeping.attempts = { ...keeping.attempts, count, notBefore, decidedAt: now }
  try {
    deps.files.write('attempts', keeping.attempts)
    return true
  } catch (error) {
    fail(deps, keeping, error)
    return false
  }
}

async function tryOnce(deps: KeeperDeps, keeping: Keeping, signal: AbortSignal): Promise<void> {
  const { log, clock, use } = deps
  try {
    const certificate = await obtainCertificate({ ...deps, signal }, keeping.attempts)
    use(certificate)
    Object.assign(keeping, { certificate, isWritten: false })
    const { until } = validityOf(certificate.chain)
    log.info('got a certificate', { names: certificate.names.join(), until: isoTime(until) })
    warnOfClock(log, certificate, clock)
    keepOnDisk(deps, keeping)
  } catch (error) {
    if (!signal.aborted) fail(deps, keeping, error)
  }
}

function fail(deps: KeeperDeps, keeping: Keeping, error: unknown): void {
  const { clock, log } = deps
  const { attempts, certificate } = keeping
  const now = clock.now()
  const retryAfterMs = error instanceof AcmeFailure ? error.retryAfterMs : undefined
  const notBefore = now + pauseAfter(Math.max(1, attempts.count), retryAfterMs)
  const reason = reasonOf(error)
  keeping.attempts = { ...attempts, notBefore, decidedAt: now, reason }
  written(deps, 'attempts', keeping.attempts)
  const hasEnded = certificate !== undefined && validityOf(certificate.chain).until < now
  const message = hasEnded
    ? 'the certificate has expired, and no new one was obtained'
    : 'no certificate was obtained'
  log[certificate && !hasEnded ? 'warn' : 'error'](message, {
    why: reason,
    nextTry: isoTime(notBefore),
  })
}

/** A certificate that cannot be written is served anyway; its order leads back to it. */
function keepOnDisk(deps: KeeperDeps, keeping: Keeping): void {
  if (!keeping.certificate) return
  keeping.isWritten = written(deps, 'certificate', keeping.certificate)
  if (!keeping.isWritten) return
  keeping.attempts = noAttempts(deps)
  written(deps, 'attempts', keeping.attempts)
}

function written<K extends 'certificate' | 'attempts'>(
  { files, log }: KeeperDeps,
  kind: K,
  value: Parameters<typeof files.write<K>>[1],
): boolean {
  try {
    files.write(kind, value)
    return true
  } catch (error) {
    log.error('a file of the certificate cannot be written', { file: files.path(kind), error })
    return false
  }
}

function attemptsFor(deps: KeeperDeps): Attempts {
  const attempts = deps.files.read('attempts')
  return attempts && isFor(attempts, deps) ? attempts : noAttempts(deps)
}

function noAttempts({ directory, domains, clock }: KeeperDeps): Attempts {
  const now = clock.now()
  return { directory, names: domains, count: 0, notBefore: now, decidedAt: now }
}

function absence({ domains, files }: KeeperDeps, { reason, notBefore }: Attempts): string {
  const names = domains.join(', ')
  if (reason === undefined)
    return `There is no certificate for ${names} yet; one is being requested.`
  return `There is no certificate for ${names} yet: ${reason} The next try is at ${isoTime(notBefore)}, or with the next start once ${files.path('attempts')} is deleted.`
}

/** The error as a sentence, including the effect of a wrong clock. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const isOurs = error instanceof Failure || typeof code !== 'string'
  const text = isOurs ? message : `The data folder cannot be written to (${code})`
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`
  const ahead = error instanceof AcmeFailure ? (error.clockAheadMs ?? 0) : 0
  if (Math.abs(ahead) < SKEW_MS) return sentence
  const hours = Math.round(Math.abs(ahead) / 3_600_000)
  return `${sentence} This machine's clock differs from the authority's by ${hours} hours.`
}

/** A new certificate whose dates do not fit shows that the clock is wrong. */
function warnOfClock(log: Log, { chain }: KeptCertificate, clock: Clock) {
  const { from, until } = validityOf(chain)
  const now = clock.now()
  if (now >= from - SKEW_MS && now < until) return
  log.error("this machine's clock is wrong: the certificate that was just made is not valid now", {
    validFrom: isoTime(from),
    validUntil: isoTime(until),
  })
}
