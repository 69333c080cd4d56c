import type {
  AuditFact,
  AuthMethod,
  CodeKind,
  Factor,
  Instant,
  JsonRecord,
  LoginDecision,
  LoginRequest,
  Mail,
  Role,
  Session,
} from '@septet/domain'
import { sql, bigint, index, integer, json, pgTable, primaryKey, text, unique, uniqueIndex } from './drizzle.ts'

import { bytea, moment } from './column-types.ts'

export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash'),
  appMetadata: json('app_metadata').$type<JsonRecord>().notNull(),
  userMetadata: json('user_metadata').$type<JsonRecord>().notNull(),
  emailConfirmedAt: moment('email_confirmed_at'),
  invitedAt: moment('invited_at'),
  lastSignInAt: moment('last_sign_in_at'),
  bannedUntil: moment('banned_until'),
  newEmail: text('new_email'),
  mailSentAt: json('mail_sent_at').$type<Readonly<Partial<Record<CodeKind, Instant>>>>().notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
})

/** What belongs to an account goes with it. */
const ofAccount = () =>
  text('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' })

/** Who an account is to a sign-in provider. */
export const externalIdentities = pgTable(
  'external_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    accountId: ofAccount(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index('external_identities_account_id_index').on(table.accountId),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    accountId: ofAccount(),
    aal: text('aal').$type<Session['aal']>().notNull(),
    factorId: text('factor_id'),
    methods: json('methods').$type<readonly AuthMethod[]>().notNull(),
    refreshCounter: bigint('refresh_counter', { mode: 'number' }).notNull(),
    createdAt: moment('created_at').notNull(),
    refreshedAt: moment('refreshed_at').notNull(),
    userAgent: text('user_agent').notNull(),
    ip: text('ip').notNull(),
    notAfter: moment('not_after'),
    providerSession: text('provider_session'),
  },
  (table) => [
    index('sessions_account_id_index').on(table.accountId),
    index('sessions_provider_session_index').on(table.providerSession),
  ],
)

/** At most one code of a kind per account waits at a time. */
export const mailCodes = pgTable(
  'mail_codes',
  {
    id: text('id').primaryKey(),
    accountId: ofAccount(),
    kind: text('kind').$type<CodeKind>().notNull(),
    hash: text('hash').notNull().unique(),
    sentTo: text('sent_to').notNull(),
    tries: integer('tries').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    unique('mail_codes_account_id_kind_unique').on(table.accountId, table.kind),
    index('mail_codes_sent_to_index').on(table.sentTo),
  ],
)

export const factors = pgTable(
  'factors',
  {
    id: text('id').primaryKey(),
    accountId: ofAccount(),
    friendlyName: text('friendly_name').notNull(),
    status: text('status').$type<Factor['status']>().notNull(),
    secret: bytea('secret').notNull(),
    lastStep: bigint('last_step', { mode: 'number' }),
    lastChallengedAt: moment('last_challenged_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    // No name is not a name: only real ones are unique.
    uniqueIndex('factors_account_id_friendly_name_unique')
      .on(table.accountId, table.friendlyName)
      .where(sql`${table.friendlyName} <> ''`),
    index('factors_account_id_index').on(table.accountId),
  ],
)

export const factorChallenges = pgTable(
  'factor_challenges',
  {
    id: text('id').primaryKey(),
    factorId: text('factor_id')
      .notNull()
      .references(() => factors.id, { onDelete: 'cascade' }),
    ip: text('ip').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('factor_challenges_factor_id_index').on(table.factorId)],
)

export const signingKeys = pgTable('signing_keys', {
  kid: text('kid').primaryKey(),
  publicJwk: json('public_jwk').$type<JsonRecord>().notNull(),
  sealedPrivateJwk: bytea('sealed_private_jwk'),
  createdAt: moment('created_at').notNull(),
})

/** By address and not by account: in hosted mode accounts live elsewhere. */
export const members = pgTable('members', {
  email: text('email').primaryKey(),
  role: text('role').$type<Role>().notNull(),
  namespaces: json('namespaces').$type<readonly string[]>(),
  until: moment('until'),
  updatedAt: moment('updated_at').notNull(),
})

export const apiTokens = pgTable('api_tokens', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  hash: text('hash').notNull().unique(),
  role: text('role').$type<Role>().notNull(),
  namespaces: json('namespaces').$type<readonly string[]>(),
  clusters: json('clusters').$type<readonly string[]>(),
  createdBy: text('created_by').notNull(),
  account: text('account'),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at'),
  lastUsedAt: moment('last_used_at'),
  revokedAt: moment('revoked_at'),
})

/** By address and not by account, like members. */
export const loginRequests = pgTable('login_requests', {
  id: text('id').primaryKey(),
  codeHash: text('code_hash').notNull().unique(),
  machine: text('machine').notNull(),
  ip: text('ip').notNull(),
  challenge: text('challenge').notNull(),
  callback: json('callback').$type<NonNullable<LoginRequest['callback']>>(),
  role: text('role').$type<Role>(),
  decision: json('decision').$type<LoginDecision>(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
})

/** Rows are only ever added: a trigger of migration 0002 refuses everything else. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    at: moment('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    object: text('object').notNull(),
    outcome: text('outcome').$type<AuditFact['outcome']>().notNull(),
    ip: text('ip').notNull(),
    details: json('details').$type<AuditFact['details']>().notNull(),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    index('audit_entries_actor_index').on(table.actor, table.seq),
    index('audit_entries_action_index').on(table.action, table.seq),
  ],
)

export const mails = pgTable(
  'mails',
  {
    id: text('id').primaryKey(),
    at: moment('at').notNull(),
    to: text('to').notNull(),
    kind: text('kind').$type<Mail['kind']>().notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    outcome: text('outcome').notNull(),
  },
  (table) => [index('mails_at_index').on(table.at)],
)
