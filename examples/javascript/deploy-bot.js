import { protect } from 'beckon-client/protect'
import { deploy } from './systems.js'

// One yes deploys a version once, also if this program is started again.
const deployAfterYes = protect(deploy, {
  label: 'Deploy',
  effect: 'Customers get this version at once.',
  risk: 'high',
  subject: ({ version }) => `deploy-${version}`,
})
const outcome = await deployAfterYes({ version: process.argv[2] ?? '1.4.2' })
console.log(outcome.status)
