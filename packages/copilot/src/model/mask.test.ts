import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'

import { openMask } from './mask.ts'

const hash = (name: string): string => createHash('sha256').update(name).digest('hex')

test('keys, URLs and units stay whole, and names do not', () => {
  const mask = openMask(hash)
  const answer = {
    'usd-per_GPU-h': 1,
    holdsGpus: 4,
    nodes: [{ node: 'payroll', text: 'payroll reads 12 GiB/s at $2.50/GPU-h, 3 tokens/s, 40 USD/mo and 1.5 GPU-h.' }],
    help: 'See https://docs.example.com/k8s-gpus/v1.2 and https://grafana.example.com/d/payroll?x=1.',
    at: '2026-05-04T09:41:00.000Z',
  }
  const hidden = mask.hide(answer)
  const text = JSON.stringify(hidden)
  expect(text).not.toContain('payroll')
  expect(hidden).toMatchObject({
    'usd-per_GPU-h': 1,
    holdsGpus: 4,
    nodes: [
      {
        text: expect.stringMatching(
          /^name-\w+ reads 12 GiB\/s at \$2\.50\/GPU-h, 3 tokens\/s, 40 USD\/mo and 1\.5 GPU-h\.$/u,
        ),
      },
    ],
    help: expect.stringMatching(/^See https:\/\/docs\.example\.com\/k8s-gpus\/v1\.2 and name-\w+$/u),
    at: answer.at,
  })
  expect(mask.showIn(hidden)).toEqual(answer)
})
