import { DAY_MS } from '@septet/domain'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { X509Certificate } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { askWebhook } from '../composition/admission-client.fixture.ts'
import { settingsInMemory } from '../settings-in-memory.fixture.ts'
import { listenForReviews } from './admission-listener.ts'
import { ownCertificates, mountedCertificates, watchCertificates } from './certificates.ts'
import { makeAuthority, makeServing, type KeyPair } from './x509.ts'

const NAMES = ['septet-admission.septet.svc', '127.0.0.1']

const secrets = (shift: number) => ({
  seal: (_: string, plain: Uint8Array) => Uint8Array.of(shift, ...plain.map((byte) => byte ^ shift)),
  unseal: (_: string, [by, ...sealed]: Uint8Array) => {
    if (by !== shift) throw new Error('sealed with another secret')
    return Uint8Array.from(sealed, (byte) => byte ^ shift)
  },
})
const authoritiesIn = (text = '') => text.match(/BEGIN CERTIFICATE/gu)?.length
const isBy = (certificate: string, bundle = '') =>
  new X509Certificate(certificate).verify(new X509Certificate(bundle).publicKey)
const fingerprintOf = ({ certificate }: KeyPair) => new X509Certificate(certificate).fingerprint256

describe('certificates of Septet’s own', () => {
  let now = 0
  let settings = settingsInMemory()
  beforeEach(() => {
    now = Date.UTC(2026, 10, 1)
    settings = settingsInMemory()
  })
  const open = (shift = 1) => ownCertificates({ settings, secrets: secrets(shift), names: NAMES, now: () => now })

  test('are made for the names, signed by an authority, and the same at every look', async () => {
    const source = open()
    const served = await source.current()
    const [leaf, authority] = [new X509Certificate(served.certificate), new X509Certificate(served.caBundle ?? '')]
    expect(leaf.verify(authority.publicKey)).toBe(true)
    expect(leaf.checkIssued(authority)).toBe(true)
    expect([leaf.ca, authority.ca]).toEqual([false, true])
    expect(leaf.checkHost('septet-admission.septet.svc')).toBeDefined()
    expect(leaf.checkIP('127.0.0.1')).toBeDefined()
    expect(leaf.checkHost('kubernetes.default.svc')).toBeUndefined()
    expect(await source.current()).toEqual(served)
  })
  test('are renewed before they end, by the same authority, also after a restart', async () => {
    const source = open()
    const first = await source.current()
    now += 61 * DAY_MS
    const second = await source.current()
    expect(second.certificate).not.toBe(first.certificate)
    expect([second.caBundle, (await open().current()).caBundle]).toEqual([first.caBundle, first.caBundle])
  })
  test('the next authority is in the bundle half a year before it signs', async () => {
    const first = await open().current()
    now += 3300 * DAY_MS
    const both = await open().current()
    expect(authoritiesIn(both.caBundle)).toBe(2)
    expect(isBy(both.certificate, first.caBundle)).toBe(true)
    now += 200 * DAY_MS
    const later = await open().current()
    expect(later.caBundle).toBe(both.caBundle)
    expect(isBy(later.certificate, first.caBundle)).toBe(false)
    now += 200 * DAY_MS
    expect(authoritiesIn((await open().current()).caBundle)).toBe(1)
  })
  test('the keys are not in the database as they are, and what cannot be opened is made again', async () => {
    const { caBundle } = await open().current()
    const kept = JSON.stringify(await settings.get('admission-authorities'))
    expect(kept.length).toBeGreaterThan(500)
    expect(kept).not.toMatch(/PRIVATE|UFJJVkFURSBLRVk/u)
    expect((await open(2).current()).caBundle).not.toBe(caBundle)
  })
  test('a year from 2050 on is written as RFC 5280 wants it', () => {
    const { certificate } = makeAuthority('x', { from: Date.UTC(2049, 11, 31), to: Date.UTC(2050, 0, 2) })
    expect(new X509Certificate(certificate).validToDate).toEqual(new Date(Date.UTC(2050, 0, 2)))
  })
})

describe('a certificate from a Secret', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'septet-certificates-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const authority = makeAuthority('test', { from: Date.now() - DAY_MS, to: Date.now() + DAY_MS })
  const made = () => makeServing(NAMES, { from: Date.now() - DAY_MS, to: Date.now() + DAY_MS }, authority)
  const mount = async ({ certificate, key }: KeyPair) => {
    await writeFile(join(folder, 'tls.crt'), certificate)
    await writeFile(join(folder, 'tls.key'), key)
  }

  test('is served, and its successor from the next connection on, without a restart', async () => {
    const [first, second] = [made(), made()]
    await mount(first)
    const warned: string[] = []
    const log = { info: () => undefined, warn: (text: string) => void warned.push(text), error: () => undefined }
    const certificates = await watchCertificates({
      source: mountedCertificates(folder),
      renewed: (next) => listener.serve(next),
      log,
      lookMs: 20,
    })
    const listener = await listenForReviews({
      host: '127.0.0.1',
      port: 0,
      served: certificates.current(),
      reviews: {
        answer: () => {
          throw new Error('nobody asks')
        },
      },
      isGiven: () => false,
      log,
      clock: () => 0,
    })
    const served = async () =>
      (await askWebhook({ port: listener.port, ca: authority.certificate }, '/healthz')).issuedTo
    expect(await served()).toBe(fingerprintOf(first))
    // Half-written, as it may be found: the one before goes on.
    await writeFile(join(folder, 'tls.crt'), second.certificate)
    await vi.waitFor(() => expect(warned[0]).toMatch(/could not be read, the one before is used/u), 60_000)
    expect(await served()).toBe(fingerprintOf(first))
    await mount(second)
    await vi.waitFor(async () => expect(await served()).toBe(fingerprintOf(second)), 60_000)
    certificates.stop()
    await listener.stop()
  })
  test('that is being written, and empty for a moment, is not served', async () => {
    const { certificate, key } = made()
    for (const half of [
      { certificate: '', key },
      { certificate, key: '' },
      { certificate, key: made().key },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one folder
      await mount(half)
      // oxlint-disable-next-line no-await-in-loop -- one folder
      await expect(mountedCertificates(folder).current()).rejects.toThrow(/which belong together/u)
    }
  })
  test('that is not there is told with what to do', async () => {
    await expect(mountedCertificates(join(folder, 'none')).current()).rejects.toThrow(/Put tls.crt and tls.key there/u)
  })
})
