import { expect, test } from 'vitest'

import { areLabelMatchers } from './label-matchers.ts'

test.each(['cluster="a"', 'cluster="a", region=~"eu-.*"', "cluster='a'", 'cluster!=""', 'k8s_cluster="},{"'])(
  '%s are matchers',
  (text) => expect(areLabelMatchers(text)).toBe(true),
)

test.each([
  '',
  ' ',
  'cluster',
  'cluster=a',
  'cluster="a",',
  'a="b"} or up{c="d"',
  '{cluster="a"}',
  '__name__="up"',
  '"up"',
  'a="b"} # ',
])('%s are none', (text) => expect(areLabelMatchers(text)).toBe(false))
