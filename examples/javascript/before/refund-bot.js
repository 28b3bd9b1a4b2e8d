import { refund } from '../systems.js'

refund({ order: 'order-7', amount: 80 })
