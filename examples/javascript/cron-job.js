import { protect } from 'beckon-client/protect'
import { needsRestartSince, restart } from './systems.js'

// Started every ten minutes: it asks in the night, ends at once, and restarts after the yes of the morning.
const since = needsRestartSince()
const restartAfterYes = protect(restart, {
  label: 'Restart',
  subject: ({ service }) => `${service} since ${since}`,
  lifeMs: 12 * 60 * 60_000,
  waitMs: 1_000,
})
const outcome = await restartAfterYes({ service: 'payments' })
console.log(outcome.status)
