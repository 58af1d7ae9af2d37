"""How much a panel of judges disagrees about one claim."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

TAU = 0.4
_TOLERANCE = 1e-9


def raw_entropy(counts: Mapping[str, float]) -> float:
    """Shannon entropy of a vote, ``-sum p ln p``, in nats.

    Parameters
    ----------
    counts
        Label to number of cast votes; a sample of S counts 1/S. Zero counts are ignored.

    Returns
    -------
    float
        0 for a unanimous vote, ``ln L`` when L labels are level.

    Raises
    ------
    ValueError
        If a count is negative or no vote was cast: nothing is known then, which is not agreement.

    References
    ----------
    C. E. Shannon, "A Mathematical Theory of Communication", Bell System Technical Journal 27 (1948), section 6.

    Examples
    --------
    >>> round(raw_entropy({"accept": 3, "reject": 2}), 4)
    0.673
    """
    if any(count < 0 for count in counts.values()):
        raise ValueError("a label cannot have a negative number of votes")
    total = sum(counts.values())
    if total <= 0:
        raise ValueError("a vote needs at least one cast verdict")
    shares = [count / total for count in counts.values() if count > 0]
    return -sum(share * log(share) for share in shares) if len(shares) > 1 else 0.0


def normaliser(n_labels: int, n_cast: float, n_cast_labels: int = 0) -> float:
    """Largest entropy a vote can have, ``ln(min(K, votes cast))``, never below ``ln 2``.

    Parameters
    ----------
    n_labels
        K, the labels that votes and gold can take for this kind of claim.
    n_cast
        Votes cast; the samples of a voter are one vote together.
    n_cast_labels
        Labels that were cast, which are more than the votes only where samples divide a vote.

    Returns
    -------
    float
        Nats.

    Notes
    -----
    Two voters whose samples gave three labels can be as divided as three labels allow: their largest entropy is
    ``ln 3``, not ``ln 2``. Without samples there are never more labels than votes.
    """
    return log(max(2.0, min(float(n_labels), max(n_cast, float(n_cast_labels)))))


def vote_entropy(counts: Mapping[str, float], n_labels: int) -> float:
    """Entropy of a vote divided by ``ln(min(K, votes cast))``, in [0, 1]; see `normaliser` for samples.

    Parameters
    ----------
    counts
        Label to number of cast votes; a sample of S counts 1/S.
    n_labels
        K, the labels that votes and gold can take for this kind of claim.

    Returns
    -------
    float
        0 when unanimous, 1 when as divided as so many votes can be.

    Raises
    ------
    ValueError
        If no vote was cast, a count is negative, or more labels were cast than `n_labels`.

    Notes
    -----
    One vote is 0: nobody is there to disagree with. The same holds for several samples of one voter, whose
    shares sum to one: a judge that wavers alone is no dispute. Several voters whose samples waver in the same way
    are one: their shares count, not who gave them.

    Examples
    --------
    >>> vote_entropy({"first": 1, "second": 1}, n_labels=3)
    1.0
    """
    entropy = raw_entropy(counts)
    n_cast_labels = sum(count > 0 for count in counts.values())
    if n_cast_labels > n_labels:
        raise ValueError(f"{n_cast_labels} labels were cast where only {n_labels} exist")
    total = sum(counts.values())
    if total <= 1 + _TOLERANCE:
        return 0.0
    return min(1.0, entropy / normaliser(n_labels, total, n_cast_labels))


def is_candidate(counts: Mapping[str, float], n_labels: int, tau: float = TAU) -> bool:
    """Whether the panel disagrees enough about a claim to ask a person.

    Parameters
    ----------
    counts
        Label to number of cast votes; may be empty.
    n_labels
        K, the labels that votes and gold can take for this kind of claim.
    tau
        Threshold on the normalised entropy; it has to be exceeded.

    Returns
    -------
    bool
        True with at least two cast votes, at least two labels and normalised entropy above `tau`.

    Raises
    ------
    ValueError
        If a count is negative or more labels were cast than `n_labels`.

    Examples
    --------
    >>> is_candidate({"accept": 4, "reject": 1}, n_labels=3), is_candidate({"accept": 1}, n_labels=3)
    (True, False)
    """
    if not any(counts.values()):
        return False
    return vote_entropy(counts, n_labels) > tau
