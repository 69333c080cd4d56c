import { errorText } from '@septet/domain/words'
import { z } from 'zod'
import { startDemoCluster, type DemoCluster } from './serve/start-demo-cluster.ts'

/**
 * The demo cluster as a process of its own. Says one line of JSON when it is ready, and ends when its parent does:
 * on SIGTERM, when the channel to the parent closes, or at the end of its input.
 */
const Environment = z.object({
  SEPTET_DATA_DIR: z.string().min(1).default('.septet'),
  SEPTET_DEMO_SCALE: z.enum(['small', 'large', 'huge']).default('small'),
  SEPTET_DEMO_SEED: z.coerce.number().int().min(0).default(7),
  SEPTET_DEMO_SPEED: z.coerce.number().positive().max(3600).default(1),
  SEPTET_DEMO_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
})

const environment = Environment.safeParse(process.env)
if (environment.success) await run(environment.data)
else {
  process.stderr.write(`The demo cluster cannot start.\n${z.prettifyError(environment.error)}\n`)
  process.exitCode = 1
}

async function run(settings: z.infer<typeof Environment>): Promise<void> {
  let demo: DemoCluster | undefined
  const end = (): void => void Promise.resolve(demo?.close()).then(() => process.exit(0))
  // The parent may go while this one is still starting, and then nobody hears that it is ready.
  process.stdout.once('error', end)
  process.stdin.once('end', end).resume()
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  process.once('disconnect', end)
  try {
    demo = await startDemoCluster({
      dataDir: settings.SEPTET_DATA_DIR,
      scale: settings.SEPTET_DEMO_SCALE,
      seed: settings.SEPTET_DEMO_SEED,
      speed: settings.SEPTET_DEMO_SPEED,
      port: settings.SEPTET_DEMO_PORT,
    })
    const { apiUrl, kubeconfigPath, actorKubeconfigPath, exporterTargetsUrl, prometheusUrl } = demo
    const { faultsUrl, journalUrl } = demo
    const addresses = { apiUrl, kubeconfigPath, actorKubeconfigPath, exporterTargetsUrl, prometheusUrl }
    const ready = { ready: true, ...addresses, faultsUrl, journalUrl }
    process.stdout.write(`${JSON.stringify(ready)}\n`)
    process.send?.(ready)
  } catch (error) {
    process.stderr.write(`The demo cluster cannot start: ${errorText(error)}.\n`)
    process.exitCode = 1
  }
}
