import { protect } from 'beckon-client/protect'
import { mails, send } from './systems.js'

const sendAfterYes = protect(send, { label: 'Send an e-mail' })
const outcomes = await Promise.all(mails.map((mail) => sendAfterYes(mail)))
for (const { status, note = '' } of outcomes) console.log(status, note)
