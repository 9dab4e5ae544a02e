// The engine for a GPU: what `portable.py` and `kernel.py` do, one block of games to a block of
// threads. A warp takes a party with enough games down its tree, its lanes tossing 128 coins at a
// time; then the lone games go, a lane each. Only counts are kept.
//
// LANES and WARPS are 32 and 8 on a GPU. With threads for lanes the same text is C++, and is tested
// as such where there is no GPU.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

struct Plan {  // see plan.py
    const int *tree_of_state, *edge_start, *target, *nodes, *labels, *child_start, *children, *jump;
    const int *members, *sizes;
    int states, edges, exits, parties, slots, cohort, few, crowd, jump_bits;
};

struct Work {       // for each block of games, one after another
    u64 *current;   // states: games in each state
    u64 *next;      // states + exits: games at each target after the roll
    u64 *flow;      // edges: rolls that took each edge
    u64 *slots;     // WARPS * slots: games of a state at each slot of the tree that a warp walks
    u64 *tossed;    // WARPS * slots: coins that its party has tossed at each node
    u64 *first;     // parties: the first lone game, or the first draw, of each party
    u64 *progress;  // 2: the next draw; whether every game is settled
    u64 *ended;     // rolls * exits, for all blocks together: games that ended, by roll and exit
};

struct Bits { u64 low, high; };

__device__ static Bits philox(u32 call, u64 draw, u32 block, u64 seed) {
    u32 c0 = call, c1 = (u32)draw, c2 = block, c3 = (u32)(draw >> 32);
    u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);
#pragma unroll
    for (int i = 0; i < 10; i++) {
        u64 p0 = (u64)0xD2511F53u * c0, p1 = (u64)0xCD9E8D57u * c2;
        c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
        c1 = (u32)p1;
        c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c3 = (u32)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    Bits bits = {c1 | (u64)c0 << 32, c3 | (u64)c2 << 32};
    return bits;
}

__device__ static u64 first_bits(i64 n) {  // a mask of the first n bits
    return n <= 0 ? 0 : n > 63 ? ~(u64)0 : ((u64)1 << n) - 1;
}

// How many of the bits of a draw from one place up to another are 1: the same answer in every lane.
__device__ static u64 heads(u64 from, u64 to, u64 draw, u32 block, u64 seed, int lane) {
    u64 ones = 0;
    for (u64 call = from / 128 + lane; 128 * call < to; call += LANES) {
        Bits bits = philox((u32)call, draw, block, seed);
        i64 skip = (i64)(from - 128 * call), rest = (i64)(to - 128 * call);
        bits.low &= first_bits(rest) & ~first_bits(skip);
        bits.high &= first_bits(rest - 64) & ~first_bits(skip - 64);
        ones += __popcll(bits.low) + __popcll(bits.high);
    }
    for (int step = LANES / 2; step > 0; step /= 2) ones += __shfl_xor_sync(~0u, ones, step);
    return ones;
}

__device__ static u32 one_word(u64 j, u64 draw, u32 block, u64 seed) {
    Bits bits = philox((u32)(j / 4), draw, block, seed);
    u64 both = j & 2 ? bits.high : bits.low;
    return (u32)(j & 1 ? both >> 32 : both);
}

// first[p] = the sum of size(q) for the parties q before p; returns the whole sum. Every thread of
// the block takes part.
template <typename Size>
__device__ static u64 line_up(int parties, u64 *first, Size size) {
    __shared__ u64 sums[LANES * WARPS + 1];
    int threads = LANES * WARPS, me = threadIdx.x;
    int share = (parties + threads - 1) / threads;
    int from = min(parties, me * share), to = min(parties, from + share);
    u64 sum = 0;
    for (int p = from; p < to; p++) sum += size(p);
    __syncthreads();
    sums[me] = sum;
    __syncthreads();
    if (me == 0) {
        u64 total = 0;
        for (int t = 0; t < threads; t++) {
            u64 here = sums[t];
            sums[t] = total;
            total += here;
        }
        sums[threads] = total;
    }
    __syncthreads();
    u64 place = sums[me];
    for (int p = from; p < to; p++) {
        first[p] = place;
        place += size(p);
    }
    __syncthreads();
    return sums[threads];
}

// The games of a state that toss with its party's.
__device__ static u64 enough(const Plan &p, u64 games) { return games < p.few ? 0 : games; }

// Those of a party, if they are enough.
__device__ static u64 busy(const Plan &p, const Work &w, int party) {
    u64 games = 0;
    for (int i = 0; i < p.sizes[party]; i++)
        games += enough(p, w.current[p.members[party * p.crowd + i]]);
    return games < p.cohort ? 0 : games;
}

// One warp takes the games of a party down its tree; those refused stay.
__device__ static void toss(const Plan &p, const Work &w, int party, u64 draw, u32 block, u64 seed,
                            int lane) {
    const int *members = p.members + party * p.crowd;
    int tree = p.tree_of_state[members[0]], nodes = p.nodes[tree], labels = p.labels[tree];
    const int *children = p.children + p.child_start[tree];
    u64 *slots = w.slots, *tossed = w.tossed;
    for (int i = lane; i < nodes; i += LANES) tossed[i] = 0;
    for (int m = 0; m < p.sizes[party]; m++) {
        int s = members[m];
        u64 games = enough(p, w.current[s]);
        if (!games) continue;
        for (int i = lane; i < nodes + labels + 1; i += LANES) slots[i] = i ? 0 : games;
        __syncwarp();
        for (int node = 0; node < nodes; node++) {
            u64 here = slots[node];
            if (here) {
                u64 from = tossed[node];
                u64 ones = heads(from, from + here, draw + node, block, seed, lane);
                __syncwarp();
                if (lane == 0) {
                    tossed[node] += here;
                    slots[children[2 * node]] += here - ones;
                    slots[children[2 * node + 1]] += ones;
                }
            }
            __syncwarp();
        }
        for (int label = lane; label < labels; label += LANES) {
            u64 games = slots[nodes + label];
            int edge = p.edge_start[s] + label;
            if (games) {
                w.flow[edge] += games;  // no other warp is in this state
                atomicAdd(w.next + p.target[edge], games);
            }
        }
        if (lane == 0) w.current[s] = slots[nodes + labels];
        __syncwarp();
    }
}

// One lane takes lone game j of a state down its tree; returns how many draws that took.
__device__ static u32 descend(const Plan &p, const Work &w, int s, u64 j, u64 draw, u32 block,
                              u64 seed) {
    int tree = p.tree_of_state[s], nodes = p.nodes[tree], refusal = nodes + p.labels[tree];
    const int *children = p.children + p.child_start[tree];
    u32 word = one_word(j, draw, block, seed);
    u32 spent = p.jump_bits;
    int slot = p.jump[(tree << p.jump_bits) + (word & ((1u << p.jump_bits) - 1))];
    while (slot < nodes) {
        if (spent % 32 == 0) word = one_word(j, draw + spent / 32, block, seed);
        slot = children[2 * slot + (word >> spent % 32 & 1)];
        if (slot == refusal) slot = 0;
        spent++;
    }
    int edge = p.edge_start[s] + slot - nodes;
    atomicAdd(w.flow + edge, (u64)1);
    atomicAdd(w.next + p.target[edge], (u64)1);
    return (spent + 31) / 32;
}

// Each block plays `rolls` rolls of its games, or until all are settled. All of the work is zero
// before the first call, but for the games in state 0; `ended` is zero before every call.
extern "C" __global__ void play(const int *tree_of_state, const int *edge_start, const int *target,
                                const int *nodes, const int *labels, const int *child_start,
                                const int *children, const int *jump, const int *members,
                                const int *sizes, u64 *current, u64 *next, u64 *flow, u64 *slots,
                                u64 *tossed, u64 *first, u64 *progress, u64 *ended, int states,
                                int edges, int exits, int parties, int most_slots, int cohort,
                                int few, int crowd, int jump_bits, u64 seed, u32 first_block,
                                int rolls) {
    __shared__ u32 used, live, again;
    int me = threadIdx.x, warp = me / LANES, lane = me % LANES;
    u32 block = first_block + blockIdx.x;
    u64 b = blockIdx.x;
    Plan p = {tree_of_state, edge_start, target, nodes,   labels,     child_start, children,
              jump,          members,    sizes,  states,  edges,      exits,       parties,
              most_slots,    cohort,     few,    crowd,   jump_bits};
    u64 mine = (b * WARPS + warp) * most_slots;
    Work w = {current + b * states, next + b * (states + exits), flow + b * edges,   slots + mine,
              tossed + mine,        first + b * parties,         progress + 2 * b,   ended};
    if (w.progress[1]) return;
    u64 draw = w.progress[0];
    for (int roll = 0; roll < rolls; roll++) {
        do {  // together
            __syncthreads();
            if (me == 0) again = 0;
            u64 draws = line_up(p.parties, w.first, [&](int q) -> u64 {
                return busy(p, w, q) ? p.nodes[p.tree_of_state[p.members[q * p.crowd]]] : 0;
            });
            for (int q = warp; q < p.parties; q += WARPS) {
                if (!busy(p, w, q)) continue;
                __syncwarp();
                toss(p, w, q, draw + w.first[q], block, seed, lane);
                if (lane == 0 && busy(p, w, q)) atomicMax(&again, 1u);
            }
            draw += draws;
            __syncthreads();
        } while (again);
        if (me == 0) used = live = 0;
        line_up(p.parties, w.first, [&](int q) -> u64 {
            u64 games = 0;
            for (int i = 0; i < p.sizes[q]; i++) games += w.current[p.members[q * p.crowd + i]];
            return games;
        });
        for (int q = warp; q < p.parties; q += WARPS) {
            u64 j = w.first[q];
            for (int m = 0; m < p.sizes[q]; m++) {
                int s = p.members[q * p.crowd + m];
                for (u64 i = lane; i < w.current[s]; i += LANES)
                    atomicMax(&used, descend(p, w, s, j + i, draw, block, seed));
                j += w.current[s];
            }
        }
        __syncthreads();
        draw += used;
        for (int s = me; s < p.states; s += LANES * WARPS) {
            w.current[s] = w.next[s];
            w.next[s] = 0;
            if (w.current[s]) atomicMax(&live, 1u);
        }
        for (int e = me; e < p.exits; e += LANES * WARPS) {
            u64 games = w.next[p.states + e];
            if (games) atomicAdd(w.ended + (u64)roll * p.exits + e, games);
            w.next[p.states + e] = 0;
        }
        __syncthreads();
        if (!live) {
            if (me == 0) w.progress[1] = 1;
            break;
        }
        __syncthreads();
    }
    if (me == 0) w.progress[0] = draw;
}
