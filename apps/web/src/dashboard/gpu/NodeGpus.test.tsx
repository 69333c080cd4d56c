import type { BlockView } from '@septet/contract'
import { Tooltip } from 'radix-ui'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { NodeGpus } from './NodeGpus.tsx'

const MISSING = 'The exporter does not report this MIG device.'

const held = (start: number, holder: string, more: Partial<BlockView>): BlockView => ({
  start,
  size: 1,
  kind: 'busy',
  profile: '1g.10gb',
  placement: 'reported',
  holder,
  busy: 0.5,
  because: null,
  ...more,
})

const textOf = (blocks: readonly BlockView[]): string =>
  renderToStaticMarkup(
    <Tooltip.Provider>
      <NodeGpus
        node={
          {
            node: 'a',
            pool: '',
            ready: true,
            mig: { strategy: 'mixed', config: null, state: null },
            sharing: null,
            used: 2,
            available: 0,
            total: 2,
            utilization: null,
            problems: [],
            gpus: [{ id: 'GPU-1', index: 0, model: 'H100', mode: 'mig', slots: 8, fault: null, blocks: [...blocks] }],
          } as never
        }
      />
    </Tooltip.Provider>,
  ).replaceAll(/<[^>]+>/gu, '\n')

test('names the device that is not reported', () => {
  const text = textOf([
    held(0, 'lab/Pod/notebook', {}),
    held(1, 'lab/Pod/explore-k5m6', { kind: 'unknown', busy: null, because: MISSING }),
  ])
  expect(text).toContain(
    '1g.10gb held by lab/explore-k5m6, not measured: the exporter does not report this MIG device.',
  )
  expect(text).not.toContain(`\n${MISSING}`)
})

test('says once what is true of all of them', () => {
  const unknown = { kind: 'unknown', busy: null, because: MISSING } as const
  const text = textOf([held(0, 'lab/Pod/a', unknown), held(1, 'lab/Pod/b', unknown)])
  expect(text.split(MISSING)).toHaveLength(2)
})
