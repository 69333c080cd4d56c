/**
 * List prices of whole machines, in USD an hour: one line a machine, `model, GPUs, machine: region price, …`, and
 * `on-demand/spot` where the list has both. GPUs may be a fraction. Only lists whose license lets anyone copy them:
 * Karpenter's price tables of AWS, Azure and Google Cloud, all Apache-2.0. `list-prices.ts` has their dates.
 */

export const AWS_ROWS = `
A100-SXM4-40GB, 8, p4d.24xlarge: us-east-1 21.957642, us-gov-west-1 26.3511
A100-SXM4-80GB, 8, p4de.24xlarge: us-east-1 27.44705
A10G, 4, g5.12xlarge: us-east-1 5.672
A10G, 1, g5.16xlarge: us-east-1 4.096
A10G, 4, g5.24xlarge: us-east-1 8.144
A10G, 1, g5.2xlarge: us-east-1 1.212
A10G, 8, g5.48xlarge: us-east-1 16.288
A10G, 1, g5.4xlarge: us-east-1 1.624
A10G, 1, g5.8xlarge: us-east-1 2.448
A10G, 1, g5.xlarge: us-east-1 1.006
B200, 8, p6-b200.48xlarge: us-east-1 113.9328, us-gov-east-1 136.71936, us-gov-west-1 136.71936
B300-SXM6-AC, 8, p6-b300.48xlarge: us-east-1 142.416, us-gov-east-1 170.9
Gaudi-HL-205, 8, dl1.24xlarge: us-east-1 13.10904
H100-80GB-HBM3, 8, p5.48xlarge: us-east-1 55.04, us-gov-west-1 66.048
H100-80GB-HBM3, 1, p5.4xlarge: us-east-1 6.88, us-gov-west-1 8.256
H200, 8, p5en.48xlarge: us-east-1 63.296, us-gov-west-1 75.9552
K80, 16, p2.16xlarge: us-east-1 14.4, us-gov-west-1 17.28
K80, 8, p2.8xlarge: us-east-1 7.2, us-gov-west-1 8.64
K80, 1, p2.xlarge: us-east-1 0.9, us-gov-west-1 1.08
L4, 4, g6.12xlarge: us-east-1 4.6016, us-gov-east-1 5.80003, us-gov-west-1 5.80003
L4, 1, g6.16xlarge: us-east-1 3.3968, us-gov-east-1 4.28145, us-gov-west-1 4.28145
L4, 4, g6.24xlarge: us-east-1 6.6752, us-gov-east-1 8.41367, us-gov-west-1 8.41367
L4, 1, g6.2xlarge: us-east-1 0.9776, us-gov-east-1 1.2322, us-gov-west-1 1.2322
L4, 8, g6.48xlarge: us-east-1 13.3504, us-gov-east-1 16.82734, us-gov-west-1 16.82734
L4, 1, g6.4xlarge: us-east-1 1.3232, us-gov-east-1 1.66781, us-gov-west-1 1.66781
L4, 1, g6.8xlarge: us-east-1 2.0144, us-gov-east-1 2.53903, us-gov-west-1 2.53903
L4, 1, g6.xlarge: us-east-1 0.8048, us-gov-east-1 1.0144, us-gov-west-1 1.0144
L4, 0.25, g6f.2xlarge: us-east-1 0.475
L4, 0.5, g6f.4xlarge: us-east-1 0.95
L4, 0.125, g6f.large: us-east-1 0.202
L4, 0.125, g6f.xlarge: us-east-1 0.2375
L4, 1, gr6.4xlarge: us-east-1 1.5392, us-gov-east-1 1.9401, us-gov-west-1 1.9401
L4, 1, gr6.8xlarge: us-east-1 2.4464, us-gov-east-1 3.08359, us-gov-west-1 3.08359
L4, 0.5, gr6f.4xlarge: us-east-1 1.066
L40S, 4, g6e.12xlarge: us-east-1 10.49264
L40S, 1, g6e.16xlarge: us-east-1 7.57719
L40S, 4, g6e.24xlarge: us-east-1 15.06559
L40S, 1, g6e.2xlarge: us-east-1 2.24208
L40S, 8, g6e.48xlarge: us-east-1 30.13118
L40S, 1, g6e.4xlarge: us-east-1 3.00424
L40S, 1, g6e.8xlarge: us-east-1 4.52856
L40S, 1, g6e.xlarge: us-east-1 1.861
M60, 4, g3.16xlarge: us-east-1 4.56, us-gov-west-1 5.28
M60, 1, g3.4xlarge: us-east-1 1.14, us-gov-west-1 1.32
M60, 2, g3.8xlarge: us-east-1 2.28, us-gov-west-1 2.64
M60, 1, g3s.xlarge: us-east-1 0.75, us-gov-west-1 0.868
RTX-PRO-4500-Blackwell, 2, g7.12xlarge: us-east-1 7.12832
RTX-PRO-4500-Blackwell, 4, g7.24xlarge: us-east-1 14.25664
RTX-PRO-4500-Blackwell, 1, g7.2xlarge: us-east-1 2.52
RTX-PRO-4500-Blackwell, 8, g7.48xlarge: us-east-1 28.51328
RTX-PRO-4500-Blackwell, 1, g7.4xlarge: us-east-1 3.04208
RTX-PRO-4500-Blackwell, 1, g7.8xlarge: us-east-1 4.08624
RTX-PRO-6000-Blackwell-Server-Edition, 2, g7e.12xlarge: us-east-1 8.28608
RTX-PRO-6000-Blackwell-Server-Edition, 4, g7e.24xlarge: us-east-1 16.57216
RTX-PRO-6000-Blackwell-Server-Edition, 1, g7e.2xlarge: us-east-1 3.36312
RTX-PRO-6000-Blackwell-Server-Edition, 8, g7e.48xlarge: us-east-1 33.14432
RTX-PRO-6000-Blackwell-Server-Edition, 1, g7e.4xlarge: us-east-1 3.99816
RTX-PRO-6000-Blackwell-Server-Edition, 1, g7e.8xlarge: us-east-1 5.26824
Radeon-Pro-V520, 4, g4ad.16xlarge: us-east-1 3.468
Radeon-Pro-V520, 1, g4ad.2xlarge: us-east-1 0.54117
Radeon-Pro-V520, 1, g4ad.4xlarge: us-east-1 0.867
Radeon-Pro-V520, 2, g4ad.8xlarge: us-east-1 1.734
Radeon-Pro-V520, 1, g4ad.xlarge: us-east-1 0.37853
T4, 4, g4dn.12xlarge: us-east-1 3.912, us-gov-east-1 4.931, us-gov-west-1 4.931
T4, 1, g4dn.16xlarge: us-east-1 4.352, us-gov-east-1 5.486, us-gov-west-1 5.486
T4, 1, g4dn.2xlarge: us-east-1 0.752, us-gov-east-1 0.948, us-gov-west-1 0.948
T4, 1, g4dn.4xlarge: us-east-1 1.204, us-gov-east-1 1.518, us-gov-west-1 1.518
T4, 1, g4dn.8xlarge: us-east-1 2.176, us-gov-east-1 2.743, us-gov-west-1 2.743
T4, 8, g4dn.metal: us-east-1 7.824, us-gov-west-1 9.862
T4, 1, g4dn.xlarge: us-east-1 0.526, us-gov-east-1 0.663, us-gov-west-1 0.663
T4G, 2, g5g.16xlarge: us-east-1 2.744
T4G, 1, g5g.2xlarge: us-east-1 0.556
T4G, 1, g5g.4xlarge: us-east-1 0.828
T4G, 1, g5g.8xlarge: us-east-1 1.372
T4G, 2, g5g.metal: us-east-1 2.744
T4G, 1, g5g.xlarge: us-east-1 0.42
V100-SXM2-16GB, 8, p3.16xlarge: us-east-1 24.48, us-gov-west-1 29.376
V100-SXM2-16GB, 1, p3.2xlarge: us-east-1 3.06, us-gov-west-1 3.672
V100-SXM2-16GB, 4, p3.8xlarge: us-east-1 12.24, us-gov-west-1 14.688
V100-SXM2-32GB, 8, p3dn.24xlarge: us-east-1 31.212, us-gov-east-1 37.454, us-gov-west-1 37.454
`

export const AZURE_ROWS = `
A10, 0.333333, Standard_NV12ads_A10_v5: australiaeast 1.317, brazilsouth 1.816, canadacentral 1.09, centralindia 1.271, centralus 1.117, eastus 0.908, eastus2 0.908, francecentral 1.135, germanywestcentral 1.18, japaneast 1.317, koreacentral 1.226, northeurope 1.09, southcentralus 1.09, southeastasia 1.18, swedencentral 1.18, switzerlandnorth 1.298, uaenorth 1.298, uksouth 1.135, westeurope 1.18, westus2 0.908, westus3 0.908
A10, 0.5, Standard_NV18ads_A10_v5: australiaeast 2.32, brazilsouth 3.2, canadacentral 1.92, centralindia 2.24, centralus 1.968, eastus 1.6, eastus2 1.6, francecentral 2, germanywestcentral 2.08, japaneast 2.32, koreacentral 2.16, northeurope 1.92, southcentralus 1.92, southeastasia 2.08, swedencentral 2.08, switzerlandnorth 2.288, uaenorth 2.288, uksouth 2, westeurope 2.08, westus2 1.6, westus3 1.6
A10, 1, Standard_NV36adms_A10_v5: australiaeast 6.554, brazilsouth 9.04, canadacentral 5.424, centralindia 6.328, centralus 5.56, eastus 4.52, eastus2 4.52, francecentral 5.65, germanywestcentral 5.876, japaneast 6.554, koreacentral 6.102, northeurope 5.424, southcentralus 5.424, southeastasia 5.876, swedencentral 5.876, switzerlandnorth 6.464, uaenorth 6.464, uksouth 5.65, westeurope 5.876, westus2 4.52, westus3 4.52
A10, 1, Standard_NV36ads_A10_v5: australiaeast 4.64, brazilsouth 6.4, canadacentral 3.84, centralindia 4.48, centralus 3.936, eastus 3.2, eastus2 3.2, francecentral 4, germanywestcentral 4.16, japaneast 4.64, koreacentral 4.32, northeurope 3.84, southcentralus 3.84, southeastasia 4.16, swedencentral 4.16, switzerlandnorth 4.576, uaenorth 4.576, uksouth 4, westeurope 4.16, westus2 3.2, westus3 3.2
A10, 0.166667, Standard_NV6ads_A10_v5: australiaeast 0.658, brazilsouth 0.908, canadacentral 0.545, centralindia 0.636, centralus 0.558, eastus 0.454, eastus2 0.454, francecentral 0.567, germanywestcentral 0.59, japaneast 0.658, koreacentral 0.613, northeurope 0.545, southcentralus 0.545, southeastasia 0.59, swedencentral 0.59, switzerlandnorth 0.649, uaenorth 0.649, uksouth 0.567, westeurope 0.59, westus2 0.454, westus3 0.454
A10, 2, Standard_NV72ads_A10_v5: australiaeast 9.454, brazilsouth 13.04, canadacentral 7.824, centralindia 9.128, centralus 8.02, eastus 6.52, eastus2 6.52, francecentral 8.15, germanywestcentral 8.476, japaneast 9.454, koreacentral 8.802, northeurope 7.824, southcentralus 7.824, southeastasia 8.476, swedencentral 8.476, switzerlandnorth 9.324, uaenorth 9.324, uksouth 8.15, westeurope 8.476, westus2 6.52, westus3 6.52
A100-80GB-PCIe, 1, Standard_NC24ads_A100_v4: australiaeast 5.326, brazilsouth 7.346, canadacentral 4.408, centralindia 5.142, centralus 4.15, eastus 3.673, eastus2 3.673, francecentral 4.591, germanywestcentral 4.775, japaneast 5.326, koreacentral 4.959, northeurope 4.408, southcentralus 4.408, southeastasia 4.775, swedencentral 4.775, switzerlandnorth 5.252, uksouth 4.591, westeurope 4.775, westus2 3.673, westus3 3.673
A100-80GB-PCIe, 2, Standard_NC48ads_A100_v4: australiaeast 10.652, brazilsouth 14.692, canadacentral 8.815, centralindia 10.284, centralus 8.301, eastus 7.346, eastus2 7.346, francecentral 9.183, germanywestcentral 9.55, japaneast 10.652, koreacentral 9.917, northeurope 8.815, southcentralus 8.815, southeastasia 9.55, swedencentral 9.55, switzerlandnorth 10.505, uksouth 9.183, westeurope 9.55, westus2 7.346, westus3 7.346
A100-80GB-PCIe, 4, Standard_NC96ads_A100_v4: australiaeast 21.303, brazilsouth 29.384, canadacentral 17.63, centralindia 20.569, centralus 16.602, eastus 14.692, eastus2 14.692, francecentral 18.365, germanywestcentral 19.1, japaneast 21.303, koreacentral 19.834, northeurope 17.63, southcentralus 17.63, southeastasia 19.1, swedencentral 19.1, switzerlandnorth 21.01, uksouth 18.365, westeurope 19.1, westus2 14.692, westus3 14.692
A100-SXM4-40GB, 8, Standard_ND96asr_v4: eastus 27.197, southcentralus 32.63, westeurope 35.357, westus2 27.197
A100-SXM4-80GB, 8, Standard_ND96amsr_A100_v4: australiaeast 47.516, brazilsouth 65.54, canadacentral 39.324, centralus 37.03, eastus 32.77, eastus2 32.77, francecentral 40.962, japaneast 47.517, southcentralus 39.324, swedencentral 40.962, switzerlandnorth 46.861, uaenorth 46.861, uksouth 40.962, westeurope 40.962, westus2 32.77, westus3 32.77
GB200, 4, Standard_ND128isr_NDR_GB200_v6: australiaeast 156.84, brazilsouth 216.32, centralus 133.037, eastus 108.16, eastus2 108.16, germanywestcentral 140.6, koreacentral 146, uksouth 135.2, westus2 108.16, westus3 108.16
H100-80GB-HBM3, 8, Standard_ND96isr_H100_v5: australiaeast 142.6, canadacentral 117.984, centralus 120.934, eastus 98.32, eastus2 98.32, japaneast 142.564, koreacentral 132.732, southcentralus 117.968, swedencentral 127.816, switzerlandnorth 140.598, uaenorth 140.598, uksouth 122.9, westeurope 127.816, westus2 98.32, westus3 98.32
H100-NVL, 1, Standard_NC40ads_H100_v5: australiaeast 10.121, canadacentral 8.59, centralindia 9.772, centralus 8.585, eastus 6.98, eastus2 6.98, germanywestcentral 9.074, japaneast 10.121, koreacentral 9.423, northeurope 8.376, southcentralus 8.38, southeastasia 9.074, swedencentral 9.074, switzerlandnorth 9.981, uaenorth 9.98, uksouth 8.725, westeurope 9.08, westus2 6.98, westus3 6.98
H100-NVL, 2, Standard_NC80adis_H100_v5: australiaeast 20.242, canadacentral 17.18, centralindia 19.544, centralus 17.17, eastus 13.96, eastus2 13.96, germanywestcentral 18.148, japaneast 20.242, koreacentral 18.846, northeurope 16.752, southcentralus 16.76, southeastasia 18.148, swedencentral 18.148, switzerlandnorth 19.963, uaenorth 19.96, uksouth 17.45, westeurope 18.16, westus2 13.96, westus3 13.96
H100-NVL, 1, Standard_NCC40ads_H100_v5: centralus 9.73, eastus2 8.82, southcentralus 9.73, westeurope 10.74
H200, 8, Standard_ND96isr_H200_v5: australiaeast 122.96, brazilsouth 169.6, centralus 95.824, eastus2 84.8, francecentral 106, germanywestcentral 110.24, japaneast 106, northeurope 101.76, southeastasia 110.24, swedencentral 110.272, uaenorth 121.264, uksouth 106, westus2 84.8, westus3 84.8
Instinct-MI300X, 8, Standard_ND96isr_MI300X_v5: brazilsouth 96, canadacentral 57.6, centralus 59.041, eastus2 48, francecentral 60, germanywestcentral 62.4, northeurope 57.6, swedencentral 67.2, uaenorth 68.64, uksouth 60, westus3 48
M60, 1, Standard_NV12s_v3: australiaeast 1.59, brazilsouth 1.938, centralindia 1.596, eastus 1.14, eastus2 1.14, francecentral 1.425, japaneast 1.58, northeurope 1.21, southcentralus 1.368, southeastasia 1.59, switzerlandnorth 1.569, uaenorth 1.391, uksouth 1.425, westeurope 1.426, westus2 1.14
M60, 2, Standard_NV24s_v3: australiaeast 3.179, brazilsouth 3.876, centralindia 3.192, eastus 2.28, eastus2 2.28, francecentral 2.85, japaneast 3.16, northeurope 2.42, southcentralus 2.736, southeastasia 3.18, switzerlandnorth 3.135, uaenorth 2.782, uksouth 2.85, westeurope 2.85, westus2 2.28
M60, 4, Standard_NV48s_v3: australiaeast 6.358, brazilsouth 7.752, centralindia 6.384, eastus 4.56, eastus2 4.56, francecentral 5.7, japaneast 6.32, northeurope 4.838, southcentralus 5.472, southeastasia 6.36, switzerlandnorth 6.27, uaenorth 5.563, uksouth 5.7, westeurope 5.7, westus2 4.56
Radeon-Instinct-MI25, 0.5, Standard_NV16as_v4: australiaeast 1.351, canadacentral 1.118, centralindia 1.305, eastus 0.932, eastus2 0.932, francecentral 1.165, germanywestcentral 1.165, japaneast 1.351, koreacentral 1.258, northeurope 1.118, southcentralus 1.118, southeastasia 1.212, swedencentral 1.305, uksouth 1.165, westeurope 1.165, westus2 0.932, westus3 0.932
Radeon-Instinct-MI25, 1, Standard_NV32as_v4: australiaeast 2.703, canadacentral 2.237, centralindia 2.61, eastus 1.864, eastus2 1.864, francecentral 2.33, germanywestcentral 2.33, japaneast 2.703, koreacentral 2.516, northeurope 2.237, southcentralus 2.237, southeastasia 2.423, swedencentral 2.61, uksouth 2.33, westeurope 2.33, westus2 1.864, westus3 1.864
Radeon-Instinct-MI25, 0.125, Standard_NV4as_v4: australiaeast 0.338, canadacentral 0.28, centralindia 0.326, eastus 0.233, eastus2 0.233, francecentral 0.291, germanywestcentral 0.291, japaneast 0.338, koreacentral 0.315, northeurope 0.28, southcentralus 0.28, southeastasia 0.303, swedencentral 0.326, uksouth 0.291, westeurope 0.291, westus2 0.233, westus3 0.233
Radeon-Instinct-MI25, 0.25, Standard_NV8as_v4: australiaeast 0.676, canadacentral 0.559, centralindia 0.652, eastus 0.466, eastus2 0.466, francecentral 0.582, germanywestcentral 0.582, japaneast 0.676, koreacentral 0.629, northeurope 0.559, southcentralus 0.559, southeastasia 0.606, swedencentral 0.652, uksouth 0.582, westeurope 0.582, westus2 0.466, westus3 0.466
Radeon-Pro-V620, 1, Standard_NG32ads_V620_v1: eastus 2.54
Radeon-Pro-V710, 0.5, Standard_NV12ads_V710_v5: australiaeast 1.45, eastus 1, southcentralus 1.2, westeurope 1.3
Radeon-Pro-V710, 1, Standard_NV24ads_V710_v5: australiaeast 2.9, eastus 2, southcentralus 2.4, westeurope 2.6
Radeon-Pro-V710, 1, Standard_NV28adms_V710_v5: australiaeast 3.48, eastus 2.4, southcentralus 2.88, westeurope 3.12
Radeon-Pro-V710, 0.166667, Standard_NV4ads_V710_v5: australiaeast 0.483, eastus 0.333, southcentralus 0.4, westeurope 0.433
Radeon-Pro-V710, 0.333333, Standard_NV8ads_V710_v5: australiaeast 0.967, eastus 0.667, southcentralus 0.8, westeurope 0.867
T4, 1, Standard_NC16as_T4_v3: australiaeast 1.565, brazilsouth 2.046, canadacentral 1.336, centralindia 1.324, centralus 1.36, eastus 1.204, eastus2 1.204, francecentral 1.407, germanywestcentral 1.504, japaneast 1.625, koreacentral 1.481, northeurope 1.342, southcentralus 1.445, southeastasia 1.685, swedencentral 1.276, uksouth 1.409, westeurope 1.505, westus2 1.204, westus3 1.204
T4, 1, Standard_NC4as_T4_v3: australiaeast 0.684, brazilsouth 0.894, canadacentral 0.584, centralindia 0.579, centralus 0.594, eastus 0.526, eastus2 0.526, francecentral 0.615, germanywestcentral 0.658, japaneast 0.71, koreacentral 0.647, northeurope 0.587, southcentralus 0.631, southeastasia 0.736, swedencentral 0.558, uksouth 0.615, westeurope 0.658, westus2 0.526, westus3 0.526
T4, 4, Standard_NC64as_T4_v3: australiaeast 5.658, brazilsouth 7.383, canadacentral 4.82, centralindia 4.787, centralus 4.907, eastus 4.352, eastus2 4.352, francecentral 5.077, germanywestcentral 5.428, japaneast 5.875, koreacentral 5.353, northeurope 4.853, southcentralus 5.222, southeastasia 6.089, swedencentral 4.603, uksouth 5.092, westeurope 5.44, westus2 4.352, westus3 4.352
T4, 1, Standard_NC8as_T4_v3: australiaeast 0.978, brazilsouth 1.277, canadacentral 0.834, centralindia 0.827, centralus 0.849, eastus 0.752, eastus2 0.752, francecentral 0.878, germanywestcentral 0.939, japaneast 1.015, koreacentral 0.925, northeurope 0.838, southcentralus 0.902, southeastasia 1.052, swedencentral 0.796, uksouth 0.88, westeurope 0.94, westus2 0.752, westus3 0.752
V100-PCIE-16GB, 2, Standard_NC12s_v3: australiaeast 8.468, brazilsouth 12.24, canadacentral 6.732, centralindia 8.468, centralus 6.916, eastus 6.12, eastus2 6.12, francecentral 7.16, japaneast 8.388, koreacentral 8.468, northeurope 6.61, southcentralus 6.732, southeastasia 8.468, switzerlandnorth 8.411, uksouth 7.178, westeurope 7.646, westus2 6.12, westus3 6.12
V100-PCIE-16GB, 4, Standard_NC24rs_v3: australiaeast 18.63, brazilsouth 26.928, canadacentral 14.81, centralindia 18.63, centralus 15.214, eastus 13.46, eastus2 13.464, francecentral 15.753, japaneast 18.454, koreacentral 18.63, northeurope 14.541, southcentralus 14.8104, southeastasia 18.63, switzerlandnorth 18.503, uksouth 15.792, westeurope 16.821, westus2 13.46, westus3 13.46
V100-PCIE-16GB, 4, Standard_NC24s_v3: australiaeast 16.936, brazilsouth 24.48, canadacentral 13.464, centralindia 16.936, centralus 13.831, eastus 12.24, eastus2 12.24, francecentral 14.321, japaneast 16.776, koreacentral 16.936, northeurope 13.219, southcentralus 13.464, southeastasia 16.936, switzerlandnorth 16.821, uksouth 14.356, westeurope 15.292, westus2 12.24, westus3 12.24
V100-PCIE-16GB, 1, Standard_NC6s_v3: australiaeast 4.234, brazilsouth 6.12, canadacentral 3.366, centralindia 4.234, centralus 3.458, eastus 3.06, eastus2 3.06, francecentral 3.58, japaneast 4.194, koreacentral 4.234, northeurope 3.305, southcentralus 3.366, southeastasia 4.234, switzerlandnorth 4.205, uksouth 3.589, westeurope 3.823, westus2 3.06, westus3 3.06
V100-SXM2-32GB, 8, Standard_ND40rs_v2: eastus 22.032, southcentralus 26.438, southeastasia 30.492, westeurope 27.526, westus2 22.032
`

export const GCP_ROWS = `
A100-SXM4-40GB, 1, a2-highgpu-1g: asia-northeast1 4.049591/2.429675, asia-northeast3 4.049591/2.151475, asia-southeast1 4.013758/2.40826, europe-west4 3.747972/1.692835, me-west1 4.040724/2.42438, us-central1 3.673385/1.92802, us-east1 3.673385/1.92802, us-west1 3.673385/1.92802, us-west4 3.934355/1.816835
A100-SXM4-40GB, 2, a2-highgpu-2g: asia-northeast1 8.099182/4.85935, asia-northeast3 8.099182/4.30295, asia-southeast1 8.027516/4.81652, europe-west4 7.495944/3.38567, me-west1 8.081447/4.84876, us-central1 7.34677/3.85604, us-east1 7.34677/3.85604, us-west1 7.34677/3.85604, us-west4 7.86871/3.63367
A100-SXM4-40GB, 4, a2-highgpu-4g: asia-northeast1 16.198364/9.7187, asia-northeast3 16.198364/8.6059, asia-southeast1 16.055032/9.63304, europe-west4 14.991888/6.77134, me-west1 16.162895/9.69752, us-central1 14.69354/7.71208, us-east1 14.69354/7.71208, us-west1 14.69354/7.71208, us-west4 15.73742/7.26734
A100-SXM4-40GB, 8, a2-highgpu-8g: asia-northeast1 32.396727/19.4374, asia-northeast3 32.396727/17.2118, asia-southeast1 32.110063/19.26608, europe-west4 29.983776/13.54268, me-west1 32.32579/19.39504, us-central1 29.38708/15.42416, us-east1 29.38708/15.42416, us-west1 29.38708/15.42416, us-west4 31.474839/14.53468
A100-SXM4-40GB, 16, a2-megagpu-16g: asia-southeast1 60.476223/36.28576, europe-west4 56.62656/25.57624, us-central1 55.739504/29.25568
A100-SXM4-80GB, 1, a2-ultragpu-1g: asia-southeast1 6.247685/3.248728, europe-west4 5.580918/2.945207, us-central1 5.068798/2.759546, us-east4 5.707732/2.367253, us-east5 5.564915/1.777848
A100-SXM4-80GB, 2, a2-ultragpu-2g: asia-southeast1 12.495371/6.497455, europe-west4 11.161837/5.890413, us-central1 10.137596/5.519093, us-east4 11.415465/4.734507, us-east5 11.12983/3.555695
A100-SXM4-80GB, 4, a2-ultragpu-4g: asia-southeast1 24.990742/12.99491, europe-west4 22.323674/11.780827, us-central1 20.275192/11.038185, us-east4 22.83093/9.469013, us-east5 22.25966/7.11139
A100-SXM4-80GB, 8, a2-ultragpu-8g: asia-southeast1 49.981484/25.98982, europe-west4 44.647348/23.561654, us-central1 40.550383/22.07637, us-east4 45.66186/18.938026, us-east5 44.519319/14.22278
H100-80GB-HBM3, 1, a3-highgpu-1g: asia-east1 12.794848/5.999789, asia-northeast1 15.830424/3.238754, asia-south1 11.516848/4.705564, asia-southeast1 14.284787/6.402333, australia-southeast1 13.834783/3.472569, europe-north1 12.17945/1.275685, europe-west1 12.171231/4.758275, europe-west3 13.053919/5.351861, europe-west4 14.06756/5.514847, us-central1 11.06125/6.326193, us-east4 11.06947/4.540105, us-east5 12.4479/4.659763, us-west1 11.06125/6.326193, us-west4 12.456119/4.659455
H100-80GB-HBM3, 2, a3-highgpu-2g: asia-east1 25.589695/11.999577, asia-northeast1 31.660848/6.477507, asia-south1 23.033696/9.411127, asia-southeast1 28.569573/12.804666, australia-southeast1 27.669567/6.945138, europe-north1 24.3589/2.551369, europe-west1 24.342462/9.516549, europe-west3 26.107838/10.703721, europe-west4 28.13512/11.029695, us-central1 22.1225/12.652385, us-east4 22.138939/9.080209, us-east5 24.8958/9.319526, us-west1 22.1225/12.652385, us-west4 24.912239/9.31891
H100-80GB-HBM3, 4, a3-highgpu-4g: asia-east1 51.17939/23.999154, asia-northeast1 63.321695/12.955014, asia-south1 46.067392/18.822255, asia-southeast1 57.139146/25.609332, australia-southeast1 55.339133/13.890276, europe-north1 48.7178/5.102738, europe-west1 48.684923/19.033098, europe-west3 52.215676/21.407442, europe-west4 56.27024/22.05939, us-central1 44.245/25.30477, us-east4 44.277878/18.160418, us-east5 49.791601/18.639052, us-west1 44.245/25.30477, us-west4 49.824477/18.637819
H100-80GB-HBM3, 8, a3-highgpu-8g: asia-east1 102.35878/47.998309, asia-northeast1 126.643391/25.910029, asia-south1 92.134785/37.64451, asia-southeast1 114.278293/51.218665, australia-southeast1 110.678267/27.780551, europe-north1 97.4356/10.205477, europe-west1 97.369847/38.066197, europe-west3 104.431352/42.814885, europe-west4 112.540479/44.118779, us-central1 88.49/50.609541, us-east4 88.555756/36.320837, us-east5 99.583201/37.278105, us-west1 88.49/50.609541, us-west4 99.648954/37.275639
H100-80GB-HBM3, 8, a3-megagpu-8g: asia-northeast1 119.276367/29.718029, asia-southeast1 119.974645/53.671465, australia-southeast1 116.155467/36.562151, europe-west1 102.194647/40.104597, europe-west3 109.601912/52.949285, europe-west4 118.236831/46.243579, us-east4 92.937588/23.275237, us-east5 94.066641/35.202905, us-west4 104.584234/22.858839
L4, 1, g2-standard-12: asia-east1 1.158382/0.547556, asia-northeast1 1.284735/0.770788, asia-northeast3 1.284735/0.383416, asia-south1 1.041387/0.459252, asia-southeast1 1.234214/0.740616, europe-west1 1.101558/0.505968, europe-west2 1.13906/0.68344, europe-west3 1.179027/0.7074, europe-west4 1.051488/0.55178, northamerica-northeast1 1.101558/0.58092, us-central1 1.000416/0.562408, us-east1 1.000416/0.562408, us-east4 0.997141/0.439588, us-west1 1.000416/0.562408, us-west4 1.126769/0.65452
L4, 1, g2-standard-16: asia-east1 1.328353/0.627908, asia-northeast1 1.473245/0.883884, asia-northeast3 1.473245/0.439688, asia-south1 1.19419/0.526636, asia-southeast1 1.415311/0.849288, europe-west1 1.263191/0.580224, europe-west2 1.306195/0.78372, europe-west3 1.352027/0.8112, europe-west4 1.205773/0.63274, northamerica-northeast1 1.263191/0.66616, us-central1 1.147208/0.644944, us-east1 1.147208/0.644944, us-east4 1.143452/0.504084, us-west1 1.147208/0.644944, us-west4 1.292101/0.75056
L4, 2, g2-standard-24: asia-east1 2.316764/1.095112, asia-northeast1 2.569469/1.541576, asia-northeast3 2.569469/0.766832, asia-south1 2.082773/0.918504, asia-southeast1 2.468427/1.481232, europe-west1 2.203117/1.011936, europe-west2 2.27812/1.36688, europe-west3 2.358054/1.4148, europe-west4 2.102975/1.10356, northamerica-northeast1 2.203117/1.16184, us-central1 2.000833/1.124816, us-east1 2.000833/1.124816, us-east4 1.994281/0.879176, us-west1 2.000833/1.124816, us-west4 2.253538/1.30904
L4, 1, g2-standard-32: asia-east1 2.008235/0.949316, asia-northeast1 2.227286/1.336268, asia-northeast3 2.227286/0.664776, asia-south1 1.805405/0.796172, asia-southeast1 2.1397/1.283976, europe-west1 1.909722/0.877248, europe-west2 1.974737/1.18484, europe-west3 2.044026/1.2264, europe-west4 1.822916/0.95658, northamerica-northeast1 1.909722/1.00712, us-central1 1.734376/0.975088, us-east1 1.734376/0.975088, us-east4 1.728697/0.762068, us-west1 1.734376/0.975088, us-west4 1.953428/1.13472
L4, 1, g2-standard-4: asia-east1 0.818441/0.386852, asia-northeast1 0.907714/0.544596, asia-northeast3 0.907714/0.270872, asia-south1 0.735779/0.324484, asia-southeast1 0.872019/0.523272, europe-west1 0.778293/0.357456, europe-west2 0.804789/0.48288, europe-west3 0.833028/0.4998, europe-west4 0.742916/0.38986, northamerica-northeast1 0.778293/0.41044, us-central1 0.706832/0.397336, us-east1 0.706832/0.397336, us-east4 0.704518/0.310596, us-west1 0.706832/0.397336, us-west4 0.796105/0.46244
L4, 4, g2-standard-48: asia-east1 4.633528/2.190224, asia-northeast1 5.138938/3.083152, asia-northeast3 5.138938/1.533664, asia-south1 4.165547/1.837008, asia-southeast1 4.936854/2.962464, europe-west1 4.406234/2.023872, europe-west2 4.55624/2.73376, europe-west3 4.716108/2.8296, europe-west4 4.20595/2.20712, northamerica-northeast1 4.406234/2.32368, us-central1 4.001665/2.249632, us-east1 4.001665/2.249632, us-east4 3.988562/1.758352, us-west1 4.001665/2.249632, us-west4 4.507075/2.61808
L4, 1, g2-standard-8: asia-east1 0.988412/0.467204, asia-northeast1 1.096224/0.657692, asia-northeast3 1.096224/0.327144, asia-south1 0.888583/0.391868, asia-southeast1 1.053116/0.631944, europe-west1 0.939926/0.431712, europe-west2 0.971925/0.58316, europe-west3 1.006027/0.6036, europe-west4 0.897202/0.47082, northamerica-northeast1 0.939926/0.49568, us-central1 0.853624/0.479872, us-east1 0.853624/0.479872, us-east4 0.850829/0.375092, us-west1 0.853624/0.479872, us-west4 0.961437/0.55848
L4, 8, g2-standard-96: asia-east1 9.267057/4.380448, asia-northeast1 10.277877/6.166304, asia-northeast3 10.277877/3.067328, asia-south1 8.331093/3.674016, asia-southeast1 9.873709/5.924928, europe-west1 8.812467/4.047744, europe-west2 9.11248/5.46752, europe-west3 9.432216/5.6592, europe-west4 8.411901/4.41424, northamerica-northeast1 8.812467/4.64736, us-central1 8.00333/4.499264, us-east1 8.00333/4.499264, us-east4 7.977124/3.516704, us-west1 8.00333/4.499264, us-west4 9.014151/5.23616
RTX-PRO-6000-Blackwell-Server-Edition, 0.25, g4-standard-12: asia-east1 1.462477/0.585415, europe-north1 1.237481/0.495, europe-west2 1.349979/0.540045, europe-west4 1.237481/0.495, us-central1 1.124982/0.449955, us-east1 1.124982/0.449955, us-east5 1.237481/0.495, us-south1 1.124982/0.449955
RTX-PRO-6000-Blackwell-Server-Edition, 4, g4-standard-192: asia-east1 23.399636/9.36664, asia-south1 23.39836/9.3588, asia-southeast1 21.599664/8.64072, europe-north1 19.799692/7.92, europe-west1 19.799692/7.92, europe-west2 21.599664/8.64072, europe-west4 19.799692/7.92, us-central1 17.99972/7.19928, us-east1 17.99972/7.19928, us-east4 17.99972/7.19928, us-east5 19.799692/7.92, us-south1 17.99972/7.19928, us-west1 17.99972/7.19928, us-west4 19.799692/7.92
RTX-PRO-6000-Blackwell-Server-Edition, 0.5, g4-standard-24: asia-east1 2.924955/1.17083, europe-north1 2.474962/0.99, europe-west2 2.699958/1.08009, europe-west4 2.474962/0.99, us-central1 2.249965/0.89991, us-east1 2.249965/0.89991, us-east5 2.474962/0.99, us-south1 2.249965/0.89991
RTX-PRO-6000-Blackwell-Server-Edition, 8, g4-standard-384: asia-east1 46.799272/18.73328, asia-south1 46.79672/18.7176, asia-southeast1 43.199328/17.28144, europe-north1 39.599384/15.84, europe-west1 39.599384/15.84, europe-west2 43.199328/17.28144, europe-west4 39.599384/15.84, us-central1 35.99944/14.39856, us-east1 35.99944/14.39856, us-east4 35.99944/14.39856, us-east5 39.599384/15.84, us-south1 35.99944/14.39856, us-west1 35.99944/14.39856, us-west4 39.599384/15.84
RTX-PRO-6000-Blackwell-Server-Edition, 1, g4-standard-48: asia-east1 5.849909/2.34166, asia-south1 5.84959/2.3397, asia-southeast1 5.399916/2.16018, europe-north1 4.949923/1.98, europe-west1 4.949923/1.98, europe-west2 5.399916/2.16018, europe-west4 4.949923/1.98, us-central1 4.49993/1.79982, us-east1 4.49993/1.79982, us-east4 4.49993/1.79982, us-east5 4.949923/1.98, us-south1 4.49993/1.79982, us-west1 4.49993/1.79982, us-west4 4.949923/1.98
RTX-PRO-6000-Blackwell-Server-Edition, 0.125, g4-standard-6: asia-east1 0.727423/0.291177, europe-north1 0.615512/0.246208, europe-west2 0.671467/0.268614, europe-west4 0.615512/0.246208, us-central1 0.559556/0.223803, us-east1 0.559556/0.223803, us-east5 0.615512/0.246208, us-south1 0.559556/0.223803
RTX-PRO-6000-Blackwell-Server-Edition, 2, g4-standard-96: asia-east1 11.699818/4.68332, asia-south1 11.69918/4.6794, asia-southeast1 10.799832/4.32036, europe-north1 9.899846/3.96, europe-west1 9.899846/3.96, europe-west2 10.799832/4.32036, europe-west4 9.899846/3.96, us-central1 8.99986/3.59964, us-east1 8.99986/3.59964, us-east4 8.99986/3.59964, us-east5 9.899846/3.96, us-south1 8.99986/3.59964, us-west1 8.99986/3.59964, us-west4 9.899846/3.96
`
