/** Settings of a Septet on the demo cluster of 1,250 nodes, 10,000 GPUs and 50,000 pods, run as `npm start` runs it. */
export const LARGE_DEMO = {
  SEPTET_DEMO_SCALE: 'large',
  SEPTET_POLL_SECONDS: '15',
  NODE_ENV: 'production',
  NODE_OPTIONS: '--max-semi-space-size=16',
}
