// Games of a chain, rolled by the documented stream: bit for bit the tally of the other engines.
// See simulate/backends/stream.py, which says which bit belongs to which game.
const M0 = 0xd2511f53, M1 = 0xcd9e8d57, W0 = 0x9e3779b9, W1 = 0xbb67ae85;
const BLOCK = 2 ** 22, COHORT = 256, FEW = 16, JUMP = 8, WORDS = 2 ** 32;

// The upper half of a product of two words.
function high(a, b) {
  const al = a & 0xffff, ah = a >>> 16, bl = b & 0xffff, bh = b >>> 16;
  const low = Math.imul(al, bl) >>> 0, cross = (Math.imul(ah, bl) >>> 0) + (low >>> 16);
  const other = (Math.imul(al, bh) >>> 0) + (cross % 65536);
  return (Math.imul(ah, bh) + Math.floor(cross / 65536) + Math.floor(other / 65536)) | 0;
}

function ones(x) {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

// The words of the draws of a block.
class Draws {
  constructor(low, high, block) {
    Object.assign(this, { low, high, block, four: new Int32Array(4), call: -1, draw: -1, bit: 0 });
  }

  fill(draw, call) {
    if (draw === this.draw && call === this.call) return;
    this.draw = draw;
    this.call = call;
    let c0 = call, c1 = draw % WORDS | 0, c2 = this.block, c3 = Math.floor(draw / WORDS), k0 = this.low, k1 = this.high;
    for (let i = 0; i < 10; i++) {
      const l0 = Math.imul(M0, c0), h0 = high(M0, c0), l1 = Math.imul(M1, c2), h1 = high(M1, c2);
      c0 = h1 ^ c1 ^ k0;
      c1 = l1;
      c2 = h0 ^ c3 ^ k1;
      c3 = l0;
      k0 = (k0 + W0) | 0;
      k1 = (k1 + W1) | 0;
    }
    this.four[0] = c1;
    this.four[1] = c0;
    this.four[2] = c3;
    this.four[3] = c2;
  }

  word(draw, j) {
    this.fill(draw, j >>> 2);
    return this.four[j & 3];
  }

  // How many of the next n bits of a draw, from a place on, are 1.
  heads(draw, from, n) {
    let found = 0, at = from;
    const end = from + n;
    while (at < end) {
      const shift = at % 32, left = Math.min(32 - shift, end - at);
      const word = this.word(draw, Math.floor(at / 32)) >>> shift;
      found += ones(left === 32 ? word : word & ((1 << left) - 1));
      at += left;
    }
    return found;
  }
}

function block(plan, low, upper, number, games, flow, ends) {
  const { states, trees, edgeStart, target, parties } = plan;
  const draws = new Draws(low, upper, number), now = new Float64Array(states), next = new Float64Array(states + plan.exits);
  let draw = 0, roll = 0, on = games;
  now[0] = games;
  const cross = (edge, n) => { flow[edge] += n; next[target[edge]] += n; };

  function together(members, tree) {
    const { children, labels } = tree, nodes = children.length / 2, refusal = nodes + labels;
    const slots = members.map((state) => { const all = new Float64Array(refusal + 1); all[0] = now[state]; return all; });
    for (let node = 0; node < nodes; node++, draw++) {
      let place = 0;
      for (const its of slots) {
        const here = its[node];
        if (!here) continue;
        const up = draws.heads(draw, place, here);
        place += here;
        its[children[2 * node]] += here - up;
        its[children[2 * node + 1]] += up;
      }
    }
    members.forEach((state, i) => {
      for (let label = 0; label < labels; label++) cross(edgeStart[state] + label, slots[i][nodes + label]);
      now[state] = slots[i][refusal];
    });
  }

  function alone() {
    let j = 0, most = JUMP;
    for (const { tree, members } of parties) {
      const { children, labels, jump } = trees[tree], nodes = children.length / 2;
      for (const state of members) {
        for (let k = now[state]; k > 0; k--, j++) {
          let word = draws.word(draw, j), slot = jump[word & 255], spent = JUMP;
          while (slot < nodes) {
            if (spent % 32 === 0) word = draws.word(draw + spent / 32, j);
            slot = children[2 * slot + ((word >>> (spent % 32)) & 1)];
            if (slot === nodes + labels) slot = 0;
            spent++;
          }
          if (spent > most) most = spent;
          cross(edgeStart[state] + slot - nodes, 1);
        }
        now[state] = 0;
      }
    }
    draw += Math.ceil(most / 32);
  }

  while (on) {
    roll++;
    for (let tossed = true; tossed;) {
      tossed = false;
      for (const { tree, members } of parties) {
        const busy = members.filter((state) => now[state] >= FEW);
        if (busy.reduce((sum, state) => sum + now[state], 0) < COHORT) continue;
        together(busy, trees[tree]);
        tossed = true;
      }
    }
    if (now.some((n) => n > 0)) alone();
    for (let e = 0; e < plan.exits; e++) {
      const n = next[states + e];
      if (!n) continue;
      on -= n;
      const key = `${roll} ${e}`;
      ends.set(key, (ends.get(key) ?? 0) + n);
    }
    now.set(next.subarray(0, states));
    next.fill(0);
  }
}

// What is asked, as JSON: the plan, the two halves of the seed, the first block, how many games.
export function play(asked) {
  const { plan, seed, first, games } = JSON.parse(asked);
  const flow = new Float64Array(plan.target.length), ends = new Map();
  for (let number = first, left = games; left > 0; number++, left -= BLOCK) {
    block(plan, seed[0] | 0, seed[1] | 0, number | 0, Math.min(BLOCK, left), flow, ends);
  }
  return JSON.stringify({ flow: [...flow], ends: [...ends].map(([key, n]) => [...key.split(" ").map(Number), n]) });
}
