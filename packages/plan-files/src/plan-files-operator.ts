export type ShellFunction = {
  /** Also the first word of the commands that call it. */
  readonly name: string
  readonly text: string
}

/**
 * What steps call that change GPUs through the GPU Operator. A change adds to the ConfigMap that the ClusterPolicy names,
 * and restarts the operator's pod of the changed node alone: other nodes keep their configurations, and notice nothing.
 */
export const OPERATOR_FUNCTIONS: readonly ShellFunction[] = [
  {
    name: 'own_map',
    text: String.raw`
# own_map PART: sets map to the ConfigMap of your own that the ClusterPolicy names for that part of the operator.
own_map() {
  map=$(kubectl get clusterpolicies.nvidia.com -o "jsonpath={.items[*].spec.$1.config.name}")
  case "$map" in
    '' | default-mig-parted-config)
      stop "The ClusterPolicy names no ConfigMap of your own for $1. NVIDIA's own configurations are in force, and nothing can be added to them for one node. Read prepare.sh, run it once for this cluster, then run this again." ;;
  esac
}`,
  },
  {
    name: 'restart',
    text: String.raw`
# restart NODE APP: the operator's pod of that node restarts and reads its file again. Other nodes are left alone.
restart() {
  pod=$(kubectl get pods -n "$namespace" -l "app=$2" --field-selector "spec.nodeName=$1" -o 'jsonpath={.items[*].metadata.name}')
  [ -n "$pod" ] || stop "$2 does not run on $1, so nothing would apply the change."
  kubectl delete pod "$pod" -n "$namespace"
  turns=150
  ready=
  while [ "$ready" != True ]; do
    [ "$turns" -gt 0 ] || stop "$2 on $1 has not come back after five minutes. Look at its pod."
    turns=$((turns - 1))
    sleep 2
    ready=$(kubectl get pods -n "$namespace" -l "app=$2" --field-selector "spec.nodeName=$1" -o 'jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}')
  done
}`,
  },
  {
    name: 'know',
    text: String.raw`
# know CONFIGURATION FILE: adds it to the configurations in force, beside all that are there.
know() {
  own_map migManager
  version=$(kubectl get configmap "$map" -n "$namespace" -o 'jsonpath={.metadata.resourceVersion}')
  text=$(kubectl get configmap "$map" -n "$namespace" -o 'jsonpath={.data.config\.yaml}')
  if printf '%s\n' "$text" | grep -q "^ *$1:"; then return 0; fi
  work=$(mktemp -d)
  printf '%s\n' "$text" | awk -v file="$2" '
    { lines[NR] = $0 }
    /^mig-configs:[ ]*(#.*)?$/ && !at { at = NR; next }
    at && !pad && match($0, /^ +[^ #]/) { pad = substr($0, 1, RLENGTH - 1) }
    END {
      if (!at || !pad) exit 1
      for (i = 1; i <= NR; i++) {
        print lines[i]
        if (i == at) while ((getline line < file) > 0) if (line ~ /^  /) print pad substr(line, 3)
      }
    }' > "$work/config.yaml" ||
    stop "The configurations in $map are not written as a list under mig-configs. Add what $2 says to them by hand, then run this again."
  {
    printf '{"metadata":{"resourceVersion":"%s"},"data":{"config.yaml":"' "$version"
    tr '\t\r' '  ' < "$work/config.yaml" | sed 's/\\/\\\\/g; s/"/\\"/g' | awk '{ printf "%s\\n", $0 }'
    printf '"}}'
  } > "$work/patch.json"
  kubectl patch configmap "$map" -n "$namespace" --type merge --patch-file "$work/patch.json" ||
    stop "$map was not changed. If someone else changed it just now, run this again."
  rm -r "$work"
}`,
  },
  {
    name: 'reread',
    text: String.raw`
# reread NODE: mig-manager of that node reads its configurations again, and says how the one that the node wears ended.
reread() {
  kubectl label node "$1" nvidia.com/mig.config.state-
  restart "$1" nvidia-mig-manager
  worn=$(kubectl get node "$1" -o 'jsonpath={.metadata.labels.nvidia\.com/mig\.config}')
  [ -n "$worn" ] || return 0
  turns=150
  state=
  while [ "$state" != success ] && [ "$state" != failed ]; do
    [ "$turns" -gt 0 ] || stop "mig-manager on $1 restarted and has reported nothing for five minutes. Check its log on $1."
    turns=$((turns - 1))
    sleep 2
    state=$(kubectl get node "$1" -o 'jsonpath={.metadata.labels.nvidia\.com/mig\.config\.state}')
  done
}`,
  },
  {
    name: 'cut',
    text: String.raw`
# cut NODE CONFIGURATION FILE [FORMER]: has mig-manager cut the GPUs of one node, and waits until it says how that ended.
# Where FORMER is still among the configurations in force, the node gets that name back and no new one.
cut() {
  config=$2
  if [ -n "${'$'}{4:-}" ]; then
    own_map migManager
    text=$(kubectl get configmap "$map" -n "$namespace" -o 'jsonpath={.data.config\.yaml}')
    if printf '%s\n' "$text" | grep -q "^ *$4:"; then config=$4; fi
  fi
  wish=$(kubectl get node "$1" -o 'jsonpath={.metadata.labels.nvidia\.com/mig\.config}')
  state=$(kubectl get node "$1" -o 'jsonpath={.metadata.labels.nvidia\.com/mig\.config\.state}')
  if [ "$wish $state" = "$config success" ]; then echo "$1 already has this layout."; return 0; fi
  if [ "$wish" != "$config" ]; then
    if [ "$config" = "$2" ]; then
      know "$2" "$3"
      reread "$1"
    fi
    # The last result is removed first, so that it is not taken for the new one.
    kubectl label node "$1" nvidia.com/mig.config.state-
    kubectl label node "$1" --overwrite "nvidia.com/mig.config=$config"
    state=
  elif [ "$state" = failed ]; then
    # It does not try again by itself, only when it starts.
    reread "$1"
  fi
  turns=600
  while [ "$state" != success ]; do
    [ "$state" != failed ] ||
      stop "mig-manager failed to cut $1. Its GPUs are as they were or partly cut, and $1 stays cordoned. A process that still holds a GPU is the usual reason: read the log of mig-manager on $1."
    [ "$turns" -gt 0 ] || stop "mig-manager has not cut $1 after twenty minutes; its state is '$state'. Check its log on $1."
    turns=$((turns - 1))
    sleep 2
    state=$(kubectl get node "$1" -o 'jsonpath={.metadata.labels.nvidia\.com/mig\.config\.state}')
  done
}`,
  },
  {
    name: 'share',
    text: String.raw`
# share NODE KEY FILE: has the device plugin of one node share its GPUs by the configuration KEY.
share() {
  own_map devicePlugin
  kubectl patch configmap "$map" -n "$namespace" --type merge --patch-file "$3"
  kubectl label node "$1" --overwrite "nvidia.com/device-plugin.config=$2"
  restart "$1" nvidia-device-plugin-daemonset
}`,
  },
  {
    name: 'point_policy',
    text: String.raw`
# point_policy PART CONFIGMAP DAEMONSET: makes the ClusterPolicy name the ConfigMap, and waits until all nodes follow.
point_policy() {
  policy=$(kubectl get clusterpolicies.nvidia.com -o 'jsonpath={.items[*].metadata.name}')
  [ -n "$policy" ] || stop "This cluster has no ClusterPolicy, so the GPU Operator does not run here."
  kubectl patch clusterpolicies.nvidia.com "$policy" --type merge -p "{\"spec\":{\"$1\":{\"config\":{\"name\":\"$2\"}}}}"
  turns=150
  until kubectl get daemonset "$3" -n "$namespace" -o 'jsonpath={.spec.template.spec.volumes[*].configMap.name}' | grep -q "$2"; do
    [ "$turns" -gt 0 ] || stop "The operator has not given $2 to $3 after five minutes. Check the log of gpu-operator."
    turns=$((turns - 1))
    sleep 2
  done
  kubectl rollout status "daemonset/$3" -n "$namespace" --timeout=20m
}`,
  },
  {
    name: 'prepare_mig',
    text: String.raw`
# prepare_mig: NVIDIA's configurations as a ConfigMap of your own, to which plans add. No GPU is cut.
prepare_mig() {
  map=$(kubectl get clusterpolicies.nvidia.com -o 'jsonpath={.items[*].spec.migManager.config.name}')
  case "$map" in
    '' | default-mig-parted-config) ;;
    *) echo "The ClusterPolicy names $map already."; return 0 ;;
  esac
  text=$(kubectl get configmap default-mig-parted-config -n "$namespace" -o 'jsonpath={.data.config\.yaml}')
  worn=$(kubectl get nodes -o 'jsonpath={.items[*].metadata.labels.nvidia\.com/mig\.config}')
  for name in $worn; do
    printf '%s\n' "$text" | grep -q "^ *$name:" ||
      stop "A node wears the configuration $name, which default-mig-parted-config lacks. Make a ConfigMap septet-mig-config in $namespace with config.yaml from both, then run this again."
  done
  made=$(kubectl get configmap septet-mig-config -n "$namespace" --ignore-not-found -o name)
  if [ -z "$made" ]; then
    work=$(mktemp -d)
    printf '%s\n' "$text" > "$work/config.yaml"
    kubectl create configmap septet-mig-config -n "$namespace" "--from-file=$work/config.yaml"
    rm -r "$work"
  fi
  point_policy migManager septet-mig-config nvidia-mig-manager
}`,
  },
  {
    name: 'prepare_sharing',
    text: String.raw`
# prepare_sharing: a ConfigMap of your own for the device plugin, to which plans add. No GPU is shared by it.
prepare_sharing() {
  map=$(kubectl get clusterpolicies.nvidia.com -o 'jsonpath={.items[*].spec.devicePlugin.config.name}')
  if [ -n "$map" ]; then echo "The ClusterPolicy names $map already."; return 0; fi
  # A plugin does not start where its label names no entry, and until now the label meant nothing.
  worn=$(kubectl get nodes -o 'jsonpath={.items[*].metadata.labels.nvidia\.com/device-plugin\.config}')
  [ -z "$worn" ] ||
    stop "A node wears nvidia.com/device-plugin.config=$worn, which no ConfigMap has. Take that label off, then run this again."
  made=$(kubectl get configmap septet-device-plugin -n "$namespace" --ignore-not-found -o name)
  [ -n "$made" ] || kubectl create configmap septet-device-plugin -n "$namespace"
  # Nor does it start where there is no entry at all. Nodes without the label do not go by this one.
  kubectl patch configmap septet-device-plugin -n "$namespace" --type merge -p '{"data":{"septet-whole":"version: v1"}}'
  point_policy devicePlugin septet-device-plugin nvidia-device-plugin-daemonset
}`,
  },
]
