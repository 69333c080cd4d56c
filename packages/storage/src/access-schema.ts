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
import {
  sql,
  bigint,
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from './drizzle.ts'

import { bytes, exact, long, moment, short } from './column-types.ts'

export const accounts = pgTable('accounts', {
  id: exact('id').primaryKey(),
  email: exact('email').notNull().unique(),
  passwordHash: exact('password_hash'),
  appMetadata: json('app_metadata').$type<JsonRecord>().notNull(),
  userMetadata: json('user_metadata').$type<JsonRecord>().notNull(),
  emailConfirmedAt: moment('email_confirmed_at'),
  invitedAt: moment('invited_at'),
  lastSignInAt: moment('last_sign_in_at'),
  bannedUntil: moment('banned_until'),
  newEmail: exact('new_email'),
  mailSentAt: json('mail_sent_at').$type<Readonly<Partial<Record<CodeKind, Instant>>>>().notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
})

/** What belongs to an account goes with it. */
const ofAccount = () =>
  exact('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' })

/** Who an account is to a sign-in provider. */
export const externalIdentities = pgTable(
  'external_identities',
  {
    issuer: exact('issuer').notNull(),
    subject: exact('subject').notNull(),
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
    id: exact('id').primaryKey(),
    accountId: ofAccount(),
    aal: text('aal').$type<Session['aal']>().notNull(),
    factorId: exact('factor_id'),
    methods: json('methods').$type<readonly AuthMethod[]>().notNull(),
    refreshCounter: bigint('refresh_counter', { mode: 'number' }).notNull(),
    createdAt: moment('created_at').notNull(),
    refreshedAt: moment('refreshed_at').notNull(),
    userAgent: short('user_agent').notNull(),
    ip: short('ip').notNull(),
    notAfter: moment('not_after'),
    providerSession: exact('provider_session'),
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
    id: exact('id').primaryKey(),
    accountId: ofAccount(),
    kind: text('kind').$type<CodeKind>().notNull(),
    hash: exact('hash').notNull().unique(),
    sentTo: exact('sent_to').notNull(),
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
    id: exact('id').primaryKey(),
    accountId: ofAccount(),
    friendlyName: short('friendly_name').notNull(),
    status: text('status').$type<Factor['status']>().notNull(),
    secret: bytes('secret').notNull(),
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
    id: exact('id').primaryKey(),
    factorId: exact('factor_id')
      .notNull()
      .references(() => factors.id, { onDelete: 'cascade' }),
    ip: short('ip').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('factor_challenges_factor_id_index').on(table.factorId)],
)

export const signingKeys = pgTable('signing_keys', {
  kid: exact('kid').primaryKey(),
  publicJwk: json('public_jwk').$type<JsonRecord>().notNull(),
  sealedPrivateJwk: bytes('sealed_private_jwk'),
  createdAt: moment('created_at').notNull(),
})

/** By address and not by account: in hosted mode accounts live elsewhere. */
export const members = pgTable('members', {
  email: exact('email').primaryKey(),
  role: text('role').$type<Role>().notNull(),
  namespaces: json('namespaces').$type<readonly string[]>(),
  until: moment('until'),
  updatedAt: moment('updated_at').notNull(),
})

export const apiTokens = pgTable('api_tokens', {
  id: exact('id').primaryKey(),
  name: short('name').notNull(),
  prefix: short('prefix').notNull(),
  hash: exact('hash').notNull().unique(),
  role: text('role').$type<Role>().notNull(),
  namespaces: json('namespaces').$type<readonly string[]>(),
  clusters: json('clusters').$type<readonly string[]>(),
  createdBy: exact('created_by').notNull(),
  account: exact('account'),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at'),
  lastUsedAt: moment('last_used_at'),
  revokedAt: moment('revoked_at'),
})

/** By address and not by account, like members. */
export const loginRequests = pgTable('login_requests', {
  id: exact('id').primaryKey(),
  codeHash: exact('code_hash').notNull().unique(),
  machine: short('machine').notNull(),
  ip: short('ip').notNull(),
  challenge: exact('challenge').notNull(),
  callback: json('callback').$type<NonNullable<LoginRequest['callback']>>(),
  role: text('role').$type<Role>(),
  decision: json('decision').$type<LoginDecision>(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
})

/** Where the audit log ends, signed: the only row there is. */
export const auditHead = pgTable('audit_head', {
  one: boolean('one').primaryKey().default(true),
  seq: bigint('seq', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
  signature: text('signature').notNull(),
})

/** Rows are only ever added: a trigger of migration 0002 refuses everything else. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    at: moment('at').notNull(),
    actor: short('actor').notNull(),
    action: short('action').notNull(),
    object: short('object').notNull(),
    outcome: text('outcome').$type<AuditFact['outcome']>().notNull(),
    ip: short('ip').notNull(),
    details: json('details').$type<AuditFact['details']>().notNull(),
    previousHash: text('previous_hash').notNull(),
    hash: exact('hash').notNull(),
  },
  (table) => [
    index('audit_entries_actor_index').on(table.actor, table.seq),
    index('audit_entries_action_index').on(table.action, table.seq),
  ],
)

export const mails = pgTable(
  'mails',
  {
    id: exact('id').primaryKey(),
    at: moment('at').notNull(),
    to: short('to').notNull(),
    kind: text('kind').$type<Mail['kind']>().notNull(),
    subject: long('subject').notNull(),
    text: long('text').notNull(),
    outcome: long('outcome').notNull(),
  },
  (table) => [index('mails_at_index').on(table.at)],
)
