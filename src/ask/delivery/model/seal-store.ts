import { ne } from 'drizzle-orm'
import { sealMarks } from '../../../platform/db/seal-marks.ts'
import { deliveries } from './table.ts'

const { id, seal, endedAt, state } = deliveries

/** Whether it is sealed what became of a message to a device. */
export const deliveryMarks = sealMarks(deliveries, {
  id,
  seal,
  at: endedAt,
  ready: ne(state, 'waiting'),
})
