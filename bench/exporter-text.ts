/** What 1,250 dcgm-exporters with the default counters answer; the same for the same seed. One text per node. */
export function exporterTexts(size: { nodes: number; gpusPerNode: number; seed: number }): string[] {
  const random = xorshift(size.seed)
  return Array.from({ length: size.nodes }, (_, node) => {
    const labels = Array.from({ length: size.gpusPerNode }, (__, gpu) => labelSet(node, gpu))
    return METRICS.map((metric) => {
      const scale = metric.startsWith('DCGM_FI_PROF') ? 1 : 100
      const lines = labels.map((set) => `${metric}${set} ${(random() * scale).toFixed(6)}\n`)
      return `# HELP ${metric} As dcgm-exporter describes it.\n# TYPE ${metric} gauge\n${lines.join('')}`
    }).join('')
  }).map((text) => Buffer.from(text, 'utf8').toString('utf8'))
}

/** The uncommented part of dcgm-exporter's default-counters.csv. */
const METRICS = [
  ...['SM_CLOCK', 'MEM_CLOCK', 'MEMORY_TEMP', 'GPU_TEMP', 'POWER_USAGE', 'TOTAL_ENERGY_CONSUMPTION'],
  ...['PCIE_REPLAY_COUNTER', 'GPU_UTIL', 'MEM_COPY_UTIL', 'ENC_UTIL', 'DEC_UTIL', 'XID_ERRORS', 'FB_FREE', 'FB_USED'],
  ...['FB_RESERVED', 'NVLINK_BANDWIDTH_TOTAL', 'VGPU_LICENSE_STATUS', 'UNCORRECTABLE_REMAPPED_ROWS'],
  ...['CORRECTABLE_REMAPPED_ROWS', 'ROW_REMAP_FAILURE'],
]
  .map((name) => `DCGM_FI_DEV_${name}`)
  .concat(
    ['GR_ENGINE_ACTIVE', 'PIPE_TENSOR_ACTIVE', 'DRAM_ACTIVE', 'PCIE_TX_BYTES', 'PCIE_RX_BYTES'].map(
      (name) => `DCGM_FI_PROF_${name}`,
    ),
  )

function labelSet(node: number, gpu: number): string {
  const uuid = `GPU-${String(node).padStart(8, '0')}-13cc-013a-d88f-${String(gpu).padStart(12, '0')}`
  return (
    `{gpu="${gpu}",UUID="${uuid}",pci_bus_id="00000000:1A:00.0",device="nvidia${gpu}",` +
    `modelName="NVIDIA H100 80GB HBM3",Hostname="gpu-node-${node}",DCGM_FI_DRIVER_VERSION="535.129.03",` +
    `container="main",namespace="team-${node % 20}",pod="train-${node}-${gpu}-57946f6c67-vdtjl"}`
  )
}

function xorshift(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
