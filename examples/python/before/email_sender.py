from systems import MAILS, send

for mail in MAILS:
    send(**mail)
