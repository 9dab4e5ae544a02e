// The way in from Python, after play.cu.
extern "C" void run(u32 block, const int *a, const int *b, const int *c, const int *d, const int *e,
                    const int *f, const int *g, const int *h, const int *i, const int *j, u64 *k,
                    u64 *l, u64 *m, u64 *n, u64 *o, u64 *p, u64 *q, u64 *r, int s, int t, int u,
                    int v, int w, int x, int y, int z, int more, u64 seed, u32 first, int rolls) {
    run_block(block, [=] {
        play(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, more,
             seed, first, rolls);
    });
}
