import type { CommandRow } from './rows.ts'

const MAIL = 'This sends mail.'
const SOCKET = 'This opens a connection that data may leave through.'
const OPENS = 'This opens this machine to the internet.'
const CREDENTIALS = 'This shows a secret.'

/** What lets data leave the machine, where the command alone says so. */
export const OUTWARD: readonly CommandRow[] = [
  ['mail|mailx|sendmail|mutt|msmtp|swaks|ssmtp|neomutt|send-mailmessage', MAIL],
  ['git send-email', MAIL],
  ['nc|ncat|netcat|socat', SOCKET, '-z'],
  ['sftp|ftp|lftp|tftp', 'This copies files to or from another machine.'],
  ['ssh -R|-L|-D|-w', SOCKET],
  ['ngrok|localtunnel|lt|bore', OPENS],
  ['cloudflared tunnel', OPENS],
  ['tailscale funnel|serve', OPENS],
  ['security find-generic-password|find-internet-password|dump-keychain|export', CREDENTIALS],
  ['gpg --export-secret-keys|--export-secret-subkeys', CREDENTIALS],
  ['secret-tool lookup|search', CREDENTIALS],
  ['pass show', CREDENTIALS],
  ['op read|item', CREDENTIALS],
  ['vault ... read|get', CREDENTIALS],
  ['aws secretsmanager get-secret-value', CREDENTIALS],
  ['gcloud secrets versions access', CREDENTIALS],
  ['gcloud auth print-access-token|print-identity-token', CREDENTIALS],
  ['az keyvault secret show|download', CREDENTIALS],
  ['kubectl|oc get secret|secrets', CREDENTIALS],
  ['gh|glab auth token', CREDENTIALS],
  ['gh gist|paste', 'This publishes text.'],
  ['transfer|wormhole|croc send', 'This sends files to somebody else.'],
]
