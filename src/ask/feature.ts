import type { AnyElysia } from 'elysia'
import type { Page } from './pages/page.ts'
import type { Route } from './rest/route.ts'

/**
 * What a feature gives the app to mount. Counters and gauges it registers itself with the `metrics`
 * it is given. What is loaded with the first request is a function.
 */
export type Feature = {
  /** For programs, under `/api/v1`. */
  routes?: () => Promise<readonly Route[]>
  /** For people. */
  pages?: () => Promise<readonly Page[]>
  /** Addresses that are neither: protocols of others, and what watches the server. */
  others?: () => Promise<readonly Other[]>
  /** What goes on by itself: begun when the server serves, disposed of when it stops. */
  jobs?: ReadonlyArray<(report: Report) => Disposable | AsyncDisposable>
  /** Disposed of after the jobs. */
  owns?: ReadonlyArray<Disposable | AsyncDisposable>
  /** Ends what is still open of the calls that it answers, when the server stops. */
  close?: () => Promise<void>
}

type Other = {
  routes: AnyElysia
  /** The service of others that calls them: they are counted for it, and it is answered in JSON. */
  service?: string
}

/** Hears what went wrong in the background. */
type Report = (error: unknown) => void
