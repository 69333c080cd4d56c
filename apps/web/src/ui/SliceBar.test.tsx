import type { BlockView, GpuView } from '@septet/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'

import { SliceBar } from './SliceBar.tsx'

const block = (about: Partial<BlockView>): BlockView => ({
  kind: 'busy',
  start: 0,
  size: 8,
  profile: null,
  placement: 'reported',
  busy: null,
  holder: null,
  because: null,
  ...about,
})

const gpu = (blocks: readonly Partial<BlockView>[], about: Partial<GpuView> = {}): GpuView => ({
  id: 'GPU-0',
  index: 0,
  model: 'A100-80GB',
  mode: 'mig',
  slots: 8,
  fault: null,
  ...about,
  blocks: blocks.map(block),
})

const draw = (drawn: GpuView, width?: number): string =>
  renderToStaticMarkup(<SliceBar gpu={drawn} height={28} {...(width === undefined ? {} : { width })} />)

/** Where each block is: its start and width in percent. */
const places = (markup: string): string[] =>
  [...markup.matchAll(/<svg x="([\d.]+%)" y="[\d.]+" width="([\d.]+%)"/gu)].map(([, from, share]) => `${from} ${share}`)

const words = (markup: string): string => /aria-label="([^"]*)"/u.exec(markup)?.[1] ?? ''

describe('a slice bar', () => {
  test('is drawn to scale from starts and sizes', () => {
    const markup = draw(
      gpu([{ size: 4 }, { start: 4, size: 2 }, { start: 6, size: 1 }, { start: 7, size: 1, kind: 'stranded' }]),
    )
    expect(places(markup)).toEqual(['0% 50%', '50% 25%', '75% 12.5%', '87.5% 12.5%'])
  })

  test('fills a busy block as high as it was busy, and keeps a little visible', () => {
    expect(draw(gpu([{ busy: 0.5 }]))).toContain('y="14" height="14" rx="2.5" fill="var(--busy)"')
    expect(draw(gpu([{ busy: 0.001 }]))).toContain('height="1.5"')
    expect(draw(gpu([{ busy: 0 }]))).toContain('height="0"')
  })

  test.each([
    ['idle', 'url(#texture-idle)'],
    ['stranded', 'url(#texture-stranded)'],
    ['unknown', 'url(#texture-unknown)'],
    ['free', 'stroke="var(--free)"'],
    ['uncut', 'stroke-dasharray="3 2"'],
  ] as const)('gives %s a texture of its own', (kind, texture) => {
    expect(draw(gpu([{ kind }]))).toContain(texture)
  })

  test('tells an instance that nobody holds from memory that no instance has, in drawing and in words', () => {
    const instance = gpu([{ size: 2, profile: '2g.20gb', kind: 'free' }])
    const memory = gpu([{ size: 2, kind: 'uncut' }])
    expect(draw(instance)).not.toContain('stroke-dasharray')
    expect(words(draw(instance))).toContain('2g.20gb free')
    expect(words(draw(memory))).toContain('2 memory slices unpartitioned')
  })

  test('says everything in its name', () => {
    const markup = draw(
      gpu(
        [
          { size: 4, profile: '4g.40gb', holder: 'ml/vllm-7', busy: 0.81 },
          { start: 4, size: 2, kind: 'unknown', profile: '2g.20gb', holder: 'ml/etl' },
          { start: 6, size: 1, kind: 'free' },
          { start: 7, size: 1, kind: 'stranded' },
        ],
        { fault: { code: 'gpu-xid', message: 'XID 79', object: 'gpu/0' } },
      ),
    )
    expect(words(markup)).toBe(
      'GPU 0, A100-80GB; fault: XID 79; 4g.40gb held by ml/vllm-7, 81% busy; 2g.20gb held by ml/etl, not measured; 1 memory slice free; 1 memory slice stranded',
    )
    expect(markup).toContain('var(--fault)')
  })

  test.each([
    ['inferred', 'placement inferred from the geometry'],
    ['unknown', 'placement unknown, drawn in order'],
  ] as const)('marks an %s placement with a dashed line and in words', (placement, sentence) => {
    const markup = draw(gpu([{ placement }]))
    expect(markup).toContain('stroke-dasharray="2 3"')
    expect(words(markup)).toContain(sentence)
    expect(draw(gpu([{}]))).not.toContain('stroke-dasharray="2 3"')
  })

  test('stacks the replicas of a shared GPU', () => {
    const markup = draw(gpu([{ busy: 0.4 }, { busy: 0.2 }, { kind: 'free' }, { kind: 'idle' }], { mode: 'shared' }))
    expect([...markup.matchAll(/<svg x="0%" y="([\d.]+)" width="100%"/gu)].map(([, top]) => top)).toEqual([
      '0',
      '7',
      '14',
      '21',
    ])
    expect(words(markup)).toContain('shared replica')
  })

  test('names blocks only where the name fits', () => {
    const drawn = gpu([
      { size: 4, profile: '4g.40gb', holder: 'ml/vllm-7', busy: 0.8 },
      { start: 4, size: 1, profile: '1g.10gb' },
    ])
    expect(draw(drawn)).not.toContain('<text')
    expect(draw(drawn, 800)).toContain('4g.40gb vllm-7')
    expect(draw(drawn, 800)).toContain('>1g.10gb<')
    expect(draw(drawn, 130)).toContain('>vllm-7<')
    expect(draw(drawn, 130)).not.toContain('1g.10gb<')
  })

  test('of a GPU without partitions is an outline, not nothing', () => {
    const markup = draw(gpu([]))
    expect(markup).toContain('<rect')
    expect(words(markup)).toContain('no partition reported')
  })
})
