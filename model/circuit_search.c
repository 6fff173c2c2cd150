/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Searches a small circuit of AND, OR, XOR and NOT for a permutation of 4 bits.
 *
 *   cc -O3 -o circuit_search circuit_search.c
 *   ./circuit_search TABLE IN OUT WIDTH SEED
 *
 * TABLE is 16 hexadecimal digits. IN and OUT tell which inputs and outputs are complemented, as a
 * hexadecimal digit; "any" leaves it to the search. WIDTH is the number of partial circuits kept
 * (100: seconds, 3000: a minute or two). Prints one line: IN OUT: gates: outputs. Nodes 0 to 3 are
 * the inputs, from the lowest bit, then one comes with each gate. circuit_search.py runs this for
 * all that q_circuits.txt needs.
 *
 * A function of the inputs is its truth table of 16 bits. A beam search adds gate after gate; what
 * is kept is what seems nearest to the outputs. The distance of a function from a partial circuit
 * is the number of further gates to it, known exactly up to two and nearly always at three, and the
 * score of a partial circuit is the sum over the outputs.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 4, OUTPUTS = 4, MAX_GATES = 20, MAX_NODES = INPUTS + MAX_GATES, FAR = 4 };

typedef uint16_t function;

static function negation(function f)
{
    return (function)(f ^ 0xFFFF);
}

static const function inputs[INPUTS] = {0xAAAA, 0xCCCC, 0xF0F0, 0xFF00};

typedef struct circuit {
    function node[MAX_NODES];
    int n_nodes;
    int negated_in;
    uint8_t distance[OUTPUTS];
    int score;
    uint32_t tie; /* decides at random between equal scores */
    uint64_t hash;
} circuit;

/* The outputs, for each set of complemented inputs. */
static function wanted[16][OUTPUTS];
static bool any_out;

/* --- Random numbers ------------------------------------------------------------------------------ */

static uint64_t random_state;

static uint64_t random_64(void)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15; /* splitmix64 */
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static uint64_t hashes[65536];

/* --- The distance of each function from the partial circuit -------------------------------------- */

typedef struct list {
    function item[65536];
    int n;
} list;

/* near[d]: the functions at distance d, for d = 0, 1, 2. distance_of is d + 1, or 0 if farther.
 * Nearer values stand in two lists; nearer[] remembers them. */
static list near[3];
static uint8_t distance_of[65536];
static list nearer;

static void put(function f, int distance)
{
    if (distance_of[f] == 3 && distance == 1) {
        nearer.item[nearer.n++] = f;
    } else if (distance_of[f] != 0) {
        return;
    }
    distance_of[f] = (uint8_t)(distance + 1);
    near[distance].item[near[distance].n++] = f;
}

/* The results of one gate on f and one of the first n nodes. */
static void put_gates(function f, const function *nodes, int n, int distance)
{
    for (int i = 0; i < n; i++) {
        put(f & nodes[i], distance);
        put(f | nodes[i], distance);
        put(f ^ nodes[i], distance);
    }
}

/* A node more, and what that brings near. */
static void add_node(function f)
{
    const int n_nodes = near[0].n;
    const int n_before = near[1].n;

    near[0].item[near[0].n++] = f;
    distance_of[f] = 1;
    put(negation(f), 1);
    put_gates(f, near[0].item, n_nodes, 1);
    put_gates(f, near[1].item, near[1].n, 2);
    for (int i = n_before; i < near[1].n; i++) {
        const function g = near[1].item[i];

        put(negation(g), 2);
        put_gates(g, near[0].item, n_nodes, 2);
    }
}

static void forget(int distance, int n_kept)
{
    while (near[distance].n > n_kept) {
        distance_of[near[distance].item[--near[distance].n]] = 0;
    }
}

/* Takes the last node away again, which was at distance 1 before; n_1 and n_2 were then near. */
static void remove_node(int n_1, int n_2)
{
    forget(2, n_2);
    forget(1, n_1);
    distance_of[near[0].item[--near[0].n]] = 2;
    while (nearer.n > 0) {
        distance_of[nearer.item[--nearer.n]] = 3;
    }
}

static void look_around(const circuit *c)
{
    for (int distance = 2; distance >= 0; distance--) {
        forget(distance, 0);
    }
    for (int i = 0; i < c->n_nodes; i++) {
        add_node(c->node[i]);
    }
    nearer.n = 0;
}

/* Whether an AND (or an OR, of the complements) of two functions at distance 1 is f. */
static bool is_product_of_neighbours(function f, function complement)
{
    function candidates[512];
    int n = 0;

    for (int i = 0; i < near[1].n && n < 512; i++) {
        const function g = near[1].item[i] ^ complement;

        if ((g & f) == f) {
            candidates[n++] = g;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if ((candidates[i] & candidates[j]) == f) {
                return true;
            }
        }
    }
    return false;
}

/* The same of a node and a function at distance 2. */
static bool is_product_with_node(function f, function complement)
{
    for (int i = 0; i < near[0].n; i++) {
        const function g = near[0].item[i] ^ complement;
        bool found = false;

        if ((g & f) != f) {
            continue;
        }
        for (int j = 0; j < near[2].n; j++) {
            found |= ((near[2].item[j] ^ complement) & g) == f;
        }
        if (found) {
            return true;
        }
    }
    return false;
}

static bool is_sum(function f)
{
    for (int i = 0; i < near[0].n; i++) {
        if (distance_of[f ^ near[0].item[i]] == 3) {
            return true;
        }
    }
    for (int i = 0; i < near[1].n; i++) {
        if (distance_of[f ^ near[1].item[i]] == 2) {
            return true;
        }
    }
    return distance_of[negation(f)] == 3;
}

/* `known` is the distance before the last gate was added. */
static int distance(function f, int known)
{
    const function not_f = negation(f);

    if (distance_of[f] != 0) {
        return distance_of[f] - 1;
    }
    if (known < FAR) {
        return known;
    }
    return is_sum(f) || is_product_of_neighbours(f, 0) || is_product_of_neighbours(not_f, 0xFFFF) ||
                   is_product_with_node(f, 0) || is_product_with_node(not_f, 0xFFFF)
               ? 3
               : FAR;
}

static void measure(circuit *c)
{
    static const int weights[FAR + 1] = {0, 10, 20, 31, 44};

    c->score = 0;
    for (int i = 0; i < OUTPUTS; i++) {
        const function f = wanted[c->negated_in][i];
        const int known = c->distance[i];
        int d = distance(f, known);

        if (any_out && d > 0) {
            const int d_not = distance(negation(f), known);
            d = d_not < d ? d_not : d;
        }
        c->distance[i] = (uint8_t)d;
        c->score += weights[d];
    }
}

/* --- The beam ---------------------------------------------------------------------------------------- */

typedef struct beam {
    circuit *item;
    size_t n, width, room;
} beam;

static int by_score(const void *x, const void *y)
{
    const circuit *a = x;
    const circuit *b = y;

    if (a->score != b->score) {
        return a->score < b->score ? -1 : 1;
    }
    return (a->tie > b->tie) - (a->tie < b->tie);
}

static void keep_best(beam *b)
{
    qsort(b->item, b->n, sizeof *b->item, by_score);
    b->n = b->n < b->width ? b->n : b->width;
}

static void add_to_beam(beam *b, const circuit *c)
{
    if (b->n == b->room) {
        keep_best(b);
    }
    b->item[b->n] = *c;
    b->item[b->n++].tie = (uint32_t)random_64();
}

/* Partial circuits with the same nodes are the same. The table may overflow and forget. */
enum { SEEN = 1 << 22 };
static uint64_t seen[SEEN];

static bool is_new(uint64_t hash)
{
    uint64_t *place = &seen[hash % SEEN];
    const bool result = *place != hash;

    *place = hash;
    return result;
}

/* All circuits with one gate more, measured. */
static void extend(beam *to, const circuit *from)
{
    look_around(from);
    const int n_1 = near[1].n;
    const int n_2 = near[2].n;
    for (int i = 0; i < n_1; i++) {
        const function f = near[1].item[i];
        circuit c = *from;

        c.hash ^= hashes[f];
        if (f == 0 || f == 0xFFFF || !is_new(c.hash)) {
            continue;
        }
        c.node[c.n_nodes++] = f;
        add_node(f);
        measure(&c);
        remove_node(n_1, n_2);
        add_to_beam(to, &c);
    }
}

static void begin(beam *b, int negated_in)
{
    circuit c = {.n_nodes = INPUTS, .negated_in = negated_in, .hash = hashes[negated_in]};

    memcpy(c.node, inputs, sizeof inputs);
    memset(c.distance, FAR, sizeof c.distance);
    look_around(&c);
    measure(&c);
    add_to_beam(b, &c);
}

/* True if it found one within MAX_GATES, which then is the first in the beam. */
static bool search(beam *b, beam *next)
{
    while (b->item[0].score > 0) {
        if (b->n == 0 || b->item[0].n_nodes == MAX_NODES) {
            return false;
        }
        memset(seen, 0, sizeof seen);
        next->n = 0;
        for (size_t i = 0; i < b->n; i++) {
            extend(next, &b->item[i]);
        }
        keep_best(next);
        const beam t = *b;
        *b = *next;
        *next = t;
    }
    return true;
}

/* --- Input and output --------------------------------------------------------------------------- */

/* The gate that makes node n. */
static void print_gate(const circuit *c, int n)
{
    const function *node = c->node;

    for (int b = 0; b < n; b++) {
        for (int a = 0; a <= b; a++) {
            const char op = a == b && negation(node[a]) == node[n] ? '~'
                            : a == b                               ? 0
                            : (node[a] & node[b]) == node[n]       ? '&'
                            : (node[a] | node[b]) == node[n]       ? '|'
                            : (node[a] ^ node[b]) == node[n]       ? '^'
                                                                   : 0;
            if (op != 0) {
                printf(" %c%d,%d", op, a, b);
                return;
            }
        }
    }
}

static void print(const circuit *c, int negated_out)
{
    int outputs[OUTPUTS] = {0};

    for (int i = 0; i < OUTPUTS; i++) {
        const function f = wanted[c->negated_in][i];

        for (int n = 0; n < c->n_nodes; n++) {
            if (c->node[n] == f || (any_out && c->node[n] == negation(f))) {
                outputs[i] = n;
            }
        }
        negated_out ^= (c->node[outputs[i]] != f) << i;
    }
    printf("%X %X:", c->negated_in, negated_out);
    for (int n = INPUTS; n < c->n_nodes; n++) {
        print_gate(c, n);
    }
    printf(":");
    for (int i = 0; i < OUTPUTS; i++) {
        printf(" %d", outputs[i]);
    }
    printf("\n");
}

static int digit(char c)
{
    const char text[2] = {c, 0};
    return (int)strtol(text, NULL, 16);
}

static void want(const char *table, int negated_out)
{
    for (int negated_in = 0; negated_in < 16; negated_in++) {
        for (int x = 0; x < 16; x++) {
            const int y = digit(table[x ^ negated_in]) ^ negated_out;

            for (int i = 0; i < OUTPUTS; i++) {
                wanted[negated_in][i] |= (function)((y >> i & 1) << x);
            }
        }
    }
}

static void new_beam(beam *b, size_t width)
{
    b->n = 0;
    b->width = width;
    b->room = 8 * width;
    b->item = calloc(b->room, sizeof *b->item);
    if (b->item == NULL) {
        exit(1);
    }
}

int main(int argc, char **argv)
{
    beam a, b;

    if (argc != 6 || strlen(argv[1]) != 16) {
        fprintf(stderr, "usage: circuit_search TABLE IN|any OUT|any WIDTH SEED\n");
        return 2;
    }
    const int negated_in = strcmp(argv[2], "any") == 0 ? -1 : digit(argv[2][0]);
    any_out = strcmp(argv[3], "any") == 0;
    const int negated_out = any_out ? 0 : digit(argv[3][0]);
    const long width = strtol(argv[4], NULL, 10);
    new_beam(&a, width < 16 ? 16 : (size_t)width);
    new_beam(&b, a.width);
    random_state = strtoull(argv[5], NULL, 10);
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
        hashes[i] = random_64();
    }
    want(argv[1], negated_out);
    for (int i = 0; i < 16; i++) {
        if (negated_in < 0 || i == negated_in) {
            begin(&a, i);
        }
    }
    keep_best(&a);
    if (!search(&a, &b)) {
        return 1;
    }
    print(&a.item[0], negated_out);
    return 0;
}
