// The kernels that the benchmark compares through the wrapper and without it. All computations use
// `float`, so results equal those of the host, except for the order of additions in a sum.
//
// `kernels.ptx` is this file, compiled by NVRTC 11.8 with `--gpu-architecture=compute_80` (the first
// with bf16) and `--fmad=false`. The driver compiles it for its device, so the benchmark needs
// neither a toolkit nor NVRTC. The ignored test `kernels_give_the_hosts_results` runs it on a device.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define THREADS 256

__device__ float read(float value) { return value; }
__device__ float read(__half value) { return __half2float(value); }
__device__ float read(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ void write(float *to, float value) { *to = value; }
__device__ void write(__half *to, float value) { *to = __float2half_rn(value); }
__device__ void write(__nv_bfloat16 *to, float value) { *to = __float2bfloat16_rn(value); }

// Returns the sum of `value` over the threads of a block, in thread 0. Each run adds in the same
// order.
__device__ float over_a_block(float value) {
  __shared__ float lanes[THREADS];
  lanes[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) lanes[threadIdx.x] = __fadd_rn(lanes[threadIdx.x], lanes[threadIdx.x + half]);
    __syncthreads();
  }
  return lanes[0];
}

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

#define PAIR(name, type, suffix, operation)                                                       \
  extern "C" __global__ void name##_##suffix(const type *one, const type *other, type *result,     \
                                             unsigned count) {                                     \
    unsigned index = INDEX;                                                                        \
    if (index < count) write(&result[index], operation(read(one[index]), read(other[index])));     \
  }

#define KERNELS(type, suffix)                                                                      \
  PAIR(add, type, suffix, __fadd_rn)                                                               \
  PAIR(mul, type, suffix, __fmul_rn)                                                               \
  PAIR(div, type, suffix, __fdiv_rn)                                                               \
  extern "C" __global__ void scale_##suffix(const type *one, type *result, float factor,           \
                                            unsigned count) {                                      \
    unsigned index = INDEX;                                                                        \
    if (index < count) write(&result[index], __fmul_rn(read(one[index]), factor));                 \
  }                                                                                                \
  /* Sets `result[block]` to the sum of the elements of a block. */                                \
  extern "C" __global__ void sum_##suffix(const type *one, float *result, unsigned count) {        \
    float sum = 0.0f;                                                                              \
    for (unsigned index = INDEX; index < count; index += gridDim.x * blockDim.x)                   \
      sum = __fadd_rn(sum, read(one[index]));                                                      \
    sum = over_a_block(sum);                                                                       \
    if (threadIdx.x == 0) result[blockIdx.x] = sum;                                                \
  }                                                                                                \
  /* Sets `result[0]` to the sum of the blocks' sums, times a factor, in one block. */             \
  extern "C" __global__ void finish_##suffix(const float *one, type *result, float factor,         \
                                             unsigned count) {                                     \
    float sum = over_a_block(threadIdx.x < count ? one[threadIdx.x] : 0.0f);                       \
    if (threadIdx.x == 0) write(&result[0], __fmul_rn(sum, factor));                               \
  }

KERNELS(float, f32)
KERNELS(__half, f16)
KERNELS(__nv_bfloat16, bf16)
