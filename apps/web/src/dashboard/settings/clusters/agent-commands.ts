/** What starts the agent of a cluster with its token, so that it sends to this Septet. */
export const agentCommands = (token: string, server: string) => ({
  secret: `kubectl create namespace septet
kubectl create secret generic septet-agent --namespace septet --from-literal=token=${token}`,
  helm: `helm install septet deploy --namespace septet \\
  --set image=IMAGE --set agent.server=${server} \\
  --set metrics.prometheusUrl=http://prometheus.monitoring:9090`,
  shell: `SEPTET_AGENT_TOKEN=${token} septet agent --server ${server} \\
  --kubeconfig FILE --prometheus URL`,
})
