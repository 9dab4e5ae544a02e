// What play.cu needs to be C++: a block of threads is threads, and a barrier is a barrier.
#include <algorithm>
#include <pthread.h>
#include <thread>
#include <vector>
#define __device__
#define __global__
#define __shared__ static
#define __popcll __builtin_popcountll
using std::min;

struct Index {
    unsigned x;
};
static thread_local Index threadIdx;
static Index blockIdx;

struct Barrier {
    pthread_barrier_t barrier;
    explicit Barrier(int threads) { pthread_barrier_init(&barrier, nullptr, threads); }
    void wait() { pthread_barrier_wait(&barrier); }
};
static Barrier block_barrier(LANES *WARPS);
static struct WarpBarrier : Barrier {
    WarpBarrier() : Barrier(LANES) {}
} warp_barrier[WARPS];
static unsigned long long exchanged[LANES * WARPS];

static void __syncthreads() { block_barrier.wait(); }
static void __syncwarp() { warp_barrier[threadIdx.x / LANES].wait(); }

static unsigned long long __shfl_xor_sync(unsigned, unsigned long long value, int step) {
    exchanged[threadIdx.x] = value;
    __syncwarp();
    unsigned long long other = exchanged[threadIdx.x ^ step];
    __syncwarp();
    return other;
}

template <typename T> T atomicAdd(T *place, T value) {
    return __atomic_fetch_add(place, value, __ATOMIC_SEQ_CST);
}

template <typename T> T atomicMax(T *place, T value) {
    T old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    while (old < value &&
           !__atomic_compare_exchange_n(place, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return old;
}

// Runs a kernel as one block of threads.
template <typename Kernel> void run_block(unsigned block, Kernel kernel) {
    blockIdx.x = block;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < LANES * WARPS; i++)
        threads.emplace_back([=] {
            threadIdx.x = i;
            kernel();
        });
    for (auto &thread : threads) thread.join();
}
