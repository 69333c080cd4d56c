import { unescape } from 'node:querystring'

import { areLabelMatchers, LABEL_MATCHERS_WORDS } from '@septet/domain'
import { z } from 'zod'

import {
  CREDENTIAL_PLUGINS,
  type Expected,
  DEMO_SCALE,
  HEADER_NAME,
  HTTP_URL,
  listOf,
  LOG_LEVEL,
  numberWithin,
  ON_OFF,
  ORIGIN,
  PIPELINES,
  PORT,
  ROLE,
  TOKENS,
  wholeWithin,
  within,
  withoutPassword,
} from './setting-values.ts'

type Rules = {
  readonly is?: Expected
  /** The setting without which this one would be silently ignored, and what to do about that. */
  readonly needs?: readonly [name: string, todo: string]
}

/** `fallback` is the value where none is given; empty: none, whatever the rules say of a value. */
const setting = (fallback: string, more: Rules = {}) => ({ fallback, isShown: false, ...more })
/** One whose value says nothing of a place, a person or a secret: of all others is told only whether they are set. */
const shown = (fallback: string, more: Rules = {}) => ({ ...setting(fallback, more), isShown: true })

const MASTER_SECRET: Expected = { schema: z.string().min(32), expected: '32 characters or more', secret: true }

/** Everything that can be set from outside; a test asks for the same list, with what each means, in `docs/configuration.md`. */
export const SETTINGS = {
  SEPTET_HOST: setting('127.0.0.1'),
  SEPTET_PORT: shown('7070', { is: PORT }),
  SEPTET_PUBLIC_URL: setting('', {
    is: { schema: ORIGIN, expected: 'an http:// or https:// address without a path, like https://septet.example.com' },
  }),
  SEPTET_TRUSTED_PROXIES: setting(''),
  SEPTET_DATA_DIR: setting('.septet'),
  SEPTET_ROLE: shown('all', { is: ROLE }),
  SEPTET_PIPELINES: shown('thread', { is: PIPELINES }),
  DATABASE_URL: setting('', { is: { schema: z.url({ protocol: /^postgres(ql)?$/u }), expected: 'a postgres:// URL' } }),
  SEPTET_AUTHORIZED_EMAIL: setting('admin@septet.local'),
  SEPTET_SETUP_SECRET: setting('', {
    is: { schema: z.string().min(16), expected: '16 characters or more', secret: true },
  }),
  SEPTET_SECRET: setting('', { is: MASTER_SECRET }),
  SEPTET_SECRET_BEFORE: setting('', { is: MASTER_SECRET, needs: ['SEPTET_SECRET', 'set the new one in it'] }),
  SEPTET_CONFIRM_EMAIL: shown('off', { is: ON_OFF }),
  SEPTET_SMTP_URL: setting('', {
    is: { schema: z.url({ protocol: /^smtps?$/u }), expected: 'an smtp:// or smtps:// address', secret: true },
    needs: ['SEPTET_PUBLIC_URL', 'links in mails need an address that leads here'],
  }),
  SEPTET_MAIL_FROM: setting('', { needs: ['SEPTET_SMTP_URL', 'name the server that is to send'] }),
  SEPTET_MAILS_PER_HOUR: shown('30'),
  SEPTET_MAILS_RESERVED: shown('30'),
  SEPTET_MAILS_PER_ADDRESS: shown('15'),
  SEPTET_MAILS_PER_RECIPIENT: shown('10'),
  SEPTET_RATE_LIMITS: setting(''),
  SEPTET_PUBLIC_DEMO: shown('on', { is: ON_OFF }),
  SEPTET_MCP_ISSUER: setting(''),
  SEPTET_MCP_GROUPS: setting('', { needs: ['SEPTET_MCP_ISSUER', 'name the server that puts people in groups'] }),
  SEPTET_SSO_NAME: setting('single sign-on', {
    is: { schema: z.string().max(40), expected: '40 characters or fewer' },
  }),
  SEPTET_SSO_ISSUER: setting('', {
    needs: ['SEPTET_SSO_CLIENT_ID', 'register Septet there, and name what it is called'],
  }),
  SEPTET_SSO_CLIENT_ID: setting('', { needs: ['SEPTET_SSO_ISSUER', 'name the provider that calls Septet so'] }),
  SEPTET_SSO_CLIENT_SECRET_FILE: setting('', { needs: ['SEPTET_SSO_ISSUER', 'name the provider that it is for'] }),
  SEPTET_SSO_SCOPES: setting('openid email profile', {
    is: { schema: z.string().regex(/(^|\s)openid(\s|$)/u), expected: 'a list of scopes with openid among them' },
  }),
  SEPTET_SSO_GROUPS_CLAIM: setting('groups'),
  SEPTET_SSO_GROUPS: setting(''),
  SEPTET_SSO_LINK: shown('off', { is: ON_OFF }),
  SEPTET_SSO_SIGN_OUT: shown('off', { is: ON_OFF }),
  SEPTET_SSO_SESSION_HOURS: shown('12', { is: wholeWithin(1, 720, 'a whole number of hours') }),
  SEPTET_SSO_TOKEN_DAYS: shown('30', { is: wholeWithin(1, 400, 'a whole number of days') }),
  SEPTET_SSO_PROXIES: setting(''),
  SEPTET_SSO_EMAIL_HEADER: setting('x-auth-request-email', { is: HEADER_NAME }),
  SEPTET_SSO_GROUPS_HEADER: setting('x-auth-request-groups', { is: HEADER_NAME }),
  SEPTET_SERVICE_ACCOUNTS: setting(''),
  SEPTET_SUPABASE_URL: setting('', {
    is: { schema: ORIGIN, expected: 'an http:// or https:// address without a path' },
    needs: ['SEPTET_SUPABASE_ANON_KEY', 'the page needs its public key to sign in'],
  }),
  SEPTET_SUPABASE_ANON_KEY: setting('', { needs: ['SEPTET_SUPABASE_URL', 'name the project that it is for'] }),
  SEPTET_SUPABASE_JWT_SECRET: setting('', { needs: ['SEPTET_SUPABASE_URL', 'name the project that it is for'] }),
  SEPTET_DEMO: shown('on', { is: ON_OFF }),
  SEPTET_DEMO_SCALE: shown('small', { is: DEMO_SCALE }),
  SEPTET_DEMO_SEED: shown('7', { is: { schema: within(0, 2 ** 31).int(), expected: 'a whole number' } }),
  SEPTET_DEMO_SPEED: shown('1', { is: numberWithin(1, 3600, 'a number') }),
  SEPTET_KUBECONFIG: setting(''),
  SEPTET_KUBE_CONTEXT: setting('', { needs: ['SEPTET_KUBECONFIG', 'name the kubeconfig that the context is in'] }),
  SEPTET_CLUSTER_NAME: setting('', {
    needs: ['SEPTET_KUBECONFIG', 'name the cluster that is to be shown by that name'],
  }),
  SEPTET_OPERATOR_NAMESPACE: setting('gpu-operator'),
  SEPTET_ACTOR_KUBECONFIG: setting('', { needs: ['SEPTET_KUBECONFIG', 'name the cluster that it may change'] }),
  SEPTET_ACTOR_CONTEXT: setting('', {
    needs: ['SEPTET_ACTOR_KUBECONFIG', 'name the kubeconfig that the context is in'],
  }),
  SEPTET_NAMESPACE: setting('septet'),
  SEPTET_ADMISSION_PORT: shown('', { is: PORT }),
  SEPTET_ADMISSION_CERT_DIR: setting('', { needs: ['SEPTET_ADMISSION_PORT', 'set the port that it is for'] }),
  SEPTET_ADMISSION_NAMES: setting('septet-admission.septet.svc'),
  SEPTET_CREDENTIAL_PLUGINS: shown('', {
    is: {
      schema: z.string().refine((text) => listOf(text).every((name) => CREDENTIAL_PLUGINS.has(name))),
      expected: 'a list of aws, gke-gcloud-auth-plugin and kubelogin',
    },
  }),
  SEPTET_PROMETHEUS_URL: setting('', {
    is: HTTP_URL,
    needs: ['SEPTET_KUBECONFIG', 'name the cluster whose metrics it holds'],
  }),
  SEPTET_PROMETHEUS_TOKEN: setting('', { needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'] }),
  SEPTET_PROMETHEUS_TENANT: setting('', { needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'] }),
  SEPTET_PROMETHEUS_HEADERS: setting('', { needs: ['SEPTET_PROMETHEUS_URL', 'name the address that they are for'] }),
  SEPTET_PROMETHEUS_MATCHERS: setting('', {
    is: { schema: z.string().refine(areLabelMatchers), expected: LABEL_MATCHERS_WORDS },
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address whose series they choose'],
  }),
  SEPTET_PROMETHEUS_USER: setting('', { needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'] }),
  SEPTET_PROMETHEUS_PASSWORD: setting('', { needs: ['SEPTET_PROMETHEUS_USER', 'name the user whose password it is'] }),
  SEPTET_PROMETHEUS_AWS_REGION: setting(''),
  SEPTET_PROMETHEUS_AWS_KEY_ID: setting('', { needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'] }),
  SEPTET_PROMETHEUS_AWS_SECRET: setting(''),
  SEPTET_PROMETHEUS_CA: setting('', { needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'] }),
  SEPTET_PROMETHEUS_CERT: setting('', { needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'] }),
  SEPTET_PROMETHEUS_KEY: setting(''),
  SEPTET_PROMETHEUS_QUERIES: shown('', {
    is: wholeWithin(1, 100, 'a whole number'),
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it limits'],
  }),
  SEPTET_PROMETHEUS_SECONDS: shown('', {
    is: wholeWithin(1, 3000, 'a whole number'),
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it limits'],
  }),
  SEPTET_EXPORTER_TARGETS: setting('', { needs: ['SEPTET_KUBECONFIG', 'name the cluster whose nodes they run on'] }),
  SEPTET_POLL_SECONDS: shown('15', { is: numberWithin(1, 300, 'a number of seconds') }),
  SEPTET_STORE_SECONDS: shown('30', { is: numberWithin(1, 300, 'a number of seconds') }),
  SEPTET_RECOMMEND_SECONDS: shown('60', { is: numberWithin(1, 3600, 'a number of seconds') }),
  SEPTET_HISTORY_DAYS: shown('210', { is: wholeWithin(1, 400, 'a whole number of days') }),
  SEPTET_WEBHOOK_LOOPBACK: shown('off', { is: ON_OFF }),
  SEPTET_COPILOT_URL: setting('', { is: HTTP_URL, needs: ['SEPTET_COPILOT_MODEL', 'name the model to ask there'] }),
  SEPTET_COPILOT_MODEL: setting('', { needs: ['SEPTET_COPILOT_URL', 'name the address where it is asked'] }),
  SEPTET_COPILOT_KEY: setting('', { needs: ['SEPTET_COPILOT_URL', 'name the address that it is for'] }),
  SEPTET_COPILOT_KEY_FILE: setting('', { needs: ['SEPTET_COPILOT_URL', 'name the address that it is for'] }),
  SEPTET_COPILOT_MASK: shown('on', { is: ON_OFF }),
  SEPTET_COPILOT_STEPS: shown('6', { is: wholeWithin(1, 20, 'a whole number') }),
  SEPTET_COPILOT_SECONDS: shown('60', { is: wholeWithin(1, 600, 'a whole number of seconds') }),
  SEPTET_COPILOT_ANSWER_TOKENS: shown('60000', { is: TOKENS }),
  SEPTET_COPILOT_PERSON_TOKENS: shown('500000', { is: TOKENS }),
  SEPTET_COPILOT_DAY_TOKENS: shown('5000000', { is: TOKENS }),
  SEPTET_LOG: shown('warn', { is: LOG_LEVEL }),
}

export type SettingName = keyof typeof SETTINGS
/** The text of a setting, trimmed, or its fallback; and whether it was given. */
export type Text = { (name: SettingName): string; given(name: SettingName): boolean }

/** Reads settings out of an environment. */
export function settingText(environment: Readonly<Record<string, string | undefined>>): Text {
  const given = (name: SettingName): string => environment[name]?.trim() ?? ''
  return Object.assign((name: SettingName): string => given(name) || SETTINGS[name].fallback, {
    given: (name: SettingName) => given(name) !== '',
  })
}

/** A sentence for every value that is not what its setting is to be, and for every one that lacks its companion. */
export const wrongSettings = (text: Text): string[] =>
  SETTING_NAMES.flatMap((name) => {
    const { is, needs }: Rules = SETTINGS[name]
    const value = text(name)
    if (value === '') return []
    if (is?.schema.safeParse(value).success === false)
      return [
        is.secret
          ? `${name} must be ${is.expected}.`
          : `${name} is "${withoutPassword(value)}" but must be ${is.expected}.`,
      ]
    if (needs === undefined || !isSettingName(needs[0]) || text(needs[0]) !== '') return []
    // Who only answers may be given the Secret of the one that watches, and asks neither metrics engines nor exporters.
    if (text('SEPTET_ROLE') === 'answer' && /^SEPTET_(PROMETHEUS|EXPORTER)_/u.test(name)) return []
    return [`${name} is set without ${needs[0]}: ${needs[1]}.`]
  })

export const isSettingName = (name: string): name is SettingName => name in SETTINGS
const SETTING_NAMES = Object.keys(SETTINGS).filter(isSettingName)

/** Every setting, for others to read: its value where that is harmless, and else whether it is set. */
export const shownSettings = (text: Text): Readonly<Record<string, string>> =>
  Object.fromEntries(
    SETTING_NAMES.map((name) => {
      if (SETTINGS[name].isShown) return [name, text.given(name) ? text(name) : `${text(name)} (default)`]
      return [name, text.given(name) ? '(set)' : '(not set)']
    }),
  )

/** The values of all other settings that are given, and the passwords within: they are shown nowhere. */
export const hiddenSettings = (text: Text): readonly string[] =>
  SETTING_NAMES.filter((name) => !SETTINGS[name].isShown && text.given(name)).flatMap((name) => {
    const value = text(name)
    const { password = '' } = URL.parse(value) ?? {}
    return [value, password, unescape(password), ...value.split(/[\s,;]+/u)]
  })
