import { expect, test } from 'vitest'
import { openPrometheusClients, limitQuery } from './prometheus-client.ts'

test.each([
  ['up', 'up{cluster="a"}'],
  ['up{}', 'up{cluster="a"}'],
  ['up{gpu="1"}', 'up{cluster="a",gpu="1"}'],
  ['{__name__=~"a|b"}', '{cluster="a",__name__=~"a|b"}'],
  ['count_over_time(up{gpu="{}"}[5m] offset -5m)', 'count_over_time(up{cluster="a",gpu="{}"}[5m] offset -5m)'],
  ['sum by (up) (up) / on (pod) down{x!="up"}', 'sum by (up) (up{cluster="a"}) / on (pod) down{cluster="a",x!="up"}'],
  [
    'max_over_time((avg_over_time(up[299s]) > bool 0.01)[59m:5m])',
    'max_over_time((avg_over_time(up{cluster="a"}[299s]) > bool 0.01)[59m:5m])',
  ],
  ['vector(1)', 'vector(1)'],
])('%s is limited in every selector', (query, limited) => {
  expect(limitQuery(query, 'cluster="a"')).toBe(limited)
  expect(limitQuery(query, undefined)).toBe(query)
})

test('what cannot be limited is not asked', () => expect(() => limitQuery('sum(up', 'a="b"')).toThrow('no PromQL'))

test('an engine whose series cannot be told apart is not opened', () =>
  expect(() => openPrometheusClients({ url: 'http://127.0.0.1:9', matchers: 'cluster=a' })).toThrow(
    'cluster=a cannot be read',
  ))
