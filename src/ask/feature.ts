import type { AnyElysia } from 'elysia'
import type { Page } from './pages/page.ts'
import type { Route } from './rest/route.ts'
import type { SettingsRow } from './settings-row.ts'

/**
 * The parts that a feature gives the app to mount. It registers its counters and gauges itself,
 * with the `metrics` it is given. Whatever is loaded with the first request is a function.
 */
export type Feature = {
  /** For programs, under `/api/v1`. */
  routes?: () => Promise<readonly Route[]>
  /** For people. */
  pages?: () => Promise<readonly Page[]>
  /** Its rows of the settings page, each in a group. */
  settings?: () => Promise<readonly SettingsRow[]>
  /** Other addresses: protocols of others, and health checks. */
  others?: () => Promise<readonly Other[]>
  /** Background work: started when the server serves, disposed of when it stops. */
  jobs?: ReadonlyArray<(report: Report) => Disposable | AsyncDisposable>
  /** Disposed of after the jobs. */
  owns?: ReadonlyArray<Disposable | AsyncDisposable>
  /** Ends the calls of this feature that are still open when the server stops. */
  close?: () => Promise<void>
}

type Other = {
  routes: AnyElysia
  /**
   * The outside service that calls these routes. Requests are counted under its name, and errors
   * are answered in JSON.
   */
  service?: string
  /** They limit the length of a body themselves. */
  ownLimit?: true
}

/** Called with errors of background work. */
type Report = (error: unknown) => void
