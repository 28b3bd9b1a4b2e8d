import type { TableWord } from './words.ts'

/** Files in which well-known programs store keys, tokens and passwords. */
const SECRET_FILES: readonly RegExp[] = [
  /(^|\/)\.ssh(\/(?!config$|known_hosts|.*\.pub$).*)?$/,
  /(^|\/)id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)$/,
  /(^|\/)\.aws(\/credentials|\/config|\/cli\/.*|\/sso\/.*)?$/,
  /(^|\/)\.(netrc|pgpass|my\.cnf|git-credentials|npmrc|pypirc|vault-token|boto|s3cfg|htpasswd)$/,
  /(^|\/)_netrc$/,
  /(^|\/)\.env(\.(?!example|sample|template|dist|defaults?$)[\w-]+)*$/,
  /(^|\/)\.(gnupg|password-store|kube\/config|azure|config\/gcloud|config\/gh\/hosts\.yml)(\/.*)?$/,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)application_default_credentials\.json$/,
  /(^|\/)\.(cargo|gem)\/credentials(\.toml)?$/,
  /(^|\/)\.terraform\.d\/credentials\.tfrc\.json$|(^|\/)terraform\.tfstate(\.backup)?$/,
  /(^|\/)\.(claude\/\.credentials|codex\/auth|local\/share\/opencode\/auth|gemini\/oauth_creds)\.json$/,
  /(^|\/)(priv(ate)?[-_]?key|privkey|server-key|[^/]*-key)\.pem$|\.(p12|pfx|jks|keystore|kdbx)$/,
  /^\/etc\/(shadow|gshadow|sudoers|master\.passwd)(\.d\/.*)?-?$/,
  /(^|\/)(Login Data|Cookies|cookies\.sqlite|logins\.json|key4\.db|Keychains)(\/.*)?$/,
  /(^|\/)proc\/[^/]+\/environ$/,
]

// These use a key, or describe its file, without showing its content.
const USERS = new Set(
  'ssh ssh-add ssh-keygen ssh-copy-id mosh chmod chown chgrp ls stat test [ [[ touch mkdir rm unlink find du file source . docker docker-compose podman dotenv direnv node bun cd'.split(
    ' ',
  ),
)
// The last argument of these is the destination.
const COPIERS = new Set(['cp', 'mv', 'ln', 'install', 'tee', 'ditto'])

export const SECRET_FILE = 'This reads or copies a file that usually holds keys or passwords.'

/** Returns true if a path is that of a file that usually contains secrets. */
export function isSecretFile(path: string): boolean {
  const plain = path.replaceAll('\\', '/').replace(/^@|^[\w-]+=@?/, '')
  return SECRET_FILES.some((shape) => shape.test(plain) || shape.test(plain.toLowerCase()))
}

/** The words of a command that name such a file, if the command may show or copy it. */
export function secretWords(program: string, words: readonly TableWord[]): TableWord[] {
  if (USERS.has(program)) return []
  const places = words.filter(({ text }) => !text.startsWith('-'))
  const last = COPIERS.has(program) && places.length > 1 ? places.at(-1) : undefined
  return words.filter((word) => word !== last && isSecretFile(word.text))
}
