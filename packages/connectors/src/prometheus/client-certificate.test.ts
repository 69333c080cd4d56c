import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Engine, startPrometheus } from '../../../../test/metrics-engines.ts'
import { systemTool, without } from '../../../../test/system-tools.ts'
import { makeCertificate, type MadeCertificate } from '../http/certificates.fixture.ts'
import { wrongCertificate } from '../http/bounded-get.ts'
import { openPrometheus } from './open-prometheus.ts'

const openssl = systemTool('openssl', 'openssl')
const prometheus = systemTool('prometheus', 'prometheus')

describe.skipIf(openssl === undefined)(
  `an engine that asks for a client certificate${without(openssl, 'openssl')}`,
  () => {
    let folder: string
    let own: MadeCertificate
    let septet: MadeCertificate
    let stranger: MadeCertificate
    let server: Server
    let engine: Engine | undefined
    const asked: (string | undefined)[] = []

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'septet-mtls-'))
      ;[own, septet, stranger] = ['engine', 'septet', 'stranger'].map((name) =>
        makeCertificate(openssl ?? '', folder, name),
      ) as [MadeCertificate, MadeCertificate, MadeCertificate]
      const tls = { cert: own.cert, key: own.key, ca: septet.cert, requestCert: true, rejectUnauthorized: true }
      server = createServer(tls, (request, response) => {
        asked.push(request.headers['x-team']?.toString())
        response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [] } }))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    })
    afterAll(async () => {
      server?.close()
      await engine?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const url = (): string => `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const by = (shown: Partial<MadeCertificate>) => ({ ca: own.cert, ...shown })
    const opened = (shown: { readonly cert?: string; readonly key?: string }, at = url()) =>
      openPrometheus({ url: at, tls: by(shown), headers: { 'x-team': 'gpu' }, retryAfterMs: [] })

    it('answers the certificate that it trusts, with headers of one’s own', async () => {
      const { cert, key } = septet
      expect(await opened({ cert, key }).instant('up')).toEqual([])
      expect(asked).toEqual(['gpu'])
    })

    it('says that it wants one where none is shown, and that pair and key do not fit', async () => {
      await expect(opened({}).instant('up')).rejects.toThrow('it asks for a client certificate')
      const { cert } = septet
      await expect(opened({ cert, key: stranger.key }).instant('up')).rejects.toThrow('do not belong together')
      await expect(opened({ cert: 'x', key: 'y' }).instant('up')).rejects.toThrow('is not PEM')
      await expect(opened({ cert: stranger.cert, key: stranger.key }).instant('up')).rejects.toMatchObject({
        code: 'unreachable',
      })
      expect(asked).toHaveLength(1)
    })

    it('a pair is looked at before it is kept', () => {
      expect(wrongCertificate(septet.cert, septet.key)).toBeUndefined()
      expect(wrongCertificate(septet.cert, stranger.key)).toContain('do not belong together')
      expect(wrongCertificate('x', septet.key)).toContain('is not a PEM certificate')
      expect(wrongCertificate(septet.cert, 'y')).toContain('not a PEM private key')
    })

    it.skipIf(prometheus === undefined)(`a real Prometheus${without(prometheus, 'prometheus')}`, async () => {
      const { cert, key } = septet
      const isReady = (at: string): Promise<boolean> =>
        opened({ cert, key }, at)
          .instant('vector(1)')
          .then(
            () => true,
            () => false,
          )
      engine = await startPrometheus({
        binary: prometheus ?? '',
        web: {
          isReady,
          config: {
            tls_server_config: {
              cert_file: own.certFile,
              key_file: own.keyFile,
              client_auth_type: 'RequireAndVerifyClientCert',
              client_ca_file: septet.certFile,
            },
          },
        },
      })
      const [series] = await opened({ cert, key }, engine.url).instant('vector(7)')
      expect(series?.samples.map(({ value }) => value)).toEqual([7])
      await expect(opened({}, engine.url).instant('up')).rejects.toThrow('client certificate')
      const other = { cert: stranger.cert, key: stranger.key }
      await expect(opened(other, engine.url).instant('up')).rejects.toThrow('client certificate')
    })
  },
)
