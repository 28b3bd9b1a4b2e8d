import { protect } from 'beckon-client/protect'
import { refund } from './systems.js'

// The person may change the amount; the refund is what was shown last.
const refundAfterYes = protect(refund, {
  label: 'Refund',
  edit: { type: 'object', properties: { amount: { type: 'number', minimum: 1, maximum: 80 } } },
  subject: ({ order }) => order,
})
const outcome = await refundAfterYes({ order: 'order-7', amount: 80 })
console.log(outcome.status)
