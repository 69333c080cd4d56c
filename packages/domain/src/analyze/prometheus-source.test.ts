import { describe, expect, test } from 'vitest'

import { HEADER_LINES_WORDS, headerLines } from './header-lines.ts'
import { prometheusSource, prometheusWords, wrongPrometheusWords } from './prometheus-source.ts'

const url = 'https://mimir.example.com/prometheus'

describe('what is said of a metrics engine', () => {
  test('becomes one source, whether settings or an admin said it', () => {
    const settings: Record<string, string> = {
      URL: url,
      TENANT: 'team-a',
      HEADERS: 'X-Team: gpu\n\nX-Reason: a b: c',
      AWS_REGION: 'eu-west-1',
      AWS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET: 'hush',
      CERT: 'a certificate',
      KEY: 'a key',
      QUERIES: '2',
      SECONDS: '20',
    }
    expect(prometheusSource(prometheusWords((name) => settings[name]))).toEqual({
      url,
      tenant: 'team-a',
      headers: { 'x-team': 'gpu', 'x-reason': 'a b: c' },
      aws: { region: 'eu-west-1', keyId: 'AKIDEXAMPLE', secret: 'hush' },
      tls: { cert: 'a certificate', key: 'a key' },
      limits: { atOnce: 2, secondsPerMinute: 20 },
    })
  })

  test('empty words say nothing, and without an address there is no source', () => {
    expect(
      prometheusSource({ prometheusUrl: url, prometheusToken: '', prometheusHeaders: '', prometheusCa: '' }),
    ).toEqual({ url })
    expect(prometheusSource({ prometheusToken: 'abc' })).toBeUndefined()
  })

  test.each([
    [{ prometheusCert: 'c' }, 'needs its private key'],
    [{ prometheusKey: 'k' }, 'a key its certificate'],
    [{ prometheusAwsRegion: 'eu-west-1', prometheusAwsKeyId: 'AKID' }, 'the secret access key'],
    [
      {
        prometheusToken: 't',
        prometheusAwsRegion: 'eu-west-1',
        prometheusAwsKeyId: 'AKID',
        prometheusAwsSecret: 's',
      },
      'keep one of them',
    ],
    [{ prometheusHeaders: 'X-Team' }, 'one header a line'],
  ])('%o do not go together', (words, said) => {
    expect(wrongPrometheusWords({ prometheusUrl: url, ...words })).toContain(said)
    expect(() => prometheusSource({ prometheusUrl: url, ...words })).toThrow(said)
  })

  test('one way in with a certificate is fine', () => {
    expect(
      wrongPrometheusWords({ prometheusUrl: url, prometheusToken: 't', prometheusCert: 'c', prometheusKey: 'k' }),
    ).toBeUndefined()
  })
})

describe('headers', () => {
  test.each([
    'X-Team',
    'X Team: a',
    'X-Team: ',
    ': a',
    'X-Team: ü',
    'Host: elsewhere',
    'X-A: a\nTransfer-Encoding: chunked',
  ])('%j are refused', (text) => {
    expect(headerLines(text)).toBeUndefined()
    expect(HEADER_LINES_WORDS).toContain('X-Team: gpu')
  })
})
