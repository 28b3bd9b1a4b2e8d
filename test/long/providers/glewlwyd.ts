import { Database } from 'bun:sqlite'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { freePort } from '../../support/free-port.ts'
import { createJar, type Jar } from './jar.ts'

type Json = Record<string, unknown>

/** Somebody whom Glewlwyd knows. */
export type GlewlwydUser = {
  username: string
  name: string
  email: string
  groups: string[]
  /** `yes`, `no`, or nothing: then it does not say whether the address is verified. */
  verified?: 'yes' | 'no'
}

export type Glewlwyd = AsyncDisposable & {
  issuer: string
  /** A client that proves itself in one way alone. */
  addClient(client: { id: string; secret: string; auth: string } & ClientAddresses): Promise<void>
  addUser(user: GlewlwydUser): Promise<void>
  changeUser(user: GlewlwydUser & { enabled?: boolean }): Promise<void>
  /** The old key is gone at once. */
  rotate(): Promise<void>
  down(): Promise<void>
  up(): Promise<void>
  /** Signs somebody in there, and says that the client may know them; then the page may go on. */
  signIn(jar: Jar, username: string, client: string): Promise<void>
  /** Ends the session of a browser there, which it tells the clients. */
  signOut(jar: Jar): Promise<void>
}

type ClientAddresses = { redirect: string; logout: string }

const SQL = '/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz'
const MODULES = '/usr/lib/glewlwyd'
export const GLEWLWYD_IS_INSTALLED =
  Bun.which('glewlwyd') !== null && existsSync(SQL) && existsSync(`${MODULES}/plugin`)

const PASSWORD = 'a password for tests'
const SCOPES = ['openid', 'email', 'profile', 'groups']
const SESSION = 'GLEWLWYD2_OIDC_SID'
const ADMIN = { username: 'admin', password: 'password' }

/** Debian’s Glewlwyd on loopback, with a database of its own that is gone afterwards. */
export async function startGlewlwyd(): Promise<Glewlwyd> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-glewlwyd-'))
  const port = freePort()
  const origin = `http://127.0.0.1:${port}`
  const issuer = `${origin}/api/oidc`
  const config = join(folder, 'glewlwyd.conf')
  const database = join(folder, 'glewlwyd.db')
  makeDatabase(database)
  await Bun.write(config, configOf({ port, origin, database }))
  let run: Bun.Subprocess | undefined
  let kid = 0

  const admin = createJar()
  async function call(method: string, path: string, body: Json | undefined, jar = admin) {
    const response = await jar.fetch(`${origin}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.ok) return response
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  }

  async function up() {
    const output = Bun.file(join(folder, 'log'))
    run = Bun.spawn(['glewlwyd', `--config-file=${config}`], { stdout: output, stderr: output })
    for (let n = 0; n < 200 && !(await answers(origin)); n++) await Bun.sleep(50)
    await call('POST', 'auth', ADMIN)
  }
  async function down() {
    run?.kill()
    await run?.exited
  }

  async function plugin(method: 'POST' | 'PUT') {
    const parameters = await parametersOf(issuer, `key-${++kid}`)
    const path = method === 'POST' ? 'mod/plugin/' : 'mod/plugin/oidc'
    await call(method, path, {
      ...{ module: 'oidc', name: 'oidc', display_name: 'OpenID Connect', enabled: true },
      ...{ parameters, order_rank: 0 },
    })
  }

  await up()
  await addProperties(call)
  for (const name of SCOPES) {
    // Without a password that is needed it never says when somebody signed in.
    const scope = { name, display_name: name, scheme: {}, password_max_age: 0 }
    const isKnown = name === 'openid'
    await call(isKnown ? 'PUT' : 'POST', isKnown ? `scope/${name}` : 'scope/', {
      ...{ ...scope, password_required: isKnown },
    })
  }
  await plugin('POST')

  return {
    issuer,
    async addClient({ id, secret, auth, redirect, logout }) {
      await call('POST', 'client/', {
        ...{ client_id: id, name: id, enabled: true, confidential: true, client_secret: secret },
        ...{
          password: secret,
          redirect_uri: [redirect],
          authorization_type: ['code', 'refresh_token'],
        },
        ...{ token_endpoint_auth_method: [auth], scope: [] },
        ...{ backchannel_logout_uri: logout, backchannel_logout_session_required: 'true' },
      })
    },
    async addUser(user) {
      await call('POST', 'user/', { ...bodyOf(user), enabled: true })
    },
    async changeUser({ enabled = true, ...user }) {
      await call('PUT', `user/${user.username}`, { ...bodyOf(user), enabled })
    },
    async rotate() {
      await plugin('PUT')
      await call('PUT', 'mod/plugin/oidc/reset', undefined)
    },
    ...{ up, down },
    async signIn(jar, username, client) {
      await call('POST', 'auth', { username, password: PASSWORD }, jar)
      await call('PUT', `auth/grant/${client}`, { scope: SCOPES.join(' ') }, jar)
    },
    async signOut(jar) {
      const sid = jar.cookie(origin, SESSION)
      await call('DELETE', `oidc/session/${sid}/`, undefined, jar)
    },
    async [Symbol.asyncDispose]() {
      await down()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const bodyOf = ({ verified, ...user }: GlewlwydUser): Json => ({
  ...{ ...user, scope: SCOPES, password: PASSWORD },
  ...(verified && { email_verified: verified }),
})

async function answers(origin: string): Promise<boolean> {
  return await fetch(`${origin}/config`).then(
    ({ ok }) => ok,
    () => false,
  )
}

function makeDatabase(path: string) {
  using database = new Database(path, { create: true })
  database.run(new TextDecoder().decode(Bun.gunzipSync(readFileSync(SQL))))
}

/** Properties of people that Glewlwyd does not know by itself. */
async function addProperties(
  call: (method: string, path: string, body: Json | undefined) => Promise<Response>,
) {
  const one = { read: true, write: true, 'profile-read': true, 'profile-write': false }
  await call('PUT', 'mod/user/database', {
    ...{ module: 'database', name: 'database', display_name: 'People', enabled: true },
    ...{ readonly: false, multiple_passwords: false, order_rank: 0 },
    parameters: {
      'use-glewlwyd-connection': true,
      'data-format': {
        groups: { ...one, multiple: true },
        email_verified: { ...one, multiple: false },
      },
    },
  })
  await call('PUT', 'mod/user/database/reset', undefined)
}

function configOf({ port, origin, database }: { port: number; origin: string; database: string }) {
  return `
port=${port}
bind_address="127.0.0.1"
external_url="${origin}"
login_url="login.html"
api_prefix="api"
static_files_path="/usr/share/glewlwyd/webapp/"
log_mode="console"
log_level="WARNING"
cookie_secure=0
cookie_same_site="empty"
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${MODULES}/user"
client_module_path="${MODULES}/client"
user_auth_scheme_module_path="${MODULES}/scheme"
plugin_module_path="${MODULES}/plugin"
hash_algorithm="SHA512"
database = { type = "sqlite3" path = "${database}" };
static_files_mime_types = (
  { extension = ".html" mime_type = "text/html" compress = 0 },
  { extension = ".css" mime_type = "text/css" compress = 0 },
  { extension = ".js" mime_type = "application/javascript" compress = 0 },
  { extension = ".json" mime_type = "application/json" compress = 0 }
)
`
}

async function parametersOf(issuer: string, kid: string): Promise<Json> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }
  const boolean = { type: 'boolean', 'boolean-value-true': 'yes', 'boolean-value-false': 'no' }
  return {
    ...{ iss: issuer, 'jwks-private': JSON.stringify({ keys: [key] }), 'jwks-show': true },
    ...{ 'secret-type': 'pairwise', 'allowed-scope': SCOPES, 'oauth-as-iss-id': true },
    ...{ 'access-token-duration': 3600, 'refresh-token-duration': 1209600, 'code-duration': 600 },
    ...{ 'refresh-token-rolling': true, 'auth-type-code-enabled': true },
    ...{ 'auth-type-refresh-enabled': true, 'pkce-allowed': true, 'pkce-required': true },
    ...{ 'name-claim': 'mandatory', 'email-claim': 'mandatory', 'scope-claim': 'no' },
    'address-claim': { type: 'no' },
    ...{ 'session-management-allowed': true, 'session-cookie-name': SESSION },
    ...{ 'session-cookie-expiration': 2419200, 'back-channel-logout-allowed': true },
    claims: [
      { name: 'groups', 'user-property': 'groups', type: 'string', mandatory: true },
      { name: 'email_verified', 'user-property': 'email_verified', ...boolean, mandatory: true },
    ],
  }
}
