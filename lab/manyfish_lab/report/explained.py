# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The question and the answer of each experiment, for a reader who has not read the sources.

The figures come from the results. These words name few of them, so that a new run does not make
them wrong; check them when a result changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from manyfish_lab.experiment import Experiment


@dataclass(frozen=True)
class Explained:
    """`title` heads the page; `asked` says why the question matters; `found` is the answer."""

    title: str
    asked: str
    found: str


def of(experiment: Experiment) -> Explained:
    """The words for an experiment; for an unknown one its question."""
    return EXPLAINED.get(experiment.name) or Explained(
        experiment.name, experiment.question, "Nobody has written yet what the figures mean."
    )


EXPLAINED = {
    "q": Explained(
        "The permutations q0 and q1",
        "All S-boxes of Twofish are built from two fixed permutations of a byte, q0 and q1. An "
        "attacker would like them to be predictable: a change of the input that often causes the "
        "same change of the output, or a sum of input bits that often equals a sum of output "
        "bits. How predictable are they?",
        "Every figure that the authors printed is right. The most probable change of the output "
        "has probability 10/256, and the best sum of bits has a correlation of 64/256. Neither is "
        "alarming, and neither is the best possible: the strength comes from using q several "
        "times with key bytes in between.",
    ),
    "sboxes-128": Explained(
        "The S-boxes of 128-bit keys",
        "The key chooses the four S-boxes of Twofish. With 128-bit keys each S-box depends on two "
        "key bytes, so there are only 65,536 of each, and a computer can examine all of them. Is "
        "any of them weak?",
        "No S-box is much worse than the others: in the worst ones a change of the output has "
        "probability 18/256. The shares of good and bad S-boxes are those that the authors "
        "printed. One printed figure is off by one in its last digit, as if it had been "
        "rounded twice.",
    ),
    "sboxes-192": Explained(
        "The S-boxes of 192-bit keys",
        "With 192-bit keys an S-box depends on three key bytes. There are 16.8 million of each, "
        "which is still few enough to examine all. Do three layers of q make worse S-boxes "
        "possible?",
        "The worst S-boxes reach 24/256, but they are one in 34 million. The shares agree with "
        "the published ones. Two printed figures are off by one in their last digit, as if they "
        "had been rounded twice.",
    ),
    "sboxes-256": Explained(
        "The S-boxes of 256-bit keys",
        "With 256-bit keys there are 4.3 billion S-boxes for each of the four positions. Here 67 "
        "million random ones are examined. Do four layers of q differ from three?",
        "They hardly differ from the S-boxes of 192-bit keys, and the published shares are within "
        "the intervals of this sample. The exception is the row of the rarest S-boxes. The authors "
        "drew a sample too, and that row tells of a single box of theirs: chance explains it.",
    ),
    "sboxes-256-dp": Explained(
        "The worst S-boxes of 256-bit keys",
        "A change of the input of an S-box gives some change of the output more often than others. "
        "A sample cannot tell how often at most, because the worst S-boxes are very rare. There "
        "are 17 billion S-boxes of 256-bit keys, and 65,025 pairs of changes for each of them: "
        "which is the worst?",
        "One of them reaches 28/256, more than those of shorter keys do. The authors had a sample, "
        "with 22/256 at most; where its shares differ from these, chance explains it.",
    ),
    "sboxes-degree": Explained(
        "The algebraic degree of the S-boxes",
        "Each output bit of an S-box is a polynomial of the eight input bits. Attacks by integrals "
        "and by higher differences need low degrees, and a sum of output bits may have a lower one "
        "than each of them. How often is that so, over all keys?",
        "As often as in random matrices, in all 17 billion S-boxes of 256-bit keys and in all "
        "those of shorter keys. No S-box has a lower degree than 7. In the three most unusual ones "
        "63 of the 255 sums of output bits have a degree of at most 6; of that many random "
        "matrices one would be expected, so chance explains them.",
    ),
    "sboxes-immunity": Explained(
        "Equations of the S-boxes",
        "Algebraic attacks describe a cipher by equations of a low degree. The S-box of AES "
        "satisfies 39 quadratic equations, which is far more than a random one. Do the S-boxes of "
        "Twofish satisfy any?",
        "No S-box of a 128 or 192-bit key does, nor any of the sample of 256 bits. Their immunity, "
        "the other figure, is that of random permutations: one S-box in a hundred has a sum of "
        "output bits with an immunity of 3, and all others have 4, the greatest there is. So no "
        "such equation relates inputs and outputs alone. With the bits inside q as further "
        "variables there are some, as each permutation of 4 bits satisfies 21 at least.",
    ),
    "sboxes-random": Explained(
        "S-boxes and random permutations",
        "An ideal S-box that depends on a key would be a permutation drawn at random. Can anybody "
        "tell the S-boxes of Twofish from such permutations?",
        "Not by the usual measures, but in two other ways. Every S-box of Twofish is an even "
        "permutation, while half of all permutations are odd. And averaged over all keys, some "
        "changes are more frequent than others. An attacker cannot use either directly, because a "
        "cipher in use has one key and hides its S-boxes.",
    ),
    "mds": Explained(
        "The MDS matrix",
        "Twice in each round, a matrix mixes the outputs of four S-boxes. The authors chose a "
        "matrix that spreads every change: of its four input and four output bytes, at least five "
        "change. They also counted how many bits change. Are these counts right, and was there a "
        "better matrix?",
        "The counts are right, and all inputs confirm the five. Among all matrices of the "
        "same three values, some reach nine changed bits where Twofish's has eight, but none of "
        "them keeps the authors' other condition, that no two rows or columns are rotations of "
        "each other. One published probability differs; the page says why.",
    ),
    "rs": Explained(
        "The RS matrix",
        "Another matrix condenses eight bytes of the key to four bytes of S, which choose the "
        "S-boxes. It belongs to a Reed-Solomon code, as used on compact discs. How different are "
        "the S-boxes of keys that differ little?",
        "As different as any matrix could make them. If one byte of the eight changes, all four "
        "bytes of S change; if two change, at least three do. Two keys with the same S differ in "
        "five bytes or more.",
    ),
    "bit-positions": Explained(
        "Where each bit enters the S-boxes",
        "In each round two words of the block are rotated by one bit. The authors say that this "
        "makes each bit enter the S-boxes once in each of the eight positions of a byte. Does it?",
        "Yes, for every bit, and under all keys that we tried. A published way to write Twofish "
        "without these rotations is also right: it encrypts the same.",
    ),
    "key-bits": Explained(
        "What each bit of the key changes",
        "The authors say of the key schedule that every key bit affects every round. If it were "
        "otherwise, an attacker could find some bits from fewer rounds. Is it so?",
        "Yes, for every key: a changed bit changes all four S-boxes, which every round uses, and "
        "the subkeys of every round.",
    ),
    "avalanche": Explained(
        "Avalanche: how fast a change spreads",
        "If one bit of the plaintext or of the key changes, half of the ciphertext bits should "
        "change, and no one should be able to say which. How many of the sixteen rounds does that "
        "take?",
        "A changed plaintext bit takes four rounds. After three, 32 of the 16,384 pairs of an "
        "input and an output bit still never change together. A changed key bit takes two rounds, "
        "since it changes the subkeys of every round at once. The other twelve rounds are the "
        "margin.",
    ),
    "key-uniqueness": Explained(
        "Different keys, different ciphers",
        "If two keys gave the same subkeys, they would encrypt alike, and there would be fewer "
        "keys than it seems. The authors say that this never happens. They also say that two "
        "values of S never give the same round function F. Is that so?",
        "Yes. Exhaustive search finds no two keys of any length with the same subkeys, and no two "
        "values of S with the same F: all 17 billion sequences of 256-bit keys were compared.",
    ),
    "subkey-entropy": Explained(
        "How uniform the subkeys are",
        "Twofish makes 20 subkeys of 64 bits from one key. If they were perfect, two of them "
        "would have 128 bits of entropy: nobody could guess one better than by trying. Mirza and "
        "Murphy noticed in 1999 that they have less. How much less?",
        "With 128-bit keys, two subkeys have between 114.8 and 116.8 bits of entropy. With longer "
        "keys almost nothing is missing. No attack that we know of uses the gap.",
    ),
    "subkey-pairs": Explained(
        "Differences between subkeys of two keys",
        "An attacker who can encrypt under two related keys hopes that their subkeys differ by "
        "the same value in many places. How often can that happen?",
        "Of all pairs of 128-bit keys that differ in one column, none has more than seven equal "
        "differences among twenty, and seven occur in one pair of 2.5 billion. The published "
        "shares agree digit for digit, once one guesses how the authors counted: no source says "
        "it.",
    ),
    "weak-pairs": Explained(
        "Key pairs for a withdrawn attack",
        "In 1998 the authors described an attack on ten rounds without whitening, in which the "
        "attacker chooses a part of the keys: 2<sup>32</sup> chosen plaintexts, about "
        "2<sup>11</sup> adaptively chosen ones, and 2<sup>32</sup> work [TwofishSlides98]. It "
        "needs two 256-bit keys with the same S-boxes and eight equal subkeys in a row. Later the "
        "authors withdrew it, because no such pair exists [TR6]. Is that right?",
        "Yes. Exhaustive search finds no pair. It does find pairs with three equal subkeys, and "
        "pairs of key bytes with few equal outputs about as often as chance predicts. So the "
        "search itself works.",
    ),
    "truncated-differentials": Explained(
        "Truncated differentials",
        "In 2000 Moriai and Yin followed which bytes of a difference stay zero, and found a path "
        "through all sixteen rounds. Is that an attack?",
        "The path exists, with the published probability. But a random permutation gives pairs "
        "with the same ends just as often. So the path does not tell Twofish from a perfect "
        "cipher, and it is no attack. A search of all starts and ends finds differentials that "
        "stand out over five rounds, and none over six or more.",
    ),
    "trail-bounds": Explained(
        "Trails of differences",
        "A differential attack follows a difference of two texts through the rounds, bit by bit. "
        "Each step holds with some probability. In 1998 the authors showed that twelve rounds have "
        "at most 2^-102.8, by simulated differences of F. Which bound can be proved?",
        "A lower one, of trails: from thirteen rounds on with keys of 128 and 192 bits, and from "
        "fourteen on with 256 bits, fewer than one pair of all plaintexts is expected to follow "
        "any given trail. A cheap round, with two active S-boxes, makes the rounds beside it "
        "expensive, and a solver proves by how much. This is no bound of differentials, in which "
        "many trails add up, and it takes rounds as independent.",
    ),
    "linear-trail-bounds": Explained(
        "Linear trails",
        "A linear attack adds up some bits of plaintext and ciphertext, and hopes that the sum is "
        "0 a little more often than chance allows. A trail says which bits it adds on the way. How "
        "far from chance can a trail be?",
        "The squared correlation of a trail over all sixteen rounds is at most 2^-101 with "
        "128-bit keys and 2^-85 with 192-bit keys; for 256-bit keys there is no bound. None is "
        "below 2^-128; for 128-bit keys the claims about neighbouring rounds are nearly as large "
        "as this model allows, for 192-bit keys that is open. One S-box alone can be active in a "
        "round, but then the additions cost most. The claims below count carries in units of 0.14 "
        "bits.",
    ),
    "distinguisher": Explained(
        "How many rounds can be told from chance",
        "Before anyone finds a key, they must notice that the cipher is not random. Here an "
        "attacker chooses plaintexts in which one part takes all values, and looks for patterns "
        "that only a few rounds leave.",
        "Three rounds show after a few dozen plaintexts, four rounds after 2^32. For five rounds "
        "this attack would need 2^69 plaintexts, so it runs on a small model of the cipher; "
        "[integral](integral.md) tells five rounds by 2^65. With sixteen rounds the same tests see "
        "nothing, of sets of bytes and in the model.",
    ),
    "five-round-attack": Explained(
        "An attack on five rounds",
        "The authors report that their best attack breaks five of the sixteen rounds, without "
        "whitening. They published what it costs, but not how it works. What can be run today?",
        "We could not rebuild their attack, so the costs here belong to attacks of our own, and "
        "differ. Ours finds all of S for four rounds, in some minutes on one core. Against "
        "five rounds it runs here on a small model of the cipher, and at real size in "
        "[five-rounds](five-rounds.md). Nothing here comes near sixteen rounds.",
    ),
    "five-rounds": Explained(
        "Five rounds at real size",
        "An attack that was only run on a small model may fail on the cipher itself. Here it runs "
        "on Twofish with 128-bit keys, five of the sixteen rounds and no whitening, and must find "
        "the whole key. It sees chosen plaintexts and their ciphertexts only.",
        "It finds the key that the program for the texts had drawn, with nothing given. Each of "
        "the forty sets of texts takes half a minute of one core, and the search eight minutes. In "
        "the model a sixth round already stops it, so it says nothing against sixteen.",
    ),
    "five-round-models": Explained(
        "Five rounds: fewer texts, longer keys",
        "Is there an attack with as few texts as the authors' one, and how much do longer keys "
        "help? Both need more work than we can do, so they run on a small model of the cipher.",
        "An attack with pairs of texts finds S in the model whenever a right pair is among them. "
        "At real size it would need some 2^26 texts and more than 2^51 steps, which is near the "
        "published costs. Longer keys make the other attack slower by 2^16 for each 64 bits.",
    ),
    "integral": Explained(
        "Sums that vanish for every key",
        "An attacker chooses plaintexts in which some bits take all values, and adds up a bit of "
        "the ciphertexts. After few rounds the sum is 0 for every key, by the algebra alone. After "
        "how many rounds is that still so, with less than all texts, and how many texts does it "
        "take?",
        "After six, with half of all texts; Lucks published as many rounds. For five rounds 2^65 "
        "texts suffice, and a short argument shows it without a computer. For seven rounds the "
        "search found nothing, among the sets with one constant bit in the left half. A trail "
        "proves nothing, so sets with trails may have vanishing sums too; the tables count those "
        "for which no trail is left. In the scale model, whose texts were all added up, the trails "
        "miss none of the three outputs that the searches ask for: over six rounds each of their "
        "other sums is 0 for some keys and 1 for others. Over seven rounds this holds for all "
        "sixteen outputs. None of this is near sixteen rounds, and half of all texts is more than "
        "anyone will ever see.",
    ),
    "known-key": Explained(
        "Sums from the middle of the rounds",
        "Somebody who knows the key can choose texts in the middle of the rounds, and work out "
        "their plaintexts and their ciphertexts. If some bits in the middle take all values, over "
        "how many rounds do sums of plaintexts and sums of ciphertexts vanish?",
        "Over seven rounds with 2^32 texts, nine with 2^66 and eleven with half of all texts, for "
        "every key; one to three bits of each side have such sums. We added up one set of 2^32 "
        "texts for seven rounds, under one key. Eleven rounds are not sixteen, and a key that an "
        "attacker knows is no secret: this tells how far such sums reach, and no more.",
    ),
    "family-key": Explained(
        "Family keys",
        "The authors propose a variant, Twofish-FK, for somebody who wants a cipher of their own: "
        "a family key changes some constants. Does it give new permutations, or the old ones in "
        "another order?",
        "New ones. None of 200,000 random keys with a random family key has an equal among the "
        "ordinary keys of Twofish. The search is exact for each key, and the controls find the "
        "equals that must exist.",
    ),
    "randomness": Explained(
        "Statistical tests of the output",
        "When NIST chose the AES, it ran statistical tests on the output of each candidate. Do "
        "they see a difference between the output of Twofish and random data?",
        "With three rounds or fewer they do; with more they do not. That is what one expects of "
        "any serious cipher, and says little about its security: such tests do not look for the "
        "structure that attacks use.",
    ),
}
