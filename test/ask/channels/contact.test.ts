import { expect, test } from 'bun:test'
import { checkPushContact } from '../../../src/ask/channels/web-push/contact.ts'
import { listAlarms } from '../../../src/ask/delivery/model/store.ts'
import { silentLog as log } from '../../../src/platform/log.ts'
import { postOffice } from '../../support/post-office.ts'

test('a server without a contact for its pushes says so until it has one', async () => {
  await using office = await postOffice()
  const { db, clock } = office
  const check = (vapidSubject: string | undefined) =>
    checkPushContact({ db, clock, log, vapidSubject, baseUrl: 'http://localhost:8484' })
  await check(undefined)
  await check(undefined)
  const alarms = await listAlarms(db.read)
  expect(alarms.map((alarm) => alarm.text)).toEqual([expect.stringContaining('VAPID_SUBJECT')])
  await check('mailto:me@example.com')
  expect(await listAlarms(db.read)).toEqual([])
})
