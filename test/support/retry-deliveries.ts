import {
  type RetryDeps,
  retryDeliveries as retry,
} from '../../src/ask/delivery/retry-deliveries.ts'
import { findLastOfGroup } from '../../src/ask/notifications/model/store.ts'

/** As in the product, with the notifications of the database. */
export const retryDeliveries = (deps: Omit<RetryDeps, 'findLastOfGroup'>) =>
  retry({ ...deps, findLastOfGroup })
