"""Is my number OK? One run, one machine, one verdict; page, shell and HTTP ask here."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.checks import InputError
from core.collectives.formulas import COLLECTIVES
from core.collectives.pricing import Scenario
from core.collectives.rates import Rates
from core.hardware import System
from core.measurement import Run
from core.verdict.finding import PairFinding, Reason, SizeFinding, Verdict, Word
from core.verdict.pairs import judge_copies, judge_matrix
from core.verdict.place import other_gpu, seat
from core.verdict.sizes import judge_sizes, settled

TOLERATED = 0.1
"""Share of slow sizes or pairs that a run may have and still be fine."""
THROUGHOUT = 0.3
"""So many large sizes low without a cause, per small one that latency decides, are all sizes."""
PASSING = ("cold", "outlier")
ABOVE = ("nvls_above_wire", "two_domains_share")
VAGUE = ("below_the_band", "below_the_wire", "latency_bound")


def judge(
    run: Run,
    system: System,
    *,
    rates: Rates | None = None,
    implementation: str = "nccl",
    launch: str = "stream",
) -> Verdict:
    """
    The verdict on one run of a collective, a matrix tool or our probe.

    Args:
        run: What was measured; where its log names no collective or ranks, its guesses are used.
        system: The machine it is to be judged by; domains are added as the run needs them.
        rates: Calibrated by default; datasheet rates give no band.
        implementation: Library or engine kernel that ran.
        launch: ``stream`` or ``graph``.

    Raises:
        InputError: An unknown implementation or launch.
    """
    verdict = _judged(run, system, rates or Rates(), implementation, launch)
    strange = other_gpu(run, system)
    return _of_another_gpu(verdict, strange) if strange else verdict


def _of_another_gpu(verdict: Verdict, strange: str) -> Verdict:
    """What is held against a machine of another GPU is neither fine nor in need of another reason."""
    said = replace(verdict, warnings=(strange, *verdict.warnings))
    if verdict.word is Word.UNKNOWN or verdict.word is Word.WRONG:
        return said
    if verdict.word in (Word.FINE, Word.HIGH):
        text = f"{strange}: name the machine that was measured"
        return replace(said, word=Word.UNKNOWN, reason=Reason("another_gpu", text))
    if verdict.reason.code in (*VAGUE, "faster_than_the_wire"):
        return replace(said, reason=Reason("another_gpu", f"{strange}; {verdict.reason.text}"))
    return said


def _judged(run: Run, system: System, rates: Rates, implementation: str, launch: str) -> Verdict:
    if run.origin == "cpu":
        reason = Reason(
            "measured_on_cpu", "measured over gloo on the CPU: nothing to hold against this machine"
        )
        return Verdict(Word.UNKNOWN, reason, collective=run.collective, ranks=run.ranks)
    warnings: tuple[str, ...] = ()
    collective = run.collective or run.collective_guess
    pairs = [found for matrix in run.matrices for found in judge_matrix(matrix, system)]
    pairs += judge_copies(run, system)
    if not any(sample.operation in COLLECTIVES or sample.operation is None for sample in run.samples):
        return _summary(run, (), tuple(pairs), warnings)
    ranks = run.ranks if run.ranks is not None else run.ranks_guess
    if run.collective is None and collective:
        warnings = (*warnings, f"the log names no collective; taken for {collective} from its printed rates")
    if run.ranks is None and ranks:
        warnings = (*warnings, f"the log lists no ranks; taken for {ranks} from its printed rates")
    question = _question(run, system, collective, ranks)
    if isinstance(question, Reason):
        return Verdict(Word.UNKNOWN, question, collective=collective, ranks=ranks, warnings=warnings)
    return _collective(run, question, rates, implementation, launch, warnings, tuple(pairs))


def _question(run: Run, system: System, collective: str | None, ranks: int | None) -> Scenario | Reason:
    if collective is None:
        return Reason("collective_unknown", "the log does not name the collective: say which it was")
    if collective not in COLLECTIVES:
        return Reason("collective_unpriced", f"nothing is expected of {collective}: it has no model here")
    if ranks is None:
        return Reason("ranks_unknown", "the log does not list its ranks: say how many there were")
    if ranks < 2:  # noqa: PLR2004 (alone there is no wire)
        return Reason("one_rank", "one rank moves nothing over a wire")
    return settled(Scenario(system, collective, ranks), run.dtype)


def _collective(
    run: Run,
    question: Scenario,
    rates: Rates,
    implementation: str,
    launch: str,
    warnings: tuple[str, ...],
    pairs: tuple[PairFinding, ...],
) -> Verdict:
    try:
        place = seat(run, question.system, question.ranks)
    except InputError as problem:
        reason = Reason("does_not_fit", str(problem))
        return Verdict(
            Word.UNKNOWN, reason, (), pairs, question.collective, question.ranks, warnings=warnings
        )
    asked = Scenario(
        place.system,
        question.collective,
        question.ranks,
        rates=rates,
        implementation=implementation,
        launch=launch,
        dtype=question.dtype,
        per_domain=place.local_ranks,
    )
    sizes, expected = judge_sizes(run, asked, place)
    said = (*warnings, *place.remarks, *expected.warnings)
    word, reason = _overall(sizes, pairs)
    refused = next((notice for notice in run.warnings if notice.code == "out_of_bounds"), None)
    if refused is not None and word is not Word.WRONG:
        word, reason = Word.WRONG, Reason("wrong_results", f"the tool's own check failed: {refused.message}")
    return Verdict(
        word, reason, sizes, pairs, question.collective, question.ranks, place.local_ranks, place.domains,
        expected.basis, said,
    )  # fmt: skip


def _summary(
    run: Run, sizes: tuple[SizeFinding, ...], pairs: tuple[PairFinding, ...], warnings: tuple[str, ...]
) -> Verdict:
    word, reason = _overall(sizes, pairs)
    if word is Word.UNKNOWN:
        reason = Reason(
            "nothing_expected", f"nothing in this {run.format} output has an expectation on this machine"
        )
    return Verdict(word, reason, sizes, pairs, basis="spec", warnings=warnings)


def _overall(sizes: Sequence[SizeFinding], pairs: Sequence[PairFinding]) -> tuple[Word, Reason]:
    """The worst that is no accident: wrong, impossible, low where more than a tenth is, high, fine."""
    found = [(size.word, size.reason) for size in sizes] + [(pair.word, pair.reason) for pair in pairs]
    for word in (Word.WRONG, Word.IMPOSSIBLE):
        if any(item is word for item, _ in found):
            return word, _commonest(found, word)
    judged = [item for item, _ in found if item is not Word.UNKNOWN]
    if not judged:
        return Word.UNKNOWN, Reason("nothing_judged", "nothing here could be judged")
    low = [reason for word, reason in found if word is Word.LOW and reason.code not in PASSING]
    if len(low) > TOLERATED * len(judged) or any(r.code == "slow_link" for r in low):
        return Word.LOW, _commonest(found, Word.LOW)
    if sum(word is Word.HIGH for word in judged) > len(judged) / 2:
        return Word.HIGH, _commonest(found, Word.HIGH)
    return Word.FINE, _rightly(sizes) or Reason("as_expected", "what this machine should do")


def _rightly(sizes: Sequence[SizeFinding]) -> Reason | None:
    """What explains the best rate where it lies above the wire."""
    above = [size for size in sizes if size.reason.code in ABOVE and size.word in (Word.FINE, Word.HIGH)]
    if not above:
        return None
    best = max(above, key=lambda size: size.size_bytes / size.time_s).reason
    return Reason(best.code, f"what this machine should do; its best rate is {best.text}")


def _commonest(found: Sequence[tuple[Word, Reason]], word: Word) -> Reason:
    """The reason named most often, a named cause before the vague ones."""
    reasons = [reason for item, reason in found if item is word and reason.code not in PASSING]
    counts = Counter(reason.code for reason in reasons)
    named = [code for code in counts if code not in VAGUE]
    code = max(named or counts, key=lambda name: counts[name])
    if code == "latency_bound" and counts["below_the_band"] > THROUGHOUT * counts[code]:
        code = "below_the_band"
    return next(reason for reason in reasons if reason.code == code)
