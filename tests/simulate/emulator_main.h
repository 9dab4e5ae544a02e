// The way in from Python, after play.cu.
extern "C" void run(u32 block, const int *a, const int *b, const int *c, const int *d, const int *e,
                    const int *f, const int *g, const int *h, u64 *i, u64 *j, u64 *k, u64 *l, u64 *m,
                    u64 *n, u64 *o, int p, int q, int r, int s, int t, int u, u64 v, u32 w, int x) {
    run_block(block, [=] { play(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x); });
}
