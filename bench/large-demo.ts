/** Settings of a Septet on the demo cluster of 1,250 nodes, 10,000 GPUs and 50,000 pods, at the pace of `npm start`. */
export const LARGE_DEMO = {
  SEPTET_DEMO_SCALE: 'large',
  // Tests go faster, by settings that their servers start with.
  SEPTET_POLL_SECONDS: '15',
  SEPTET_STORE_SECONDS: '30',
  SEPTET_RECOMMEND_SECONDS: '60',
  SEPTET_HISTORY_DAYS: '210',
  // Who measures asks more often than anybody who looks.
  SEPTET_RATE_LIMITS: 'api=100000,visitor=100000',
}

/** By which the cluster of such a demo is asked for. */
export const LARGE_DEMO_CLUSTER = 'demo-large-7'
