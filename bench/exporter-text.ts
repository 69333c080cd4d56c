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
const METRICS = `
  DEV_SM_CLOCK DEV_MEM_CLOCK DEV_MEMORY_TEMP DEV_GPU_TEMP DEV_POWER_USAGE DEV_TOTAL_ENERGY_CONSUMPTION
  DEV_PCIE_REPLAY_COUNTER DEV_GPU_UTIL DEV_MEM_COPY_UTIL DEV_ENC_UTIL DEV_DEC_UTIL DEV_XID_ERRORS
  DEV_FB_FREE DEV_FB_USED DEV_FB_RESERVED DEV_NVLINK_BANDWIDTH_TOTAL DEV_VGPU_LICENSE_STATUS
  DEV_UNCORRECTABLE_REMAPPED_ROWS DEV_CORRECTABLE_REMAPPED_ROWS DEV_ROW_REMAP_FAILURE
  PROF_GR_ENGINE_ACTIVE PROF_PIPE_TENSOR_ACTIVE PROF_DRAM_ACTIVE PROF_PCIE_TX_BYTES PROF_PCIE_RX_BYTES`
  .trim()
  .split(/\s+/)
  .map((name) => `DCGM_FI_${name}`)

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
