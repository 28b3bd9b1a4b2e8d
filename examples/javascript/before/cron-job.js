import { needsRestartSince, restart } from '../systems.js'

if (needsRestartSince()) {
  restart({ service: 'payments' })
}
