import { mails, send } from '../systems.js'

for (const mail of mails) send(mail)
