/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sums of samples, and their t-values. */
#include "leak.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 14, WHOLE = 2 };

/* A t-value where neither group varies, and they differ. */
static const double CERTAIN = 999;

/* Of a group: how many values, their sum and that of their squares. */
struct moments {
    double count;
    double value;
    double square;
};

void leak_begin(struct leak *leak, unsigned group, unsigned half)
{
    leak->which = 2 * half + group;
    leak->now = 0;
}

static bool grow(struct leak *leak)
{
    size_t room = leak->room ? 2 * leak->room : FIRST_ROOM;
    uint32_t *place = realloc(leak->place, room * sizeof *place);
    if (place == NULL) {
        return false;
    }
    leak->place = place;
    for (unsigned i = 0; i < 4; i++) {
        size_t bytes = LEAK_CHANNELS * sizeof *leak->sum[i];
        struct leak_sum *sum = realloc(leak->sum[i], room * bytes);
        if (sum == NULL) {
            return false;
        }
        memset(sum + leak->room * LEAK_CHANNELS, 0, (room - leak->room) * bytes);
        leak->sum[i] = sum;
    }
    leak->room = room;
    return true;
}

static bool is_first(const struct leak *leak)
{
    const uint32_t *n = leak->traces;
    return n[0] + n[1] + n[2] + n[3] == 0;
}

/* Whether the instruction is that of the first trace, in which all are. */
static bool is_known(struct leak *leak, uint32_t place)
{
    if (!is_first(leak)) {
        return leak->now < leak->moments && leak->place[leak->now] == place;
    }
    if (leak->now == leak->room && !grow(leak)) {
        return false;
    }
    leak->place[leak->now] = place;
    leak->moments = leak->now + 1;
    return true;
}

bool leak_add(struct leak *leak, uint32_t place, const uint8_t sample[LEAK_CHANNELS])
{
    if (!is_known(leak, place)) {
        return false;
    }
    struct leak_sum *sum = &leak->sum[leak->which][leak->now * LEAK_CHANNELS];
    for (unsigned i = 0; i < LEAK_CHANNELS; i++) {
        sum[i].value += sample[i];
        sum[i].square += (uint32_t)sample[i] * sample[i];
    }
    leak->now++;
    return true;
}

bool leak_end(struct leak *leak)
{
    leak->traces[leak->which]++;
    return leak->now == leak->moments;
}

/* Of a sample in a group of a half, or of the whole. */
static struct moments moments(const struct leak *leak, size_t sample, unsigned group, unsigned half)
{
    struct moments found = {0};
    for (unsigned h = 0; h < 2; h++) {
        if (half == WHOLE || half == h) {
            struct leak_sum sum = leak->sum[2 * h + group][sample];
            found.count += leak->traces[2 * h + group];
            found.value += sum.value;
            found.square += sum.square;
        }
    }
    return found;
}

static double mean(struct moments of)
{
    return of.value / of.count;
}

/* Of the mean: the variance of a value over their number. */
static double variance(struct moments of)
{
    return (of.square - of.value * mean(of)) / (of.count - 1) / of.count;
}

static double welch(const struct leak *leak, size_t sample, unsigned half)
{
    struct moments fixed = moments(leak, sample, 0, half);
    struct moments random = moments(leak, sample, 1, half);
    double apart = mean(fixed) - mean(random);
    double both = variance(fixed) + variance(random);
    if (both > 0) {
        return apart / sqrt(both);
    }
    return apart == 0 ? 0 : copysign(CERTAIN, apart);
}

/* The t-value that both halves reach with the same sign, by its size. */
static double common(const struct leak *leak, size_t sample)
{
    double first = welch(leak, sample, 0);
    double second = welch(leak, sample, 1);
    return first * second > 0 ? fmin(fabs(first), fabs(second)) : 0;
}

static bool varies(const struct leak *leak, size_t sample)
{
    struct moments fixed = moments(leak, sample, 0, WHOLE);
    struct moments random = moments(leak, sample, 1, WHOLE);
    return variance(fixed) + variance(random) > 0 || mean(fixed) != mean(random);
}

static void print_sample(const struct leak *leak, size_t sample)
{
    size_t moment = sample / LEAK_CHANNELS;
    printf("%s of instruction %zu at %" PRIX32 ": t is %.1f and %.1f\n",
           leak->channel[sample % LEAK_CHANNELS], moment, leak->place[moment],
           welch(leak, sample, 0), welch(leak, sample, 1));
}

void leak_print(const struct leak *leak, unsigned most)
{
    size_t varying = 0, leaks = 0, samples = leak->moments * LEAK_CHANNELS;
    double t = 0, whole = 0;
    for (size_t i = 0; i < samples; i++) {
        varying += varies(leak, i);
        leaks += common(leak, i) > LEAK_THRESHOLD;
        t = fmax(t, common(leak, i));
        whole = fmax(whole, fabs(welch(leak, i, WHOLE)));
    }
    uint32_t traces = leak->traces[0] + leak->traces[1] + leak->traces[2] + leak->traces[3];
    printf("traces=%" PRIu32 " instructions=%zu samples=%zu random_bytes=%" PRIu32
           " leaks=%zu t=%.2f whole=%.2f\n",
           traces, leak->moments, varying, leak->random / traces, leaks, t, whole);
    for (size_t i = 0; i < samples && most > 0; i++) {
        if (common(leak, i) > LEAK_THRESHOLD) {
            print_sample(leak, i);
            most--;
        }
    }
}

void leak_free(struct leak *leak)
{
    for (unsigned i = 0; i < 4; i++) {
        free(leak->sum[i]);
    }
    free(leak->place);
}
