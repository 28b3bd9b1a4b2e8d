import { everyone, owners, page, people, type Row, row } from './row.ts'

let tries = 0

/** Every way in and out, and what each caller is told. */
export const SIGNING_IN: readonly Row[] = [
  row('GET /sign-in', { ...everyone(200), member: 303, outsider: 303, owner: 303, stranger: 303 }),
  row('POST /sign-in', everyone(401), { form: { email: 'eve@example.org', password: 'wrong' } }),
  // What people whom a provider has proven are told is tried in test/ask/company.
  row('GET /sign-in/with/:provider', everyone(404), { thing: async () => 'nobody' }),
  row('GET /sign-in/back/:provider', everyone(404), { thing: async () => 'nobody' }),
  row('GET /sign-in/confirm/:code', everyone(410), { thing: async () => 'nothing' }),
  row('POST /sign-in/confirm/:code', everyone(410), { thing: async () => 'nothing', form: {} }),
  row('POST /sign-in/out/:provider', everyone(400), { thing: async () => 'nobody', form: {} }),
  row('GET /settings/sign-in', page(people(200))),
  row('GET /settings/sign-in/local', everyone(303)),
  row('POST /settings/sign-in/local', page(owners(303)), { form: { local: 'everybody' } }),
  row('GET /settings/sign-in/new', page(owners(200))),
  row('POST /settings/sign-in/new', page(owners(422)), { form: { name: 'Acme' } }),
  row('GET /settings/sign-in/providers/:id', page(owners(404)), { thing: async () => 'none' }),
  row('POST /settings/sign-in/providers/:id', page(owners(404)), {
    thing: async () => 'none',
    form: {},
  }),
  row('GET /settings/sign-in/providers/:id/remove', everyone(303), { thing: async () => 'none' }),
  row('POST /settings/sign-in/providers/:id/remove', page(owners(404)), {
    thing: async () => 'none',
    form: {},
  }),
  row('GET /settings/sign-in/providers/:id/disconnect', everyone(303), {
    thing: async () => 'none',
  }),
  row('POST /settings/sign-in/providers/:id/disconnect', page(owners(404)), {
    thing: async () => 'none',
    form: { person: 'nobody' },
  }),
  // What a directory is told is tried in test/ask/directory.
  row(
    'ALL /scim/v2/*',
    { ...everyone(401), directory: 404 },
    { thing: async () => 'Users', json: {} },
  ),
  row('GET /settings/directory', page(owners(200))),
  row('POST /settings/directory', page(owners(422)), { form: { name: '' } }),
  row('GET /settings/directory/:id/token', everyone(303), { thing: async () => 'none' }),
  row('POST /settings/directory/:id/token', page(owners(404)), {
    thing: async () => 'none',
    form: {},
  }),
  row('GET /settings/directory/:id/revoke', everyone(303), { thing: async () => 'none' }),
  row('POST /settings/directory/:id/revoke', page(owners(404)), {
    thing: async () => 'none',
    form: { token: 'none' },
  }),
  // Whoever came from a provider is offered to sign out there as well.
  row('POST /sign-out', { ...everyone('in'), unproven: 303 }, { form: {} }),
  row('GET /setup', { ...everyone(410), member: 303, outsider: 303, owner: 303, stranger: 303 }),
  row('POST /setup', everyone(410), { form: { key: 'x', name: 'Eve', email: 'e@x.org' } }),
  row('GET /api/auth/get-session', everyone(200)),
  row('GET /api/auth/passkey/generate-register-options', people(200)),
  row('GET /api/auth/passkey/generate-authenticate-options', everyone(200)),
  row('GET /api/auth/passkey/list-user-passkeys', people(200)),
  row('POST /api/auth/sign-in/email', everyone(401), {
    json: {
      // Wrong passwords are counted by address: another one for each caller.
      get email() {
        return `eve${++tries}@example.org`
      },
      password: 'wrong',
    },
  }),
  row('POST /api/auth/sign-out', everyone(200), { json: {} }),
  row('POST /api/auth/change-password', people(400), {
    json: { currentPassword: 'wrong', newPassword: 'another long one' },
  }),
  row('GET /settings/password', page(people(200))),
  row('POST /settings/password', page(people(422)), {
    form: { currentPassword: 'wrong', newPassword: 'another long one' },
  }),
  row('GET /settings/passkeys', page(people(200))),
  row('GET /settings/passkeys/:id/remove', everyone(303), { thing: async () => 'none' }),
  row('POST /settings/passkeys/:id/remove', page(people(404)), {
    thing: async () => 'none',
    form: {},
  }),
  row('GET /settings/passkeys/sign-out', everyone(303)),
  row('POST /settings/passkeys/sign-out', page(people(303)), { form: {} }),
  row('GET /settings/sign-ins/:id/end', everyone(303), { thing: async () => 'none' }),
  row('POST /settings/sign-ins/:id/end', page(people(404)), {
    thing: async () => 'none',
    form: {},
  }),
  row('POST /api/auth/revoke-sessions', people(200), { json: {} }),
  row('POST /api/auth/revoke-other-sessions', people(200), { json: {} }),
  row('POST /api/auth/passkey/verify-registration', people(400), {
    json: { response: { id: 'x' } },
  }),
  row('POST /api/auth/passkey/verify-authentication', everyone(400), {
    json: { response: { id: 'x' } },
  }),
  row('POST /api/auth/passkey/delete-passkey', people(404), { json: { id: 'none' } }),
  row('POST /api/auth/passkey/update-passkey', people(404), { json: { id: 'none', name: 'x' } }),
  // What clients that sign in are told is tried in test/ask/oauth.
  row('GET /.well-known/oauth-protected-resource/mcp', everyone(200)),
  row('GET /.well-known/oauth-authorization-server/oauth2', everyone(200)),
  row('GET /.well-known/openid-configuration/oauth2', everyone(200)),
  row('GET /oauth2/.well-known/openid-configuration', everyone(200)),
  row('GET /oauth2/jwks', everyone(200)),
  row('ALL /oauth2/register', everyone(400), { json: { redirect_uris: [] } }),
  row('ALL /oauth2/token', everyone(401), { form: { client_id: 'nobody' } }),
  row('ALL /oauth2/revoke', everyone(401), { form: { client_id: 'nobody' } }),
  row('GET /settings/clients', page(owners(200))),
  row('POST /settings/clients', page(owners(422)), { form: { name: 'x', redirectUris: 'x' } }),
  row('GET /settings/clients/:id/remove', everyone(303), { thing: async () => 'app_x' }),
  row('POST /settings/clients/:id/remove', page({ ...owners(404), stranger: 404 }), {
    thing: async () => 'app_x',
    form: {},
  }),
  row('GET /oauth2/authorize', page(people(400))),
  row('POST /oauth2/authorize', page(people(400)), { form: { request: 'client_id=nobody' } }),
]
