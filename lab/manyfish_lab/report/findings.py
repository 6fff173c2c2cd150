# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page findings.md: the lab's own claims, as a paper would state them.

A figure in the text is a place holder, {experiment | table | figure}, each by the beginning of its
name; the page shows ours. So it has no figure that the results do not have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from manyfish_lab.errors import LabError
from manyfish_lab.report import words
from manyfish_lab.report.markdown import Lines, duration, paragraph, plain, powers
from manyfish_lab.results import Result

PLACE = re.compile(r"\{([^{}|]+)\|([^{}|]+)\|([^{}|]+)\}")


@dataclass(frozen=True)
class Finding:
    """A section. The first of its experiments is the one that a reader repeats.

    claim   one sentence
    known   what is published
    method  how it was computed
    limits  what does not follow
    refute  the smallest thing that would show that the claim is wrong
    """

    title: str
    experiments: Sequence[str]
    claim: str
    known: str
    method: str
    limits: str
    refute: str

    def parts(self) -> dict[str, str]:
        """By the words in front of each on the page."""
        return {
            "Claim": self.claim,
            "Known before": self.known,
            "Method": self.method,
            "Limits": self.limits,
            "To refute it": self.refute,
        }


Results = Mapping[str, Result]


def page(of: Results) -> Lines:
    """All sections whose figures the results have."""
    yield words.FINDINGS
    there = [each for each in FINDINGS if complete(each, of)]
    for number, finding in enumerate(there, 1):
        yield from section(number, finding, of)


def complete(finding: Finding, of: Results) -> bool:
    """Whether the results have all of its figures; those of small scales do not."""
    places = PLACE.findall("".join(finding.parts().values()))
    return all(name in of for name in finding.experiments) and all(
        figures(of, *map(str.strip, place)) for place in places
    )


def section(number: int, finding: Finding, of: Results) -> Lines:
    yield from (f"## {number}. {finding.title}", "")
    for name, text in finding.parts().items():
        yield from (paragraph(f"**{name}.** {filled(text, of)}"), "")
    for name in finding.experiments:
        run = of[name]
        cost = duration(run.cost.cpu_seconds)
        yield paragraph(f"[{name}]({name}.md): `{run.command}`, {cost}", "- ", "  ")
    yield ""


def filled(text: str, of: Results) -> str:
    """The text with our figures in its place holders."""
    return PLACE.sub(lambda place: plain(figure(of, *map(str.strip, place.groups()))), powers(text))


def figures(of: Results, experiment: str, table: str, what: str) -> list[str]:
    """All of ours whose names begin so."""
    return [
        cell.ours
        for each in of[experiment].findings.tables
        if each.title.startswith(table)
        for cell in each.cells
        if cell.what.startswith(what)
    ]


def figure(of: Results, experiment: str, table: str, what: str) -> str:
    """The only one."""
    found = figures(of, experiment, table, what)
    if len(found) != 1:
        raise LabError(
            f"findings.md names {experiment} | {table} | {what}, which {len(found)} figures are",
            "mend the text in lab/manyfish_lab/report/findings.py",
        )
    return found[0]


FINDINGS = (
    Finding(
        "Differences through the S-boxes",
        ("sboxes-192", "sboxes-128", "sboxes-256-dp", "sboxes-256"),
        "No S-box of a 256-bit key lets a change pass with a probability above {sboxes-256-dp | "
        "DPmax | largest}; one S-box reaches it, and the page has its key. Of those of 192-bit "
        "keys the largest is {sboxes-192 | DPmax | largest}, and the share of those with 18/256 is "
        "{sboxes-192 | DPmax | DPmax = 18/256} (-log2), where the book's figure is as if it had "
        "been rounded twice.",
        "The book prints the shares for 128 and 192 bits, 24/256 among them, and a sample for 256 "
        "with at most 22/256 [Twofish99, table 7.1]; the submission's code has those of 128 bits "
        "with more digits [TwofishC98, TABLE.H].",
        "The program makes every S-box of each key length, {sboxes-256-dp | S-boxes counted | all} "
        "with 256 bits, and sorts its differences; of 128 and 192 bits it also has every table of "
        "linear sums, for which we found no published figures at 192 bits.",
        "The linear sums of 256-bit keys are those of a sample. A probability of one S-box says "
        "nothing of a round: keys are added in between, and the MDS matrix makes several S-boxes "
        "active.",
        "One S-box with a change of a larger probability; or other counts.",
    ),
    Finding(
        "Polynomials of the S-boxes",
        ("sboxes-degree", "sboxes-immunity"),
        "No S-box of any key has a degree below 7, and sums of output bits with a lower degree are "
        "as frequent as in random matrices. At most 63 of the 255 sums of an S-box have one (-log2 "
        "of the share of such S-boxes: {sboxes-degree | 256-bit | 63 sums}). No quadratic equation "
        "holds for any S-box of a 128-bit key, nor for {sboxes-immunity | S-boxes by their | "
        "192-bit keys, all 67,108,864 S-boxes: 0 equations} S-boxes of 192-bit keys, all there "
        "are, where that of AES satisfies "
        "{sboxes-immunity | Quadratic equations | equations}. Of the 262,144 S-boxes of 128-bit "
        "keys {sboxes-immunity | S-boxes by the least | 128-bit keys, all 262,144 S-boxes: "
        "immunity 3} have a sum of output bits whose algebraic immunity is 3 rather than 4; "
        "about {sboxes-immunity | S-boxes by the least | 128-bit keys, all 262,144 S-boxes: 3 or "
        "less} are expected of random permutations.",
        "The equations of AES are of [CourtoisPieprzyk02]. No source that we know of has these "
        "figures of Twofish.",
        "The coefficient of a monomial of degree 7 is the sum of the outputs for all inputs in "
        "which one bit is 0. There are 8 such sums of 8 bits, and the rank of this matrix tells "
        "how many sums of output bits lose their degree. The program computes it for all S-boxes, "
        "4 x 2^32 of 256-bit keys among them. For equations and immunities it eliminates the "
        "values of all monomials; a polynomial that is left over vanishes.",
        "A degree of one S-box says little of many rounds, whose degree is bounded by the block "
        "size after few of them. Random permutations have no quadratic equations either. "
        "The expected number counts polynomials of the least weight. Equations that use bits "
        "inside of an S-box are not counted, and each permutation of 4 bits in q satisfies some.",
        "One S-box with 127 sums of a degree below 7, or one of a 192-bit key with a quadratic "
        "equation; or other counts.",
    ),
    Finding(
        "S-boxes and random permutations",
        ("sboxes-random",),
        "Averaged over all 256-bit keys, the frequencies of differences still differ from those of "
        "random permutations: 262,144 S-boxes s0 score {sboxes-random | Distance | 262,144 S-boxes "
        "s0} standard deviations, as many random permutations {sboxes-random | Distance | 262,144 "
        "random permutations}.",
        "The authors compare fixed points with the formula for random permutations [Twofish99, "
        "7.2.3]. Macchetti shows that S-boxes of many keys can be told from random permutations "
        "[Macchetti05]; new, as far as we know, are the exact mean tables and these scores.",
        "The mean table of differences over all keys is a product of those of q0 and q1, so it can "
        "be computed without making the S-boxes. A score weighs the differences of an S-box with "
        "that table.",
        "It tells many S-boxes of many keys from chance, when somebody shows them. A cipher in use "
        "has one key and hides its S-boxes.",
        "A score near 0 for S-boxes of other random keys.",
    ),
    Finding(
        "The MDS matrix",
        ("mds",),
        "One printed probability is wrong: a change of a byte that goes into T_1 changes the "
        "highest byte of F_1 with probability {mds | How often | byte 3 of F_1}, not 254/255; and "
        "no matrix of the same three values that keeps the authors' other conditions changes nine "
        "bits or more.",
        "The authors give the weights of all products, and say how they chose the matrix "
        "[Twofish98, 4.3.2], [Twofish99, 7.3].",
        "The program multiplies all words, and follows carries exactly. It builds all {mds | All "
        "matrices | matrices of the values} matrices of the values 01, 5B and EF, finds {mds | All "
        "matrices | MDS, no rotated} MDS ones without rotated rows or columns, and {mds | All "
        "matrices | MDS, at least 8, no rotated} of them that change eight bits or more; Twofish's "
        "is one.",
        "Matrices of other values were not searched.",
        "One MDS matrix of these values without rotated rows or columns, whose products of one "
        "byte have nine bits or more.",
    ),
    Finding(
        "Keys with the same subkeys",
        ("key-uniqueness", "subkey-entropy"),
        "No two keys of one length have the same subkeys, and no two values of S the same function "
        "F. Of 128-bit keys the two 64-bit subkeys with the most entropy have {subkey-entropy | "
        "Entropy of two 64-bit subkeys, 128 | most of all 190} bits of 128.",
        "The authors state both of the first two claims after searches of their own [TR2], which "
        "we repeat by another program. They bounded the entropy by 117 bits [TR4] "
        "after Mirza and Murphy had observed that it is less than 128 [MirzaMurphy99].",
        "The search is exhaustive, column by column; of S with 256-bit keys: {key-uniqueness | "
        "Different S | 256-bit keys}. Entropies are exact sums over the key bytes that two subkeys "
        "depend on.",
        "Keys of different lengths were not compared.",
        "Two keys with the same subkeys, or two values of S with the same F.",
    ),
    Finding(
        "Pairs of keys and a withdrawn attack",
        ("weak-pairs", "subkey-pairs"),
        "The attack on ten rounds with 256-bit keys that the paper had needs pairs of keys that "
        "do not exist; even seven or six equal subkeys in a row of rounds, with the same S, do "
        "not occur.",
        "The authors withdrew the attack, and say why such pairs do not exist [TR6].",
        "Different keys with the same S differ in five columns at least, so the program searches "
        "each column for pairs of key bytes with equal outputs in a row, all of them, and joins "
        "what it finds.",
        "For five equal subkeys we have an expectation, {weak-pairs | Fewer | the same with 5} "
        "differences of keys for each first round, and no search. With three such a pair is known, "
        "and stands on the page. Runs that take in subkeys of whitening were not searched.",
        "Two 256-bit keys with the same S and six equal 64-bit subkeys in a row of rounds.",
    ),
    Finding(
        "Avalanche",
        ("avalanche", "key-bits"),
        "A changed bit of the text reaches every bit of the block after at most {avalanche | "
        "Rounds until | plaintext, 128-bit key, with whitening: complete} rounds, and a changed "
        "bit of the key after {avalanche | Rounds until | key, 128-bit key, with whitening: "
        "complete}.",
        "Theses have samples of avalanche [ElMETU], [ArikanMETU]; the criteria are older "
        "[KamDavida79], [WebsterTavares85].",
        "Each of 128 bits is changed in samples of random texts and keys, and every pair of an "
        "input and an output bit is counted, after each round, for each key length, with and "
        "without whitening.",
        "These are samples. They can show that a pair changes, not that it does so with "
        "probability one half.",
        "A pair of bits that never changes after as many rounds.",
    ),
    Finding(
        "Truncated differentials",
        ("truncated-differentials",),
        "In a model of independent bytes no truncated differential of bytes over six rounds or "
        "more is more than "
        "{truncated-differentials | All truncated | 6 rounds: most above} as probable as in a "
        "random permutation; over five the best is {truncated-differentials | All truncated | 5 "
        "rounds: most above} as probable. The published one over all rounds has, with all paths "
        "counted, what a random permutation has: {truncated-differentials | The same ends | a "
        "random permutation}.",
        "Moriai and Yin published its best path, and truncated differentials of five rounds that "
        "may tell them from chance [MoriaiYin00]; Knudsen showed that such paths "
        "exist in all rounds [Knudsen00].",
        "Patterns of zero bytes go through g by the weights of MDS codes, and through the "
        "additions by an automaton of carries. Each of 2^16 patterns is a start and an end, with "
        "all paths between them, and pairs with real keys are counted beside. More than six rounds "
        "are averages of six.",
        "Patterns with bits instead of bytes were not searched, nor those below chance. The model "
        "takes bytes and rounds as independent, and they are not: a single active byte gives F "
        "three or more zero bytes far more often ({truncated-differentials | Bytes through F | F: "
        "1 active: 3 or more}). So the real cipher can be further from chance than 2^-32, over "
        "six rounds too.",
        "A pattern that the model weighs wrongly though its bytes are independent; or, against the "
        "model, a truncated differential of bytes over six rounds that is measurably more frequent "
        "than by chance.",
    ),
    Finding(
        "Trails of differences",
        ("trail-bounds",),
        "With 128-bit keys every trail of differences over 12 rounds has probability {trail-bounds "
        "| 128-bit | 12 rounds}, and over 16 rounds {trail-bounds | 128-bit | 16 rounds}; "
        "with 192-bit keys {trail-bounds | 192-bit | 12 rounds} and {trail-bounds | 192-bit | 16 "
        "rounds}, with 256-bit keys {trail-bounds | 256-bit | 12 rounds} and {trail-bounds | "
        "256-bit | 16 rounds}.",
        "The authors' report has 2^-102.8 for characteristics of 12 rounds [TR1]; we have read its "
        "abstract only. By the book they simulated differences of F [Twofish99, 8]. Lipmaa has "
        "the probabilities of differences through the PHT, and applies them to a part of the round "
        "[Lipmaa02, abstract].",
        "A formula describes the bits of a trail, and the SAT solver CaDiCaL proves that no trail "
        "over three or four rounds is cheaper than a bound. Another program, rate, checks each "
        "proof. The bounds of more rounds are sums of these, over all patterns of active rounds.",
        "A bound of trails is none of differentials, which are sums of trails. Rounds are taken as "
        "independent, with uniform subkeys, and T0 and T1 as uniform where their differences are "
        "given.",
        "A trail over three or four rounds that costs less than a claim on the page; a proof that "
        "a checker does not accept; or a pair of texts whose differences the formula excludes.",
    ),
    Finding(
        "Linear trails",
        ("linear-trail-bounds",),
        "With 128-bit keys the squared correlation of every linear trail over 12 rounds is "
        "{linear-trail-bounds | 128-bit | 12 rounds}, and over 16 rounds {linear-trail-bounds | "
        "128-bit | 16 rounds}, as a mean over the subkeys.",
        "The authors bound linear characteristics by a simpler model than that of differentials "
        "[Twofish99, 9.5]; we have read the beginning of this section only, which has no figure. "
        "Correlations of one addition are known exactly [Wallen03].",
        "Between T and F the mean squared correlation is a sum over frequencies modulo 2^32. It is "
        "bounded in a formula for CaDiCaL, with proofs that rate checks, and with one or two "
        "active S-boxes by a sum over all masks of F, of each mask of T.",
        "A bound of trails is none of hulls, in which trails add up. Subkeys are uniform and "
        "independent; one of them alone can have a larger correlation. The bound is above 2^-128, "
        "so it excludes no linear attack by itself. The sum over masks of F has no proof that "
        "another program could check.",
        "A trail over two or three neighbouring active rounds that costs less than the claim on "
        "the page; one round with a larger mean squared correlation; or a proof that a checker "
        "does not accept.",
    ),
    Finding(
        "Sets of texts told from chance",
        ("distinguisher",),
        "With 2^32 plaintexts in which a word takes all values, sums of bits tell four rounds from "
        "chance ({distinguisher | Twofish: a saturated word | 4 rounds}), and do not tell five "
        "({distinguisher | Twofish: a saturated word | 5 rounds}).",
        "Lucks has distinguishers of four rounds, and attacks seven rounds, and eight without "
        "output whitening, with up to half of all texts [Lucks01], so only the run at real size "
        "may be new; Ferguson has impossible differentials over five [TR5].",
        "The program encrypts the whole set under random keys and adds up bits, with five rounds "
        "as control; all sixteen were the control of sets of bytes and of the model. The "
        "impossible differential over five rounds runs in a model of 32 bits.",
        "Few keys were tried; the argument for the sums holds for every key.",
        "A key for which the sums of four rounds are not zero.",
    ),
    Finding(
        "The key of five rounds",
        ("five-rounds", "five-round-models", "five-round-attack"),
        "With {five-rounds | The key | sets of} sets of 2^32 chosen plaintexts, encrypted by five "
        "rounds without whitening, an attacker finds a 128-bit key in minutes: the search was "
        "given {five-rounds | The key | bits of S} bits of S, and found the key {five-rounds | The "
        "key | the key}.",
        "The authors' attack on five rounds takes 2^22.5 chosen plaintexts and 2^51 work "
        "[Twofish98, abstract]. Lucks follows saturated sets through more rounds [Lucks01]. No "
        "text that we found says that an attack on five rounds was run.",
        "A word of the plaintext takes all values, and sums over the fifth round depend on two "
        "bytes of S in each of four lanes. Joining lanes two by two leaves some million S; pairs "
        "of chosen texts single one out, and with it the subkeys of the first round, and the key.",
        "These are 2^37.3 chosen texts, and 2^26 more that depend on what was found before; and "
        "whitening is missing. The program that made the sums of the sets had the key, and "
        "encrypted each set in an order that suits it: the minutes are those of the search. In "
        "the model a sixth round stops the attack. S of 192 and 256-bit keys would take 2^48 and "
        "2^64 steps.",
        "A set whose sums, computed by another program, are not those of its piece; or a text "
        "whose ciphertext under the key that was found is not that under the key of the run.",
    ),
    Finding(
        "Sums that vanish for every key",
        ("integral", "known-key"),
        "Five rounds of Twofish can be told from chance with {integral | The smallest | 5 rounds: "
        "texts} chosen texts, by a sum that is 0 for every key; division trails show six with "
        "{integral | The smallest | 6 rounds: texts}. For seven rounds they show it for "
        "{integral | Sets with an output | 7 rounds} that were searched. If the key is "
        "known and texts are chosen in the middle, a sum over the plaintexts and one over the "
        "ciphertexts are 0 over seven rounds with {known-key | Sets in the middle | 7 rounds: "
        "texts} texts, nine with {known-key | Sets in the middle | 9 rounds: texts}, eleven with "
        "{known-key | Sets in the middle | 11 rounds: texts}.",
        "Lucks has distinguishers of five and of six rounds for all keys, and uses up to 2^127 "
        "texts; we have read only the abstract and the headings, which have no number of texts for "
        "five rounds, so 2^65 may not be new [Lucks01]. The "
        "method is that of [TodoMorii16], [Xiang16] and [Sun17], and a known key that of "
        "[KnudsenRijmen07]; we found no text that applies them to Twofish.",
        "An integer program has all division trails of a set as its solutions, with S-boxes as any "
        "permutations, matrices as any linear ones, and all values of the subkeys. HiGHS shows "
        "that an output has no trail. The sets for five rounds need no solver: their texts go in "
        "pairs with equal outputs, and the output differed in {integral | Twofish: pairs | 5 "
        "rounds, bit 0} such pairs, made with random keys. In the scale model of 32 bits whole "
        "sets were summed: under random keys for five rounds, and over all texts under 16 keys for "
        "six and seven. {integral | The scale model | 5 rounds: outputs without} and {integral | "
        "The scale model | 6 rounds: outputs without} sums without a trail were odd. Of the other "
        "sums {integral | The scale model | 6 rounds: others} are the same for all keys over six "
        "rounds, and {integral | The scale model | 7 rounds: outputs} over seven. From the middle, "
        "one set of 2^32 texts was summed over seven rounds under one key: {known-key | Twofish: "
        "odd sums | 7 rounds, before, outputs} sums of plaintexts and {known-key | Twofish: odd "
        "sums | 7 rounds, after, outputs} of ciphertexts were odd. In the model sets were summed "
        "over nine rounds under 64 keys, and over eleven under one.",
        "A trail proves nothing, so seven rounds may have a set that this search cannot see, "
        "though in the model the search misses no such set over seven rounds. It asked for sets "
        "with one constant bit in the left half and for one output, bit 0 of F_1. HiGHS "
        "computes with floating-point numbers, and gives no proof that another program could "
        "check. The rule for S-boxes has all keys at once; for one known key it is too wide. We "
        "did not search trails with three subsets, which can also show sums that are 1 for every "
        "key. From the middle one to three bits of each side have such sums, and for any "
        "permutation somebody finds texts with so few; these sets are known before a text is "
        "computed. Nothing follows for a secret key.",
        "One key and one choice of the constant bits for which the sum over a set is 1.",
    ),
)
