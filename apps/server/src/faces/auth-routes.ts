/** What the auth service answers, for people. Clients of the protocol know it; a test asks the server for each. */
export const AUTH_ROUTES: readonly {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly meaning: string
}[] = [
  { method: 'POST', path: '/auth/v1/signup', meaning: 'Make an account with address and password' },
  {
    method: 'POST',
    path: '/auth/v1/token',
    meaning: 'Begin a session, or renew it: grant_type is password or refresh_token',
  },
  { method: 'GET', path: '/auth/v1/user', meaning: 'The account that is signed in' },
  { method: 'PUT', path: '/auth/v1/user', meaning: 'Change its password, address or data' },
  { method: 'GET', path: '/auth/v1/reauthenticate', meaning: 'Ask for a code before a password is changed' },
  { method: 'POST', path: '/auth/v1/logout', meaning: 'End this session, the others or all: scope' },
  { method: 'POST', path: '/auth/v1/recover', meaning: 'Ask for an email to choose a new password' },
  { method: 'POST', path: '/auth/v1/otp', meaning: 'Ask for an email with a code to sign in' },
  { method: 'POST', path: '/auth/v1/magiclink', meaning: 'The same, as older clients name it' },
  { method: 'POST', path: '/auth/v1/resend', meaning: 'Ask for the email again' },
  { method: 'POST', path: '/auth/v1/verify', meaning: 'Redeem a code, or the token_hash of a link' },
  { method: 'GET', path: '/auth/v1/verify', meaning: 'Lead to the page where a link is redeemed; redeems nothing' },
  { method: 'POST', path: '/auth/v1/factors', meaning: 'Begin a second factor (TOTP)' },
  { method: 'POST', path: '/auth/v1/factors/:factor/challenge', meaning: 'Ask to show it' },
  { method: 'POST', path: '/auth/v1/factors/:factor/verify', meaning: 'Show it' },
  { method: 'DELETE', path: '/auth/v1/factors/:factor', meaning: 'Remove it' },
  { method: 'GET', path: '/auth/v1/settings', meaning: 'Ways to sign in that are offered' },
  { method: 'GET', path: '/auth/v1/.well-known/jwks.json', meaning: 'Public keys that verify access tokens' },
  { method: 'GET', path: '/auth/v1/health', meaning: 'Name and version of the service' },
  { method: 'POST', path: '/auth/v1/invite', meaning: 'Invite an address (admins)' },
  { method: 'POST', path: '/auth/v1/admin/generate_link', meaning: 'Make a link to hand on (admins)' },
  { method: 'GET', path: '/auth/v1/admin/users', meaning: 'Accounts, page by page (admins)' },
  { method: 'POST', path: '/auth/v1/admin/users', meaning: 'Create an account for someone (admins)' },
  { method: 'GET', path: '/auth/v1/admin/audit', meaning: 'What happened to accounts (admins)' },
]
