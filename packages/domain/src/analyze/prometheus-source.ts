import { HEADER_LINES_WORDS, headerLines } from './header-lines.ts'

/** Where a metrics engine is, by what it lets Septet in, and which of its series are meant. */
export type PrometheusSource = {
  /** Base address, with the path prefix where there is one (`https://mimir/prometheus`). */
  readonly url: string
  readonly bearerToken?: string
  readonly basic?: { readonly username: string; readonly password: string }
  /** By what requests are signed, for Amazon Managed Service for Prometheus. */
  readonly aws?: { readonly region: string; readonly keyId: string; readonly secret: string }
  /** Sent as X-Scope-OrgID, which Mimir, Cortex and Loki take the tenant from. */
  readonly tenant?: string
  /** Sent with every request, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Label matchers, like `cluster="prod"`, that every series read must meet; see `areLabelMatchers`. */
  readonly matchers?: string
  /** PEM: certificates to trust besides the well-known ones, and the one that Septet shows, with its key. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly limits?: QueryLimits
}

/** What Septet may ask of an engine that others need too. */
export type QueryLimits = {
  /** Queries that are under way at the same time. */
  readonly atOnce?: number
  /** Seconds that queries of the last minute took, all together. */
  readonly secondsPerMinute?: number
}

/** What is known of an engine, wherever it was said; each word by the name of its `SEPTET_PROMETHEUS_` setting. */
const WORDS = {
  URL: 'prometheusUrl',
  TOKEN: 'prometheusToken',
  TENANT: 'prometheusTenant',
  HEADERS: 'prometheusHeaders',
  MATCHERS: 'prometheusMatchers',
  USER: 'prometheusUser',
  PASSWORD: 'prometheusPassword',
  AWS_REGION: 'prometheusAwsRegion',
  AWS_KEY_ID: 'prometheusAwsKeyId',
  AWS_SECRET: 'prometheusAwsSecret',
  CA: 'prometheusCa',
  CERT: 'prometheusCert',
  KEY: 'prometheusKey',
  QUERIES: 'prometheusQueries',
  SECONDS: 'prometheusQuerySeconds',
} as const
type Setting = keyof typeof WORDS
type Word = (typeof WORDS)[Setting]

type NumberWord = 'prometheusQueries' | 'prometheusQuerySeconds'
type TextWord = Exclude<Word, NumberWord>

export type PrometheusWords = { readonly [Each in TextWord]?: string | undefined } & {
  readonly [Each in NumberWord]?: string | number | undefined
}

/** Those that are kept sealed and never told. */
export const PROMETHEUS_SECRETS = [
  'prometheusToken',
  'prometheusPassword',
  'prometheusHeaders',
  'prometheusAwsSecret',
  'prometheusCa',
  'prometheusCert',
  'prometheusKey',
] as const satisfies readonly TextWord[]

/** What the `SEPTET_PROMETHEUS_` settings say, of a server or a command alike. */
export const prometheusWords = (say: (name: Setting) => string | undefined): PrometheusWords =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very object
  Object.fromEntries(Object.entries(WORDS).map(([name, word]) => [word, say(name as Setting)]))

/** Undefined where no address is known. An empty word says nothing. Throws a sentence for words that do not go together. */
export function prometheusSource(words: PrometheusWords): PrometheusSource | undefined {
  const said = (word: TextWord): string | undefined => words[word] || undefined
  const url = said('prometheusUrl')
  if (url === undefined) return undefined
  const wrong = wrongPrometheusWords(words)
  if (wrong !== undefined) throw new Error(wrong)
  const username = said('prometheusUser')
  const [region, keyId, secret] = [said('prometheusAwsRegion'), said('prometheusAwsKeyId'), said('prometheusAwsSecret')]
  return {
    url,
    ...given('bearerToken', said('prometheusToken')),
    ...given('basic', username && { username, password: said('prometheusPassword') ?? '' }),
    ...given('aws', region && keyId && secret ? { region, keyId, secret } : undefined),
    ...given('tenant', said('prometheusTenant')),
    ...given('headers', headerLines(said('prometheusHeaders') ?? '')),
    ...given('matchers', said('prometheusMatchers')),
    ...given('tls', {
      ...given('ca', said('prometheusCa')),
      ...given('cert', said('prometheusCert')),
      ...given('key', said('prometheusKey')),
    }),
    ...given('limits', {
      ...given('atOnce', numberOf(words.prometheusQueries)),
      ...given('secondsPerMinute', numberOf(words.prometheusQuerySeconds)),
    }),
  }
}

const numberOf = (said: string | number = ''): number | undefined => (said === '' ? undefined : Number(said))

/** One property of that name, or none where there is nothing to say. */
const given = <Name extends string, Value>(
  name: Name,
  value: Value | undefined | '',
): { readonly [Each in Name]?: Value } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one property of that name, or none
  (value === undefined || value === '' || (typeof value === 'object' && Object.keys(value as object).length === 0)
    ? {}
    : { [name]: value }) as { readonly [Each in Name]?: Value }

/** Why these words do not go together, in a sentence; undefined where they do. */
export function wrongPrometheusWords(words: PrometheusWords): string | undefined {
  const has = (word: TextWord): boolean => (words[word] ?? '') !== ''
  if (headerLines(words.prometheusHeaders ?? '') === undefined) return `Headers must be ${HEADER_LINES_WORDS}.`
  if (has('prometheusCert') !== has('prometheusKey')) {
    return 'A client certificate needs its private key, and a key its certificate.'
  }
  const aws = (['prometheusAwsRegion', 'prometheusAwsKeyId', 'prometheusAwsSecret'] as const).filter(has)
  if (aws.length > 0 && aws.length < 3) {
    return 'Signing requests for AWS needs the region, the access key ID and the secret access key.'
  }
  return aws.length > 0 && (has('prometheusToken') || has('prometheusUser'))
    ? 'A request signed for AWS cannot also use a token or a user name: keep one of them.'
    : undefined
}
