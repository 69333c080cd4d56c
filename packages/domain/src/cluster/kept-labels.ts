/**
 * Whether a node's label is kept in snapshots whoever asks for it. Left out are those by which machines tell their
 * features: hundreds a node, and nobody but the GPU Operator selects by them. They are kept once a pod does.
 */
export const isKeptLabel = (key: string): boolean => !NOISE.test(key) || NVIDIA_KEPT.test(key)

const NOISE = /^(?:feature\.node\.kubernetes\.io|beta\.kubernetes\.io|nvidia\.com)\/|^kubernetes\.io\/hostname$/u

// The others of NVIDIA's labels count devices, name versions or steer the operator's own pods.
const NVIDIA_KEPT =
  /^nvidia\.com\/(gpu\.(product|family|memory|machine|present|sharing-strategy|workload\.config)|mig\.(config|strategy|capable)|device-plugin\.config)$/u
