import type { RequestListener } from 'node:http'

import { describe, expect, it } from 'vitest'

import { serve as serveHttp, servers } from '../http/serve.fixture.ts'
import { openExporterReader } from './exporter-reader.ts'

const serve = async (answer: RequestListener | string): Promise<string> =>
  `${await serveHttp(typeof answer === 'string' ? (_, response) => response.end(answer) : answer)}/metrics`

const busy = (gpu: string, value: number | string) =>
  `DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="GPU-${gpu}",Hostname="node-${gpu}",modelName="Tesla T4"} ${value}\n`

/** One good exporter beside one that does what it likes. */
async function beside(bad: string, more: Partial<Parameters<typeof openExporterReader>[0]> = {}) {
  const reader = openExporterReader({
    targets: [{ url: await serve(busy('good', 0.5)) }, { url: bad, node: 'bad' }],
    ...more,
  })
  const reading = await reader.read()
  expect(reading.samples.find((sample) => sample.gpu === 'GPU-good')?.busy).toBe(0.5)
  expect(reading.targets[0]).toMatchObject({ kind: 'up', node: 'node-good' })
  return { reader, reading, problems: reading.problems.map(({ code, message }) => `${code}: ${message}`) }
}

describe('one bad exporter beside a good one', () => {
  it('that refuses the connection', async () => {
    const url = await serve('')
    const gone = servers.pop()
    await new Promise((resolve) => gone?.close(resolve))
    const { problems, reading } = await beside(url)
    expect(problems).toEqual([
      expect.stringMatching(/^target-failed: .*connection refused.*The other 1 exporter is read/),
    ])
    expect(reading.targets[1]).toMatchObject({ kind: 'down', node: 'bad', lastSeen: undefined })
  })

  it.each([
    [401, /asks for a sign-in/],
    [403, /refuses access/],
    [404, /answers with status 404/],
    [503, /answers with status 503/],
  ])('that answers %i', async (status, sentence) => {
    const url = await serve((_, response) => response.writeHead(status).end())
    expect((await beside(url)).problems[0]).toMatch(sentence)
  })

  it('that never answers', async () => {
    const url = await serve(() => undefined)
    expect((await beside(url, { timeoutMs: 200 })).problems[0]).toMatch(/did not answer within 0.2 s/)
  })

  it('that stops in the middle of the answer', async () => {
    const url = await serve((_, response) => response.write(busy('bad', 0.25)) && response.write('DCGM_FI_PROF_GR'))
    expect((await beside(url, { timeoutMs: 200 })).problems[0]).toMatch(/did not answer within/)
  })

  it('whose connection breaks: complete lines count', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 10_000 })
      response.write(busy('bad', 0.25) + busy('half', 0.99).slice(0, -5), () => response.destroy())
    })
    const { reading, problems } = await beside(url)
    expect(problems[0]).toMatch(/^exposition-cut: The exporter on node bad broke off/)
    expect(reading.samples.map((sample) => sample.gpu)).toEqual(['GPU-bad', 'GPU-good'])
  })

  it('that sends more than is read', async () => {
    const url = await serve(busy('bad', 0.25) + '# padding\n'.repeat(100_000))
    const { reading, problems } = await beside(url, { maximumBytes: 10_000 })
    expect(problems[0]).toMatch(/^exposition-cut: .*more than is read at once/)
    expect(reading.samples.length).toBe(2)
  })

  it('that sends a line of 10 MB', async () => {
    const url = await serve(`x{y="${'z'.repeat(10_000_000)}"} 1\n${busy('bad', 0.25)}`)
    const { reading, problems } = await beside(url)
    expect(problems[0]).toMatch(/^exposition-malformed: .*1 lines that are not metrics, the first at line 1/)
    expect(reading.samples.length).toBe(2)
  })

  it('that sends a web page', async () => {
    const url = await serve('<!doctype html>\n<html></html>\n')
    expect((await beside(url)).problems[0]).toMatch(/does not return metrics/)
  })

  it('that exports no GPU metric', async () => {
    const url = await serve('node_load1 0.5\n')
    expect((await beside(url)).problems[0]).toMatch(
      /none of the metrics that Septet reads.*DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO/,
    )
  })

  it('that sends NaN: the value is unknown, and 0 is never shown for it', async () => {
    const { reading } = await beside(await serve(busy('bad', 'NaN')))
    expect(reading.samples[0]).toMatchObject({ gpu: 'GPU-bad', unusable: { busy: 'out-of-range' } })
    expect(reading.samples[0]).not.toHaveProperty('busy')
  })
})

describe('state', () => {
  it('an exporter that stops is stale, then down, then up again, and keeps when it was seen', async () => {
    let up = true
    let now = 1000
    const flaky = await serve((_, response) => response.writeHead(up ? 200 : 500).end(busy('a', 0.5)))
    const targets = [{ url: flaky }, { url: await serve(busy('b', 0.5)) }]
    const reader = openExporterReader({ targets, clock: () => now })
    const kinds: string[] = []
    for (const wish of [true, false, false, false, true]) {
      up = wish
      now += 1000
      const { targets: states } = await reader.read()
      kinds.push(`${states[0]?.kind} ${states[0]?.lastSeen}`)
    }
    expect(kinds).toEqual(['up 2000', 'stale 2000', 'stale 2000', 'down 2000', 'up 6000'])
  })

  it('throws one sentence when nothing at all could be read', async () => {
    const url = await serve((_, response) => response.writeHead(500).end())
    const reader = openExporterReader({ targets: [{ url }, { url: `${url}2` }] })
    await expect(reader.read()).rejects.toThrow(/None of the 2 exporters gave samples.*status 500.*stays valid/)
  })

  it('a cluster without exporters gives an empty reading', async () => {
    expect((await openExporterReader({ targets: [] }).read()).samples).toEqual([])
  })
})

describe('finding exporters', () => {
  it('by Prometheus HTTP service discovery, whose node label wins over the exporter’s Hostname', async () => {
    const url = new URL(await serve(busy('a', 0.5)))
    const list = [{ targets: [url.host], labels: { __metrics_path__: '/metrics', node: 'node-1' } }]
    const reader = openExporterReader({ targets: { httpSd: await serve(JSON.stringify(list)) } })
    const reading = await reader.read()
    expect(reading.samples).toMatchObject([{ node: 'node-1', gpu: 'GPU-a' }])
    expect(reading.targets).toMatchObject([{ target: url.href, node: 'node-1', kind: 'up' }])
  })

  it('keeps the known ones while the discovery is away, and says so', async () => {
    const url = new URL(await serve(busy('a', 0.5)))
    let body = JSON.stringify([{ targets: [url.host] }])
    const reader = openExporterReader({ targets: { httpSd: await serve((_, response) => response.end(body)) } })
    await reader.read()
    body = '{"not":"a list"}'
    const reading = await reader.read()
    expect(reading.samples.length).toBe(1)
    expect(reading.problems).toMatchObject([
      {
        code: 'target-discovery-failed',
        message: expect.stringMatching(/The 1 exporter known so far is still read/) as string,
      },
    ])
  })

  it('scrapes many at once, but not more than allowed', async () => {
    let open = 0
    let most = 0
    const url = await serve((request, response) => {
      open += 1
      most = Math.max(most, open)
      setTimeout(() => {
        open -= 1
        response.end(busy(request.url?.slice(1) ?? '', 0.5))
      }, 20)
    })
    const targets = Array.from({ length: 20 }, (_, index) => ({ url: new URL(`/${index}`, url).href }))
    const reading = await openExporterReader({ targets, concurrency: 4 }).read()
    expect(reading.samples.length).toBe(20)
    expect(most).toBe(4)
  })
})
