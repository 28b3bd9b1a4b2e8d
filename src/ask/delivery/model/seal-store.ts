import { ne } from 'drizzle-orm'
import { sealMarks } from '../../../platform/db/seal-marks.ts'
import { deliveries } from './table.ts'

const { id, seal, endedAt, state } = deliveries

/** Marks deliveries whose end the audit trail has sealed. */
export const deliveryMarks = sealMarks(deliveries, {
  id,
  seal,
  at: endedAt,
  ready: ne(state, 'waiting'),
})
